"""A page that shows a run: the id in the URL decides, and the settings follow the run.

A link may hold the run alone; then the settings and the data set of the run are taken over, so
that what is set and what is shown belong together. Settings that stand in the link win.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from anyloss_core.store import Run
from pages.ui import dataset_picker, runs
from pages.ui.frame import FRAME
from pages.ui.state import Board

SEEN = "opened_runs"  # session_state: board -> the run whose settings were taken over


def open_run(
    board: Board, kind: str, settings_of: Callable[[Run], Mapping[str, Any]]
) -> Run | None:
    """The run that the URL names, if it is one of this kind; call it after `board.open()`."""
    run = runs.find(board["run"])
    if run is None or run.kind != kind:
        return None
    seen = st.session_state.setdefault(SEEN, {})
    if seen.get(board.page) != run.id:
        seen[board.page] = run.id
        values = settings_of(run)
        if not any(name in st.query_params for name in values):
            _take_over(board, run, values)
    return run


def show_run(board: Board, run_id: str) -> None:
    """Put a run that was just started into the URL."""
    st.session_state.setdefault(SEEN, {})[board.page] = run_id
    board.set("run", run_id)


def note_changes(unchanged: bool) -> None:
    """Say that the settings are no longer those of the run; the place is kept free if they are.

    Without it, everything below would change its place and be built anew in the browser.
    """
    with st.container():
        if not unchanged:
            st.caption("The settings above have changed since this run was made.")


def _take_over(board: Board, run: Run, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setting = board.settings[name]
        with suppress(TypeError, ValueError):  # an imported run may hold anything
            board.set(name, setting.read(setting.write(value)))
    data = run.settings.get("data")
    if isinstance(data, str) and data != FRAME["data"] and _opens(data):
        FRAME.set("data", data)
        st.rerun()  # the sidebar already shows the data set of before


def _opens(reference: str) -> bool:
    try:
        dataset_picker.open_dataset(reference)
    except ValueError:
        return False
    return True
