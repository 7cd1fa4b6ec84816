"""Two runs side by side: what came out, which settings differ, and the scores that both have."""

import pandas as pd
import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.comparison.job import load_comparison
from anyloss_core.export.run_difference import score_differences, setting_differences
from anyloss_core.store.store import Run
from anyloss_core.sweep.job import load_sweep
from pages.ui.base.plain_words import titled
from pages.ui.base.state import Board
from pages.ui.base.text import duration, option
from pages.ui.charts.charts import show_table
from pages.ui.choice import losses
from pages.ui.runs import runs

LOADERS = {"compare": load_comparison, "sweep": load_sweep}
DIFFERENCE = "Mean over the folds in each run; difference = second − first."


def show(first: Run, second: Run, board: Board) -> None:
    """Both runs; scores when they are of the same kind."""
    st.header("Two runs side by side")
    for column, run in zip(st.columns(2, gap="large"), (first, second), strict=True):
        with column:
            titled(run.title or run.kind, duration(run.seconds))
            st.text(option(runs.store().get_result(run.id, "headline", ""), 500))
    gaps = setting_differences(first.settings, second.settings)
    if len(gaps):
        show_table(gaps, "settings_that_differ")
    else:
        st.caption("Both runs have the same settings.")
    if first.kind == second.kind and first.kind in LOADERS:
        _scores(first, second, board)


def _scores(first: Run, second: Run, board: Board) -> None:
    results = [LOADERS[run.kind](runs.store(), run.id) for run in (first, second)]
    if any(result is None for result in results):
        st.caption("One of the two has no result.")
        return
    metric = losses.metric(board, "metric", "Metric", width=260)
    table = score_differences(*results, metric)
    if not len(table):
        st.caption("Neither run has this metric.")
        return
    shown = pd.DataFrame({"": table["name"].map(loss_words)}).join(table.drop(columns="name"))
    formats = dict.fromkeys(("first", "second", "difference"), "%.4f")
    show_table(shown, "two_runs", DIFFERENCE, formats)
