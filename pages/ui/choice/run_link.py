"""A page that shows a run: the id in the URL decides, and the settings follow the run.

A link may hold the run alone; then the settings and the data set of the run are taken over, so
that what is set and what is shown belong together. Settings that stand in the link win.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from anyloss_core.store.store import Run
from pages.ui.base.frame import FRAME
from pages.ui.base.state import Board
from pages.ui.data import chosen
from pages.ui.runs import kinds, runs

SEEN = "opened_runs"  # session_state: board -> the run whose settings were taken over


def open_run(
    board: Board, kind: str, settings_of: Callable[[Run], Mapping[str, Any]]
) -> Run | None:
    """The run that the URL names, if it is one of this kind; the page is told if it is not.

    Call it after `board.open()` and below the title.
    """
    run = runs.find(board["run"])
    if run is None or run.kind != kind:
        _say_why_not(board["run"], run)
        return None
    seen = st.session_state.setdefault(SEEN, {})
    if seen.get(board.page) != run.id:
        with runs.readable(run):
            values = settings_of(run)
        seen[board.page] = run.id
        if not any(name in st.query_params for name in values):
            _take_over(board, run, values)
    return run


def start(board: Board, kind: str, settings: dict, title: str, name: str = "run") -> bool:
    """Queue a run and put it into the URL; False if it was refused, and the page has said so."""
    run_id = runs.start(kind, settings, title)
    if run_id is not None:
        show_run(board, run_id, name)
    return run_id is not None


def show_run(board: Board, run_id: str, name: str = "run") -> None:
    """Put a run that was just started into the URL."""
    if name == "run":
        st.session_state.setdefault(SEEN, {})[board.page] = run_id
    board.set(name, run_id)


def note_changes(unchanged: bool) -> None:
    """Say that the settings are no longer those of the run; room is kept free if they are.

    Without it, everything below would move down and be built anew in the browser.
    """
    with st.container():
        if not unchanged:
            st.caption("The settings above have changed since this run was made.")


def _say_why_not(run_id: str, run: Run | None) -> None:
    if run is not None:
        name = kinds.KIND_NAMES.get(run.kind, "another kind")
        st.info(f"The run of this link is not shown on this page: {name}.", icon=":material/info:")
        kinds.link(run)
    elif run_id:
        runs.say_unknown(run_id)


def _take_over(board: Board, run: Run, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        holder = board if name in board.settings else FRAME  # the goal is every page's
        setting = holder.settings[name]
        with suppress(TypeError, ValueError):  # an imported run may hold anything
            holder.set(name, setting.read(setting.write(value)))
    data = run.settings.get("data")
    if isinstance(data, str) and data != FRAME["data"] and chosen.opens(data):
        FRAME.set("data", data)
        st.rerun()  # the sidebar already shows the data set of before
