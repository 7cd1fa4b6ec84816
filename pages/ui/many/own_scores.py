"""The same analysis for scores from elsewhere, brought as a file."""

import streamlit as st

from anyloss_core.benchmark.evidence import Evidence, from_table
from pages.ui.data import reading
from pages.ui.data.sources import brought_scores, keep_scores
from pages.ui.many import panels
from pages.ui.many.controls import BOARD


def show() -> None:
    """The same analysis for scores from elsewhere."""
    st.caption(
        "A CSV with the columns dataset, loss, metric, score, one row each; further columns named "
        "fold or seed hold repeats, whose mean is taken, and positive_share the share of positive "
        "rows of a data set, for the groups by imbalance. Larger scores must be better."
    )
    keep_scores(BOARD, "Tidy scores")
    if BOARD["scores"]:
        panels.show(_read(BOARD["scores"]), BOARD["scores"], BOARD, None)


def _read(upload_id: str) -> Evidence:
    """A kept file of scores."""
    with st.spinner("Reading the scores"):
        brought = brought_scores(upload_id)
        return reading.kept(("evidence", upload_id), lambda: from_table(*brought))
