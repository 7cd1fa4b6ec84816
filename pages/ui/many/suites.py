"""Which data sets a benchmark runs on: the built-in suites, the visitor's tables, OpenML."""

from pathlib import PurePosixPath
from urllib.parse import quote

import pandas as pd
import streamlit as st

from anyloss_core.benchmark.settings import Item, openml_items
from anyloss_core.common.text import distinct
from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.entries import synthetic_suite
from anyloss_core.data.suites.real_suite import LARGEST, large_suite, real_suite
from anyloss_core.store.store import StoreError
from pages.ui.base.state import Board
from pages.ui.base.text import literal
from pages.ui.charts.charts import show_table
from pages.ui.data import reading
from pages.ui.data.reading import FILE_TYPES
from pages.ui.runs import runs

SUITES = {
    "real": "Real tables",
    "large": "Large real tables",
    "synthetic": "Twins of the paper's 102",
    "upload": "My tables",
    "openml": "OpenML",
}
BUILT_IN = {"real": real_suite, "large": large_suite, "synthetic": synthetic_suite}
SLIDING = ("real", "synthetic")  # suites with small tables
SAVED = "many.saved"  # session_state: a file of the browser -> the id under which it is kept
MOST_FILES = 50


def choose(board: Board) -> tuple[Item, ...]:
    """The controls of the suite, and the data sets that they mean."""
    board.segments("suite", "Data sets", format_func=SUITES.get)
    if board["suite"] in BUILT_IN:
        return _built_in(board)
    return _uploaded(board) if board["suite"] == "upload" else _openml(board)


def label(board: Board) -> str:
    """What the chosen suite is called in lists of runs."""
    name = SUITES[board["suite"]].lower()
    limited = board["suite"] in SLIDING and board["largest"] < LARGEST
    return f"{name} up to {board['largest']:,} rows" if limited else name


def _built_in(board: Board) -> tuple[Item, ...]:
    entries = BUILT_IN[board["suite"]]()
    if board["suite"] in SLIDING:
        board.slider("largest", "At most so many rows", step=100, help="Small tables are quick.")
        entries = [e for e in entries if e.rows <= board["largest"]]
    with st.expander(f"The {len(entries)} data sets", icon=":material/list:"):
        table = [(e.name, e.title, e.rows, round(e.ratio, 1)) for e in entries]
        columns = ["Name", "Question", "Rows", "Imbalance n:1"]
        show_table(pd.DataFrame(table, columns=columns), "many.suite")
    return tuple(Item(e.name, e.reference, e.rows) for e in entries)


def _uploaded(board: Board) -> tuple[Item, ...]:
    st.caption(
        "Tables, or a zip of tables; target and positive class (the rarer one) are proposed for "
        "each. They stay on the machine that runs this app."
    )
    files = reading.uploader("Tables", FILE_TYPES, accept_multiple_files=True, key="many.tables")
    saved = st.session_state.setdefault(SAVED, {})
    for file in files[:MOST_FILES]:
        if file.file_id not in saved:
            saved[file.file_id] = runs.store().save_upload(
                file.getvalue(), {"name": file.name, "kind": "suite"}, runs.owner()
            )
    if files:
        board.set("files", tuple(saved[file.file_id] for file in files[:MOST_FILES]))
    items = [item for upload_id in board["files"] for item in _items(upload_id)]
    if items:
        st.caption(f"{len(items)} tables: " + ", ".join(literal(i.name, 40) for i in items[:12]))
    names = distinct(item.name for item in items)
    return tuple(Item(name, item.reference) for name, item in zip(names, items, strict=True))


def _items(upload_id: str) -> list[Item]:
    """The tables of one kept file."""
    try:
        upload = runs.store().open_upload(upload_id)
        name = PurePosixPath(str(upload.meta["name"])).name
        if not name.lower().endswith(".zip"):
            return [Item(name, f"upload:{upload_id}")]
        members = reading.read("anyloss_core.data.apart:members", path=str(upload.path))
    except (StoreError, DataError) as refusal:
        st.warning(literal(refusal, 300), icon=":material/info:")
        return []
    return [Item(member, f"upload:{upload_id}#{quote(member)}") for member in members]


def _openml(board: Board) -> tuple[Item, ...]:
    st.caption("Downloaded from openml.org when their turn comes, and kept. Needs the network.")
    text = board.text("openml", "Numbers or names, with commas", placeholder="31, 1464, 37")
    return openml_items(text.replace(";", ",").split(","))[:MOST_FILES]
