"""The same analysis for scores from elsewhere, brought as a file."""

import streamlit as st

from anyloss_core.benchmark.evidence import Evidence, from_table
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
        evidence = _read(BOARD["scores"])
        panels.show(evidence, BOARD["scores"], BOARD, None)


@st.cache_resource(show_spinner="Reading the scores", max_entries=4)
def _read(upload_id: str) -> Evidence:
    """A kept file of scores."""
    return from_table(*brought_scores(upload_id))
