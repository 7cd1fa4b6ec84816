"""What the default settings reach on our own suites: a study that was made beforehand."""

import pandas as pd
import streamlit as st

from anyloss_core.benchmark import recipe_study
from anyloss_core.benchmark.evidence import Evidence
from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.comparison.job import job_settings
from anyloss_core.comparison.settings import ComparisonSettings
from pages.ui.base import navigation
from pages.ui.charts.charts import show_table
from pages.ui.choice.study_form import model_field
from pages.ui.many import panels
from pages.ui.many.controls import BOARD, TABLES
from pages.ui.runs import runs

HOW_MADE = (
    f"Protocol 'fresh', {recipe_study.MADE}. AnyLoss, SOL and BCE with search choose their recipe, "
    "and all that tune a threshold tune it, on inner folds of the training rows; the other rivals "
    f"have one recipe. Tables of up to 10,000 rows: {recipe_study.DRAWN}. Larger ones: one split, "
    "4:1. The default recipe was chosen on half A (every second table by name) and confirmed on "
    "half B."
)
LEAD = (
    "Won, tied, lost: tables on which AnyLoss is better by more than the rope, within it, or worse "
    "by more. P: the probability that wins, ties or losses are the most frequent among all such "
    "tables (Bayesian sign test), not that AnyLoss wins on one."
)


def show() -> None:
    """What the default settings reach on our own suites, made beforehand."""
    st.caption(HOW_MADE)
    with st.container(horizontal=True):
        model_field(BOARD)
        BOARD.segments("half", "Tables", format_func=TABLES.get)
    evidence = _kept(BOARD["model"], BOARD["half"])
    panels.show(evidence, f"kept.{BOARD['model']}.{BOARD['half']}", BOARD, _compare_again)
    with st.expander("AnyLoss against every rival, metric by metric", expanded=True):
        show_table(_rivals(BOARD["model"], BOARD["half"], BOARD["rope"]), "many.rivals")
        st.caption(LEAD)


def _compare_again(name: str, view: panels.BenchmarkView) -> None:
    """Train the two losses once more on a table of the study: its folds were not kept."""
    task = next(task for task in recipe_study.tables() if task.name == name)
    losses = (view.candidate, view.baseline)
    settings = ComparisonSettings.from_dict(
        {"losses": losses, "model": BOARD["model"], **recipe_study.settings_for(task)}
    )
    run_id = runs.start("compare", job_settings(task.reference, settings), name)
    if run_id:
        navigation.go_to("compare", run=run_id, **view.asked)


@st.cache_resource(show_spinner="Reading the study", max_entries=6)
def _kept(model: str, half: str) -> Evidence:
    """The kept scores of one model on the small tables, one half of them, or the large ones."""
    if half == "large":
        return recipe_study.load_study(model, size="large")
    return recipe_study.load_study(model, None if half == "both" else half, "small")


@st.cache_data(show_spinner="Testing the rivals", max_entries=20)
def _rivals(model: str, half: str, rope: float) -> pd.DataFrame:
    """Each AnyLoss against each rival on its own metric, in words."""
    found = recipe_study.verdicts(_kept(model, half), rope).round(4)
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
