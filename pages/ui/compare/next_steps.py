"""After the answer: what one would do next, each with a button."""

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from anyloss_core.comparison.job import job_settings
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.losses.spelling import REFERENCES
from anyloss_core.store.store import Run
from pages.ui.base import navigation
from pages.ui.base.buttons import button
from pages.ui.base.state import Board
from pages.ui.choice import run_link
from pages.ui.compare.panels import ComparisonView

MOST_REPEATS = 10


def show(run: Run, view: ComparisonView, board: Board) -> None:
    """The MLP, scikit-learn's classifiers, more repeats if nothing is decided, the sweep of L."""
    try:
        made_with = ComparisonSettings.from_dict(run.settings["comparison"])
    except (KeyError, TypeError, ValueError):  # an imported run may hold anything
        return
    steps = list(further(made_with, view))
    with st.container(horizontal=True, vertical_alignment="center", key="next"):
        st.markdown("**What next?**")
        pressed = [
            button(label, icon, f"next.{icon}", again, run, settings, board)
            for label, icon, settings in steps
        ]
        if button("Open the L sweep", "tune", "next.sweep"):
            asked = {"metrics": view.metric, "model": made_with.model}
            navigation.go_to("sweep", data=run.settings["data"], **asked)
    if any(pressed):
        st.rerun()  # the whole page, of which the result is a fragment


def further(
    made_with: ComparisonSettings, view: ComparisonView
) -> Iterator[tuple[str, str, ComparisonSettings]]:
    """Label, icon and settings of each comparison that would tell more."""
    if made_with.model == "slp":
        yield "Try the MLP", "hub", replace(made_with, model="mlp")
    if made_with.protocol == "fresh" and not {*REFERENCES} & {*made_with.names}:
        losses = (*made_with.losses, *REFERENCES)
        yield "Against scikit-learn", "balance", replace(made_with, losses=losses)
    repeats = view.comparison.settings.get("repeats") or 1
    if not view.answer.advice.decided and repeats < MOST_REPEATS:
        yield f"{MOST_REPEATS} repeats", "repeat", replace(made_with, repeats=MOST_REPEATS)


def again(run: Run, settings: ComparisonSettings, board: Board) -> None:
    """The same comparison with another setting; the form follows."""
    job = job_settings(run.settings["data"], settings)
    if run_link.start(board, "compare", job, run.title):
        board.set("model", settings.model)
        board.set("losses", settings.losses)
        board.set("repeats", settings.repeats or 0)
