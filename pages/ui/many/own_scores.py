"""The same analysis for scores from elsewhere, brought as a file."""

import streamlit as st

from anyloss_core.benchmark.evidence import Evidence, from_table
from anyloss_core.paper.many import find_shares
from anyloss_core.statistics.score_table import read_repeats
from pages.ui.data.sources import keep_scores
from pages.ui.many import panels
from pages.ui.many.controls import BOARD
from pages.ui.runs import runs


def show() -> None:
    """The same analysis for scores from elsewhere."""
    st.caption(
        "A CSV with the columns dataset, loss, metric, score, one row each; further columns named "
        "fold or seed hold repeats, whose mean is taken, and positive_share the share of positive "
        "rows of a data set, for the groups by imbalance. Larger scores must be better."
    )
    keep_scores(BOARD, "Tidy scores", read_repeats)
    if BOARD["scores"]:
        evidence = _read(BOARD["scores"])
        panels.show(evidence, BOARD["scores"], BOARD, None)


@st.cache_resource(show_spinner="Reading the scores", max_entries=4)
def _read(upload_id: str) -> Evidence:
    """A kept file of scores."""
    content = runs.store().open_upload(upload_id).read()
    return from_table(read_repeats(content), find_shares(content))
