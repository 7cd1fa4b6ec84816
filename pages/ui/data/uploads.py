"""Files of the visitor: bring one, take one again, choose its columns anew.

A table is kept under an id, and its reference names what was chosen of it; the choices of last time
are noted beside the file, so that it is one click away. Only its owner finds it in a list.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from anyloss_core.common.memory import size_text
from anyloss_core.data.errors import DataError
from pages.ui.base.text import literal, option
from pages.ui.data import reading, table_form
from pages.ui.data.chosen import open_dataset, reference, remember, upload_of
from pages.ui.data.table_form import Choices, Table
from pages.ui.runs import runs

Choose = Callable[[str], None]
KINDS_OF_FILES = (
    "CSV, TSV, Excel or Parquet, also in gzip or zip. The file stays on the machine that runs this "
    "app."
)
LISTED = 20  # newest tables
STAYS = "The data set chosen before stays."


def bring(choose: Choose, place: str, at_once: bool = False) -> None:
    """Take in a file; `at_once`: without a question where there is only one good answer."""
    st.caption(KINDS_OF_FILES)
    taken = f"{place}.taken"  # how many were: each gets a widget of its own, which frees the last
    key = f"{place}.file{st.session_state.get(taken) or ''}"
    file = reading.uploader("Table", reading.FILE_TYPES, key=key)
    if file is None:
        return
    table = Table(file.file_id, file.name, file.getvalue)
    with st.container(key=f"{place}_answer"):
        try:
            _form_of_new(table, choose, place, at_once)
        except DataError as refusal:
            refuse(refusal, file.name)


def _form_of_new(table: Table, choose: Choose, place: str, at_once: bool) -> None:
    tried = f"{place}.tried"
    if at_once and st.session_state.get(tried) != table.id:
        st.session_state[tried] = table.id
        if choices := table_form.obvious(table_form.seen_of(table, place)):
            _keep(table, choices, choose, place)
    choices = table_form.show(table, place)
    if choices and st.button("Use this table", type="primary", key=f"{place}.use.upload"):
        _keep(table, choices, choose, place)


def _keep(table: Table, choices: Choices, choose: Choose, place: str) -> None:
    """Keep a file that was brought, if it can be used as it was chosen."""
    assert table.content is not None
    name = table_form.seen_of(table, place, choices.get("member"))["name"]
    about = {"name": name, "file": table.name, "kind": "table"}
    upload = runs.store().save_upload(table.content(), about, runs.owner())
    taken = f"{place}.taken"
    st.session_state[taken] = st.session_state.get(taken, 0) + 1
    if not use(_named(upload, choices), choose, table.name):
        st.session_state[taken] -= 1
        runs.store().delete_upload(upload)


def yours(choose: Choose, place: str) -> None:
    """The tables that this visitor brought, newest first, each with its columns to choose."""
    listed = tables()
    names = {
        upload.id: f"{option(upload.name)} · {time.strftime('%d %b %H:%M', _when(upload))} · "
        f"{size_text(upload.path.stat().st_size)}"
        for upload in listed
    }
    now = upload_of(reference())
    first = list(names).index(now) if now in names else 0
    key = f"{place}.yours"
    picked = st.selectbox("Table", list(names), first, format_func=names.get, key=key)
    edit(picked, choose, place)


def edit(upload_id: str, choose: Choose, place: str) -> None:
    """The columns of a kept table, chosen anew."""
    from anyloss_core.data.suites.references import parse_reference

    upload = runs.store().open_upload(upload_id)
    before = reference() if upload_of(reference()) == upload_id else upload.meta.get("reference")
    chosen = parse_reference(before or f"upload:{upload_id}")
    table = Table(upload_id, str(upload.meta.get("file") or upload.name), path=str(upload.path))
    with st.container(key=f"{place}_columns"):
        try:
            known = {"member": chosen.member, **chosen.choices}
            choices = table_form.show(table, f"{place}.kept", known)
        except DataError as refusal:
            refuse(refusal, table.name)
            return
        if choices and st.button("Use this table", type="primary", key=f"{place}.use.kept"):
            use(_named(upload_id, choices), choose, table.name)


def tables() -> list[Any]:
    """The newest tables of this visitor."""
    brought = runs.store().owned_uploads(runs.owner())
    kept = [upload for upload in brought if upload.kind == "table" and upload.path.is_file()]
    return sorted(kept, key=lambda upload: -upload.used)[:LISTED]


def use(reference: str, choose: Choose, brought: str = "") -> bool:
    """Open a data set; on success it becomes the chosen one and the page begins anew."""
    try:
        remember(reference, open_dataset(reference))
    except ValueError as refusal:
        refuse(refusal, brought)
        return False
    choose(reference)
    st.rerun()


def refuse(refusal: ValueError, brought: str = "") -> None:
    """Why a data set cannot be used, under the name of the file if one was brought."""
    lines = [brought, getattr(refusal, "message", str(refusal)), getattr(refusal, "repair", "")]
    reason = "  \n".join(literal(line, 300) for line in lines if line)
    st.error(f"{reason}  \n{STAYS}", icon=":material/error:")


def _named(upload_id: str, choices: Choices) -> str:
    from anyloss_core.data.suites.references import Reference

    return str(Reference("upload", upload_id, **choices))


def _when(upload: Any) -> time.struct_time:
    return time.localtime(upload.used)
