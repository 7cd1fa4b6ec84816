"""Everything of this visitor deleted at once: all runs, all uploaded files; after a second word."""

from collections.abc import Callable

import streamlit as st

from pages.ui.base.buttons import on_demand
from pages.ui.base.errors import guarded
from pages.ui.runs import runs

SAID = "runs.cleaned"  # session_state: what became of the last deletion


def show() -> None:
    """Two buttons, each with a question before it acts."""
    if said := st.session_state.pop(SAID, ""):
        st.success(said)
    with st.container(horizontal=True, key="runs.clean_up"):
        on_demand("Delete all my runs", "delete_sweep", "clean.runs", _ask_runs)
        on_demand("Delete my uploads", "delete_sweep", "clean.uploads", _ask_uploads)


def _ask_runs() -> None:
    count = runs.store().count_runs(owner=runs.owner())
    st.markdown(
        f"{count:,} runs of this browser, with all their results, are gone for good. Those at work "
        "are stopped. Runs of the command line stay."
    )
    _button(f"Delete {count:,} runs", "clean.runs.yes", delete_runs, count)


def _ask_uploads() -> None:
    brought = runs.store().owned_uploads(runs.owner())
    size = sum(upload.path.stat().st_size for upload in brought if upload.path.exists())
    st.markdown(
        f"{len(brought):,} files that you brought ({size / 1e6:,.1f} MB) are gone for good. What "
        "was computed from them stays; a run that waits for one of them fails."
    )
    _button(f"Delete {len(brought):,} files", "clean.uploads.yes", delete_uploads, len(brought))


def _button(label: str, key: str, act: Callable[[], None], count: int) -> None:
    st.button(label, key=key, type="primary", on_click=act, disabled=not count)


@guarded
def delete_runs() -> None:
    """All runs of this browser."""
    left = runs.store().delete_runs(runs.owner())
    stopping = f" {left} at work are being stopped; delete them after that." if left else ""
    st.session_state[SAID] = f"Your runs are deleted.{stopping}"


@guarded
def delete_uploads() -> None:
    """All files of this browser."""
    brought = runs.store().owned_uploads(runs.owner())
    for upload in brought:
        runs.store().delete_upload(upload.id)
    st.session_state[SAID] = f"{len(brought)} uploaded files are deleted."
