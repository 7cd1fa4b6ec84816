"""Above the verdict: a column that gives the answer away, and the same comparison without it."""

from collections.abc import Mapping

import streamlit as st

from anyloss_core.comparison.comparison import Comparison
from anyloss_core.store.store import Run
from pages.ui.base.buttons import button
from pages.ui.base.state import Board
from pages.ui.choice import run_link
from pages.ui.data import chosen, leaks

MEANING = (
    "Every loss can then reach 1, and a draw says nothing about them. Keep it only if it is known "
    "before the answer is."
)


def above_verdict(run: Run, comparison: Comparison, board: Board) -> None:
    """The warning, and a button that leaves the columns out and compares again."""
    suspected = _suspected(run, comparison)
    leaks.warn(suspected, MEANING)
    rest = leaks.without(run.settings["data"], suspected) if suspected else None
    if rest is None:
        return
    label = f"{leaks.leave_out_label(suspected)} and compare again"
    if button(label, "visibility_off", "compare.leave_out"):
        chosen.open_dataset(rest)  # refuses if no column would be left
        if run_link.start(board, "compare", {**run.settings, "data": rest}, run.title):
            chosen.choose(rest)
            st.rerun()


def _suspected(run: Run, comparison: Comparison) -> Mapping[str, float]:
    """As kept with the run, or found again in its data if an earlier version made it."""
    kept = comparison.settings.get("leaks")
    if kept is not None:
        return kept
    try:
        return chosen.open_dataset(run.settings["data"]).leaks
    except (ValueError, KeyError):
        return {}
