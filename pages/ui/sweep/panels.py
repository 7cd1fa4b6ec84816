"""The result of a sweep of L: a sentence, score and dead samples against L, the table."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from anyloss_core.common.wording import metric_words
from anyloss_core.comparison.tables import BEST, NEAR, marked
from anyloss_core.figures import sweep as figures
from anyloss_core.losses.approximation import valid_range
from anyloss_core.sweep.job import load_sweep
from anyloss_core.sweep.sweep import AUTO, Sweep
from anyloss_core.sweep.words import WILL_DO, Advice, advice, setting_words, sweep_headline
from pages.ui.base import navigation
from pages.ui.base.plain_words import lead
from pages.ui.base.state import Board
from pages.ui.base.text import option
from pages.ui.charts.charts import show_figure, show_table
from pages.ui.choice.formulas import metric_formulas
from pages.ui.data import reading
from pages.ui.runs import runs
from pages.ui.sweep import controls

HOW_SURE = (
    f"Will do: a mean over the folds within {WILL_DO:g} of the best. These folds chose the best of "
    "several, so its own score is a little too kind."
)
VALID = r"""
Shaded: the L that amplify at $p = t$ and do not yet round to 1 at $p = 1 - t$ in this precision:
$\ln\frac{1-t}{t} / (0.5 - t) \le L$ and $A(1-t) < 1$ as the naive form computes it.
"""
SCORE = r"""
Line: mean over folds and starts on held-out rows, each L judged by the metric that it was trained
for. Band: one standard deviation. Dashed: a ramp, on which $L$ grows geometrically from the first
to the second value over the epochs.
"""
DEAD = r"""
A training row is **dead** when the slope of its amplified label,
$\frac{dA}{dz} = L\,A(1-A)\,p(1-p)$, is exactly 0 in this precision at the end of the training: it
no longer counts ('No More Update'). With the complement-safe form this needs a far larger L.
"""


def load(run_id: str, attempt: int, finished: float | None) -> Sweep | None:
    """The kept result of a run that is over."""
    key = ("sweep", run_id, attempt, finished)
    return reading.kept(key, lambda: load_sweep(runs.store(), run_id))


def show(sweep: Sweep, stored: Mapping[str, Any], board: Board) -> None:
    """Everything about a sweep that was made with these settings, the advice first."""
    for found in advice(sweep):
        lead(found.sentence)
        _use(found, sweep, stored)
    st.text(option(sweep_headline(sweep, sweep.settings["dataset"]), 600))
    st.caption(HOW_SURE)
    if sweep.settings["epochs_done"] < sweep.settings["epochs"]:
        st.info(
            f"Stopped after {sweep.settings['epochs_done']} of {sweep.settings['epochs']} epochs.",
            icon=":material/info:",
        )
    summary = sweep.summary()
    board.select("t", "Accuracy level t of the shaded range", width=280)
    dtype = sweep.settings.get("dtype") or "float64"
    valid = valid_range(float(board["t"]), dtype)
    shaded = None if valid.empty else (valid.minimum, valid.maximum)
    st.caption(
        f"Valid in {dtype} at t = {board['t']}: L from {valid.minimum:.1f} to {valid.maximum:.1f}."
        if shaded
        else f"In {dtype} no L is valid at t = {board['t']}."
    )
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Score against L")
        _score(sweep, summary, shaded)
    with right:
        st.header("Dead samples")
        _dead(summary, shaded)
    st.header("All values")
    _table(summary)


def _use(found: Advice, sweep: Sweep, stored: Mapping[str, Any]) -> None:
    """Take the L of the advice to the pages that train with it."""
    loss = controls.loss_of(stored, found.metric, found.setting)
    name = setting_words(found.setting)
    model = sweep.settings.get("model", "slp")
    both = {"model": model, "metric": found.metric}
    rivals = dict.fromkeys((loss, f"anyloss:{found.metric}", "bce", "bce+threshold"))
    with st.container(horizontal=True, key=f"sweep.use:{found.metric}"):
        more = {"losses": ";".join(rivals), "protocol": sweep.settings.get("protocol", "fresh")}
        navigation.link("compare", f"Use {name} in Compare", **both, **more)
        navigation.link("train", f"Use {name} in Train", **both, losses=f"{loss};bce")


def _score(sweep: Sweep, summary: pd.DataFrame, valid: tuple[float, float] | None) -> None:
    best = ", ".join(f"{metric_words(m)} at L = {L:g}" for m, L in sweep.best().items())
    show_figure(
        figures.score_by_amplifier(summary, valid),
        "sweep_score",
        alt=f"Score on held-out rows against L, a band over the folds. Best constant L: {best}.",
        table=summary,
        formula=f"{SCORE}\n\n{VALID}\n\n{metric_formulas(list(summary['metric'].unique()))}",
    )


def _dead(summary: pd.DataFrame, valid: tuple[float, float] | None) -> None:
    most = summary.loc[summary["dead_share"].idxmax()]
    show_figure(
        figures.dead_by_amplifier(summary, valid),
        "sweep_dead",
        alt="Share of training rows without gradient against L; the largest is "
        f"{most['dead_share']:.1%} with {setting_words(most['setting'])}.",
        table=summary[["metric", "setting", "dead_share"]],
        formula=DEAD,
    )


def _table(summary: pd.DataFrame) -> None:
    groups = [rows for _, rows in summary.groupby("metric", sort=False)]  # as they stand
    shown = pd.DataFrame(
        {
            "Metric": [metric_words(metric) for metric in summary["metric"]],
            "L": summary["setting"].replace(AUTO, "automatic"),
            "Mean ± sd": [
                cell for rows in groups for cell in marked(rows["mean"], rows["std"], WILL_DO)
            ],
            "Dead samples": summary["dead_share"],
        }
    )
    show_table(shown, "sweep", SCORE + DEAD, {"Dead samples": "percent"})
    st.caption(f"{BEST} highest mean, {NEAR} within {WILL_DO:g} of it.")
