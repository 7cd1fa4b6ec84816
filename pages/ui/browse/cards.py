"""Runs in a list: one card each, with what it was, what came out, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import pandas as pd
import streamlit as st

from anyloss_core.run_difference import setting_rows
from anyloss_core.store import Run, StoreError
from pages.ui import home_panels, navigation, runs
from pages.ui.charts import show_table
from pages.ui.plain_words import titled
from pages.ui.run_file import bundle
from pages.ui.text import STATUS_NAMES, duration, literal, option

KIND_NAMES = {
    "train": "Training",
    "compare": "Comparison",
    "sweep": "L sweep",
    "model": "Model",
    "benchmark": "Many data sets",
    "paper": "Paper",
}
PAGE_OF_KIND = home_panels.PAGE_OF_KIND | {"model": "compare"}
COLOURS = {"done": "green", "failed": "red", "cancelled": "gray", "interrupted": "orange"}


def card(run: Run, board: object) -> None:
    """One run."""
    with st.container(border=True, key=f"run:{run.id}"):
        with st.container(horizontal=True, vertical_alignment="top"):
            titled(run.title or run.kind, _facts(run))
            st.badge(STATUS_NAMES[run.status], color=COLOURS.get(run.status, "blue"))
        if words := runs.store().get_result(run.id, "headline"):
            st.text(option(words, 400))
        elif run.error:
            st.caption(literal(run.error, 300))
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            navigation.link(PAGE_OF_KIND.get(run.kind, "runs"), "Open", **_address(run))
            _settings(run)
            _marks(run, board)
            bundle(run, "Export", "tertiary")
            _steer(run)
            _delete(run)


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


def _address(run: Run) -> dict[str, str]:
    """What the link of a run holds; a model is shown beside its comparison."""
    if run.kind == "model":
        return {"run": str(run.settings.get("of", "")), "fitted": run.id}
    return {"run": run.id}


def _facts(run: Run) -> str:
    kind = KIND_NAMES.get(run.kind, option(run.kind))
    share = f", {run.share:.0%}" if run.active else ""
    brought = ", imported" if run.imported else ""
    return f"{kind}, {_when(run)}, {duration(run.seconds)}{share}{brought}"


def _when(run: Run) -> str:
    return datetime.fromtimestamp(run.created).strftime("%d %b %Y, %H:%M")


def _settings(run: Run) -> None:
    """What the run was made with, one click away."""
    popover = st.popover(
        "Settings", icon=":material/tune:", type="tertiary", key=f"set:{run.id}", on_change="rerun"
    )
    if popover.open:
        with popover:
            show_table(setting_rows(run.settings), f"set:{run.id}", "settings")


def _marks(run: Run, board: object) -> None:
    """Choose this run as one of the two to be set side by side."""
    chosen = (board["first"], board["second"])
    if run.id in chosen:
        st.button(
            "Chosen",
            icon=":material/check:",
            key=f"drop:{run.id}",
            type="tertiary",
            on_click=_drop,
            args=(board, run.id),
        )
    elif not run.active:
        st.button(
            "Compare with…",
            icon=":material/compare:",
            key=f"pick:{run.id}",
            type="tertiary",
            on_click=_choose,
            args=(board, run.id),
        )


def _choose(board: object, run_id: str) -> None:
    if run_id != board["first"]:  # a double click chooses it once
        board.set("second" if board["first"] else "first", run_id)


def _drop(board: object, run_id: str) -> None:
    left = [chosen for chosen in (board["first"], board["second"]) if chosen not in ("", run_id)]
    board.set("first", left[0] if left else "")
    board.set("second", "")


def _steer(run: Run) -> None:
    if run.active:
        st.button(
            "Stop",
            icon=":material/stop:",
            key=f"stop:{run.id}",
            type="tertiary",
            on_click=lambda: runs.store().set_control(run.id, "stop"),
        )
    elif run.resumable:
        st.button(
            "Resume",
            icon=":material/restart_alt:",
            key=f"again:{run.id}",
            type="tertiary",
            on_click=_resume,
            args=(run.id,),
        )


def _resume(run_id: str) -> None:
    runs.store().requeue(run_id)
    runs.server()


def _delete(run: Run) -> None:
    if run.active:
        return
    popover = st.popover(
        "Delete", icon=":material/delete:", type="tertiary", key=f"del:{run.id}", on_change="rerun"
    )
    if popover.open:
        with popover:
            st.markdown("Its results are gone for good.")
            st.button(
                "Delete this run",
                key=f"del.yes:{run.id}",
                type="primary",
                on_click=_really_delete,
                args=(run.id,),
            )


def _really_delete(run_id: str) -> None:
    try:
        runs.store().delete_run(run_id)
    except StoreError as refusal:
        st.session_state["runs.refusal"] = str(refusal)
