"""Runs in a list: one card each, with what it was, what came out, and what can be done with it."""

from collections.abc import Iterable
from datetime import datetime

import pandas as pd
import streamlit as st

from anyloss_core.export.run_difference import setting_rows
from anyloss_core.store.payload import PayloadError
from anyloss_core.store.records import MAX_TITLE
from anyloss_core.store.store import Run
from pages.ui.base.buttons import on_demand, quiet_button
from pages.ui.base.copy_link import copy_link
from pages.ui.base.plain_words import titled
from pages.ui.base.state import Board
from pages.ui.base.text import STATUS_NAMES, duration, literal, option
from pages.ui.charts.charts import show_table
from pages.ui.runs import export, kinds, runs
from pages.ui.runs.kinds import KIND_NAMES

COLOURS = {"done": "green", "failed": "red", "cancelled": "gray", "interrupted": "orange"}


def card(run: Run, board: Board) -> None:
    """One run."""
    with st.container(border=True, key=f"run:{run.id}"):
        with st.container(horizontal=True, vertical_alignment="top"):
            titled(run.title or run.kind, _facts(run))
            st.badge(STATUS_NAMES[run.status], color=COLOURS.get(run.status, "blue"))
        if run.damaged:
            st.caption("This run cannot be read: its settings are damaged. It can only be deleted.")
        elif words := _headline(run):
            st.text(option(words, 400))
        elif run.error:
            st.caption(literal(run.error, 300))
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            kinds.link(run)
            copy_link(run.id, kinds.address(run))
            on_demand("Rename", "edit", f"name:{run.id}", lambda: _rename(run))
            on_demand("Settings", "tune", f"set:{run.id}", lambda: _settings(run))
            _marks(run, board)
            export.bundle(run, "Export", "tertiary")
            _steer(run)
            if not run.active:
                on_demand("Delete", "delete", f"del:{run.id}", lambda: _delete(run))


def table(listed: list[Run]) -> pd.DataFrame:
    """All runs as rows, to sort and to download."""
    return pd.DataFrame(
        [
            {
                "Kind": KIND_NAMES.get(run.kind, run.kind),
                "Run": run.title,
                "Status": STATUS_NAMES[run.status],
                "Made": _when(run),
                "Seconds": round(run.seconds, 1),
                "Settings": "; ".join(": ".join(row) for row in _rows(run))[:500],
                "Id": run.id,
            }
            for run in listed
        ]
    )


def _rows(run: Run) -> Iterable[tuple[str, str]]:
    return setting_rows(run.settings).itertuples(index=False, name=None)


def _facts(run: Run) -> str:
    kind = KIND_NAMES.get(run.kind, option(run.kind))
    share = f", {run.share:.0%}" if run.active else ""
    brought = ", imported" if run.imported else ""
    return f"{kind}, {_when(run)}, {duration(run.seconds)}{share}{brought}"


def _when(run: Run) -> str:
    return datetime.fromtimestamp(run.created).strftime("%d %b %Y, %H:%M")


def _settings(run: Run) -> None:
    """What the run was made with."""
    show_table(setting_rows(run.settings), f"{run.id}.settings")


def _marks(run: Run, board: Board) -> None:
    """Choose this run as one of the two to be set side by side."""
    if run.id in (board["first"], board["second"]):
        quiet_button("Chosen", "check", f"drop:{run.id}", _drop, board, run.id)
    elif not run.active:
        quiet_button("Compare with…", "compare", f"pick:{run.id}", _choose, board, run.id)


def _choose(board: Board, run_id: str) -> None:
    if run_id != board["first"]:  # a double click chooses it once
        board.set("second" if board["first"] else "first", run_id)


def _drop(board: Board, run_id: str) -> None:
    left = [chosen for chosen in (board["first"], board["second"]) if chosen not in ("", run_id)]
    board.set("first", left[0] if left else "")
    board.set("second", "")


def _steer(run: Run) -> None:
    if run.active:
        quiet_button("Stop", "stop", f"stop:{run.id}", runs.ask, run.id, "stop")
    elif run.resumable:
        quiet_button("Resume", "restart_alt", f"again:{run.id}", runs.resume, run.id)


def _rename(run: Run) -> None:
    key = f"name.of:{run.id}"
    st.text_input("Name", run.title, max_chars=MAX_TITLE, key=key)
    st.button("Save", key=f"name.save:{run.id}", type="primary", on_click=_save, args=(run.id, key))


def _save(run_id: str, key: str) -> None:
    runs.rename(run_id, st.session_state[key])


def _delete(run: Run) -> None:
    st.markdown("Its results are gone for good.")
    key = f"del.yes:{run.id}"
    st.button("Delete this run", key=key, type="primary", on_click=runs.delete, args=(run.id,))


def _headline(run: Run) -> str:
    """What came out, in one sentence."""
    try:
        return str(runs.store().get_result(run.id, "headline", ""))
    except PayloadError:  # one damaged entry hides no other
        return "What came out cannot be read."
