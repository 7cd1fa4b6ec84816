"""What the default settings reach on the real suite: a study that was made beforehand."""

import pandas as pd
import streamlit as st

from anyloss_core.benchmark import default_study
from anyloss_core.benchmark.evidence import Evidence
from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.comparison.job import job_settings
from anyloss_core.comparison.settings import ComparisonSettings
from pages.ui.base import navigation
from pages.ui.charts.charts import show_table
from pages.ui.choice.study_form import model_field
from pages.ui.many import panels
from pages.ui.many.controls import BOARD, HALVES
from pages.ui.runs import runs

HOW_CHOSEN = (
    "The default settings of 2026-11-16 on the real suite: protocol 'fresh', ten folds, one start. "
    "L, warm-up, epochs and weight decay were chosen on half A (every second table by name) and "
    f"confirmed on half B, which had no say. {default_study.OLDER_PLAN}"
)


LEAD = (
    "Won, tied, lost: tables on which AnyLoss is better by more than the rope, within it, or worse "
    "by more. P: the probability that wins, ties or losses are the most frequent among all such "
    "tables (Bayesian sign test), not that AnyLoss wins on one."
)


def show() -> None:
    """What the default settings reach on the real suite, made beforehand."""
    st.caption(HOW_CHOSEN)
    with st.container(horizontal=True):
        model_field(BOARD)
        BOARD.segments("half", "Tables", format_func=HALVES.get)
    evidence = _kept(BOARD["model"], BOARD["half"])
    panels.show(evidence, f"kept.{BOARD['model']}.{BOARD['half']}", BOARD, _compare_again)
    with st.expander("AnyLoss against every rival, metric by metric", expanded=True):
        show_table(_rivals(BOARD["model"], BOARD["half"], BOARD["rope"]), "many.rivals")
        st.caption(LEAD)


def _compare_again(name: str, view: panels.BenchmarkView) -> None:
    """Train the two losses once more on a table of the study: its folds were not kept."""
    settings = ComparisonSettings(
        losses=(view.candidate, view.baseline),
        model=BOARD["model"],
        protocol=default_study.SETTINGS["protocol"],
        folds=default_study.SETTINGS["folds"],
        seed=default_study.SETTINGS["seed"],
    )
    run_id = runs.start("compare", job_settings(f"real:{name}", settings), name)
    if run_id:
        navigation.go_to("compare", run=run_id, **view.asked)


@st.cache_resource(show_spinner="Reading the study", max_entries=6)
def _kept(model: str, half: str) -> Evidence:
    """The kept scores of one model on all tables or one half of them."""
    return default_study.load_study(model, None if half == "both" else half)


@st.cache_data(show_spinner="Weighing the rivals", max_entries=20)
def _rivals(model: str, half: str, rope: float) -> pd.DataFrame:
    """Each AnyLoss against each rival on its own metric, in words."""
    found = default_study.verdicts(_kept(model, half), rope).round(4)
    return pd.DataFrame(
        {
            "metric": found["metric"].map(metric_words),
            "AnyLoss": found["score"],
            "rival": found["baseline"].map(loss_words),
            "its score": found["baseline_score"],
            "won": found["wins"],
            "tied": found["ties"],
            "lost": found["losses"],
            "P(wins lead)": found["better"],
            "P(ties lead)": found["same"],
            "P(losses lead)": found["worse"],
        }
    )
