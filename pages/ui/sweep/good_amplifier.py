"""What is a good L, over many real tables: the answer with its figures, made beforehand."""

from __future__ import annotations

import streamlit as st

from anyloss_core import good_amplifier as study
from anyloss_core.figures.sweep import by_setting
from pages.ui.charts import show_figure
from pages.ui.comparison_controls import MODEL_NAMES
from pages.ui.plain_words import lead
from pages.ui.state import Board

HOW = r"""
Every L was trained for F1, G-mean and balanced accuracy on every table of the real suite with up to
2,000 rows: protocol 'fresh', five folds, one start, from a fresh network and after 70 % of the
epochs with BCE. On each table the settings are ranked by their mean score on held-out rows (1 is
best, ties share their places). **Will do**: the mean is within 0.01 of the best on that table.
"""
STARTS = {
    "warm": (0.7, "BCE for 70 % of the epochs (default)"),
    "fresh": (0.0, "a fresh network"),
}


def show(board: Board) -> None:
    """The section at the end of the page L sweep."""
    found = study.load_study()
    if found is None:
        return
    st.divider()
    st.subheader("What is a good L?")
    with st.container(horizontal=True):
        model = board.segments("good_model", "Model", format_func=MODEL_NAMES.get)
        words = {name: text for name, (_, text) in STARTS.items()}
        start = board.segments("good_start", "AnyLoss begins with", format_func=words.get)
    rows = study.chosen(found, model, STARTS[start][0])
    lead(study.answer(rows))
    judged = study.judge(rows)
    best = judged.loc[judged["rank"].idxmin()]
    left, right = st.columns(2, gap="large")
    with left:
        show_figure(
            by_setting(judged, "will_do", "share of tables on which it will do"),
            "good_will_do",
            alt="Share of the tables on which each L is within 0.01 of the best L.",
            table=judged,
            filename="good_L",
            formula=HOW,
        )
    with right:
        show_figure(
            by_setting(judged, "rank", "mean rank, lower is better"),
            "good_rank",
            alt=f"Mean rank of each L; the best is {best['setting']} for {best['metric']}.",
            table=judged,
            filename="good_L_rank",
            formula=HOW,
        )
