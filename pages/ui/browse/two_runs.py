"""Two runs side by side: what came out, which settings differ, and the scores that both have."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anyloss_core.comparison_job import load_comparison
from anyloss_core.run_difference import score_differences, setting_differences
from anyloss_core.store import Run
from anyloss_core.sweep_job import load_sweep
from anyloss_core.wording import loss_words
from pages.ui import loss_choice, runs
from pages.ui.charts import show_table
from pages.ui.plain_words import titled
from pages.ui.state import Board
from pages.ui.text import duration, option

LOADERS = {"compare": load_comparison, "sweep": load_sweep}
DIFFERENCE = "Mean over the folds in each run; difference = second − first."


def show(first: Run, second: Run, board: Board) -> None:
    """Both runs; scores when they are of the same kind."""
    st.subheader("Two runs side by side")
    for column, run in zip(st.columns(2, gap="large"), (first, second), strict=True):
        with column:
            titled(run.title or run.kind, duration(run.seconds))
            st.text(option(runs.store().get_result(run.id, "headline", ""), 500))
    gaps = setting_differences(first.settings, second.settings)
    if len(gaps):
        show_table(gaps, "setting_gaps", "settings_that_differ")
    else:
        st.caption("Both runs have the same settings.")
    if first.kind == second.kind and first.kind in LOADERS:
        _scores(first, second, board)


def _scores(first: Run, second: Run, board: Board) -> None:
    results = [LOADERS[run.kind](runs.store(), run.id) for run in (first, second)]
    if any(result is None for result in results):
        st.caption("One of the two has no result.")
        return
    metric = loss_choice.metric(board, "metric", "Metric", width=260)
    table = score_differences(*results, metric)
    if not len(table):
        st.caption("Neither run has this metric.")
        return
    shown = pd.DataFrame({"": table["name"].map(loss_words)}).join(table.drop(columns="name"))
    decimals = st.column_config.NumberColumn(format="%.4f")
    config = dict.fromkeys(("first", "second", "difference"), decimals)
    show_table(shown, "score_gaps", "two_runs", formula=DIFFERENCE, column_config=config)
