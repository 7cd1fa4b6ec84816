"""Reading what visitors bring, in processes beside this server (`jobs.isolated`).

A file that kills, stalls or bloats its reader costs its visitor a sentence, and others nothing. The
reading ends when its visitor has left. What was read is kept for all visitors, bounded by bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from anyloss_core.common.byte_cache import ByteCache, size_of
from anyloss_core.common.memory import size_text
from anyloss_core.data.errors import DataError
from anyloss_core.jobs.isolated import NO_FILES, Readers, Reading
from pages.ui.base import server_start, upload_quota
from pages.ui.runs import runs

READERS = Readers(preload=("anyloss_core.data.apart",))
KEPT = ByteCache()  # data sets
RESULTS = ByteCache(500_000_000, most=48)  # what pages read of runs, and worked out from that
FILE_TYPES = ["csv", "tsv", "txt", "data", "xlsx", "parquet", "gz", "zip"]
LIMITS = (
    f"The files in all your windows may take {size_text(upload_quota.QUOTA_BYTES)} together; what "
    "is beyond that is refused (413). Then remove some, or bring fewer rows."
)

server_start.at_start(READERS.warm)
server_start.when_empty(KEPT.clear)
server_start.when_empty(RESULTS.clear)


def kept(key: Hashable, make: Callable[[], Any]) -> Any:
    """make(), remembered for all visitors as long as there is room and somebody is there."""

    def sized() -> tuple[Any, int]:
        value = make()
        return value, size_of(value)

    return RESULTS.get(key, sized)


def read(
    target: str,
    files: Mapping[str, bytes] = NO_FILES,
    /,  # the function may have arguments of the same names
    *,
    what: str = "file",
    on_progress: Callable[[float], None] | None = None,
    **arguments: Any,
) -> Any:
    """What the function `target` ('module:name') of the core returns; DataError if it cannot.

    `files` are handed over as paths, under the names of their arguments.
    """
    reading = Reading(runs.owner(), what, refusal=DataError)
    return READERS.call(
        target,
        arguments,
        files,
        reading=reading,
        on_progress=on_progress,
        on_wait=_end_with_visitor,
    )


def uploader(label: str, types: list[str], **more: Any) -> Any:
    """A file uploader whose files count against the quota of their visitor."""
    if context := get_script_run_ctx():
        upload_quota.belongs(context.session_id, runs.owner())
    files = st.file_uploader(label, types, **more)
    st.caption(LIMITS)  # what is refused shows the bare number 413 of its answer
    return files


def _end_with_visitor() -> None:
    """End the script, and with it the reading, once the visitor's window is closed."""
    context = get_script_run_ctx()
    if context and exists() and not get_instance().is_active_session(context.session_id):
        st.stop()
