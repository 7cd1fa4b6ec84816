"""Where data comes from: built in, a file, a generator, the two suites, OpenML.

Each source ends in one call of `choose(reference)`; before it, the data set is really opened, so
that a bad file or number leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.builtin import BUILTIN
from anyloss_core.data.suites.references import Reference
from anyloss_core.data.suites.synthetic import SyntheticSettings
from anyloss_core.data.target import minority
from pages.ui.base.buttons import download
from pages.ui.base.state import Board
from pages.ui.base.text import literal, option
from pages.ui.charts.charts import readable
from pages.ui.data import leaks, reading
from pages.ui.data.chosen import open_dataset, remember
from pages.ui.runs import runs

if TYPE_CHECKING:
    import pandas as pd
    from streamlit.runtime.uploaded_file_manager import UploadedFile

Choose = Callable[[str], None]
FILE_TYPES = ["csv", "tsv", "txt", "data", "xlsx", "parquet", "gz", "zip"]


def show(choose: Choose) -> None:
    """The content of the dialog."""
    sources = {
        "Built-in": _built_in,
        "Upload": _upload,
        "Generate": _generate,
        "Suites": _suites,
        "OpenML": _openml,
    }
    chosen = st.segmented_control(
        "Source", list(sources), default="Built-in", required=True, key="data.source"
    )
    sources[chosen](choose)


def _built_in(choose: Choose) -> None:
    name = st.radio(
        "Built-in data set", list(BUILTIN), captions=list(BUILTIN.values()), key="data.builtin"
    )
    with st.container(horizontal=True):
        _use_button(f"builtin:{name}", choose)
        csv_download(name, "Download as CSV", "data.csv")


def csv_download(name: str, label: str, group: str) -> None:
    """A button that saves a built-in data set as CSV, to try the upload with.

    `group` tells it from the same button elsewhere on the page: the dialog opens over Home.
    """
    download(
        label, lambda: open_dataset(f"builtin:{name}").to_csv(), f"{name}.csv", f"{group}.{name}"
    )


def _upload(choose: Choose) -> None:
    st.caption(
        "CSV, TSV, Excel or Parquet, also in gzip or zip. The file stays on the machine that "
        "runs this app."
    )
    file = reading.uploader("Table", FILE_TYPES, key="data.file")
    if file is None:
        return
    with st.container(key="data_answer"):
        _upload_form(file, choose)


def _upload_form(file: UploadedFile, choose: Choose) -> None:
    """What was read from the file, and what to do with it; the answer names the file."""
    try:
        seen = _read_once(file)
    except DataError as refusal:
        _refuse(refusal, file.name)
        return
    st.caption(f"{literal(file.name)}: {seen['rows']:,} rows, {len(seen['columns']):,} columns")
    for note in seen["notes"]:
        st.caption(literal(note, 300))
    choices = _columns_form(seen)
    leaks.warn_of_upload(file, choices)
    if st.button("Use this table", type="primary", key="data.use.upload"):
        upload = runs.store().save_upload(file.getvalue(), {"name": seen["name"]}, runs.owner())
        if not _use(str(Reference("upload", upload, **choices)), choose, file.name):
            runs.store().delete_upload(upload)


def _read_once(file: UploadedFile) -> dict[str, Any]:
    """What the form shows of an uploaded file, read once for all reruns of the dialog."""
    kept = st.session_state.get("data.seen")
    if kept is None or kept[0] != file.file_id:
        bar = st.progress(0.0, "Reading")
        try:
            seen = reading.read(
                "anyloss_core.data.apart:look",
                {"path": file.getvalue()},
                on_progress=lambda share: bar.progress(share, "Reading"),
                name=file.name,
            )
        finally:
            bar.empty()
        kept = (file.file_id, seen)
        st.session_state["data.seen"] = kept
    return kept[1]


def _columns_form(seen: dict[str, Any]) -> dict[str, object]:
    """Target, positive class and columns to leave out."""
    candidates = list(seen["classes"])
    target = st.selectbox("Column to predict", candidates, format_func=option, key="data.target")
    classes = seen["classes"][target]
    rarest = list(classes).index(minority(classes))
    positive = st.selectbox(
        "Positive class (1); every other value is 0",
        list(classes),
        index=rarest,
        format_func=lambda name: f"{option(name)} ({classes[name]:,} rows)",
        key=f"data.positive.{target}",
    )
    others = [name for name in seen["columns"] if name != target]
    drop = st.multiselect(
        "Leave out", others, format_func=option, key=f"data.drop.{target}", placeholder="No column"
    )
    st.dataframe(readable(seen["head"]), hide_index=True, key="data.preview")
    return {"target": target, "positive": positive, "drop": tuple(drop)}


def _generate(choose: Choose) -> None:
    first, second = st.columns(2)
    rows = first.slider("Rows", 100, 20_000, 1_000, 100, key="data.rows")
    features = second.slider("Features", 2, 50, 5, key="data.features")
    imbalance = first.slider("Imbalance n : 1", 1.0, 50.0, 9.0, 0.5, key="data.imbalance")
    separation = second.slider("Separation of the classes", 0.0, 4.0, 1.0, 0.1, key="data.apart")
    noise = first.slider("Noise: share of swapped rows", 0.0, 0.5, 0.02, 0.01, key="data.noise")
    clusters = second.slider("Clouds per class", 1, 4, 1, key="data.clusters")
    seed = st.number_input("Seed", 0, 2**31 - 1, 0, key="data.seed")
    settings = SyntheticSettings(rows, features, imbalance, separation, noise, clusters, seed)
    _use_button(settings.reference, choose)


def _suites(choose: Choose) -> None:
    from anyloss_core.data.suites.entries import synthetic_suite
    from anyloss_core.data.suites.real_suite import real_suite

    suites = {"Real tables": real_suite, "Twins of the paper's 102": synthetic_suite}
    name = st.radio("Suite", list(suites), horizontal=True, key="data.suite")
    lines = {
        entry.reference: f"{entry.name}: {entry.title} ({entry.rows:,} rows, {entry.ratio:.1f} : 1)"
        for entry in suites[name]()
    }
    reference = st.selectbox(
        "Data set",
        list(lines),
        format_func=lambda reference: lines[reference],
        key=f"data.entry.{name}",
    )
    _use_button(reference, choose)


def _openml(choose: Choose) -> None:
    st.caption("Downloaded from openml.org when you ask for it, and kept. Needs the network.")
    which = st.text_input("Number or name", placeholder="31", key="data.openml", max_chars=100)
    if which:
        _use_button(str(Reference("openml", which.strip())), choose)


def _use_button(reference: str, choose: Choose) -> None:
    if st.button("Use this data set", type="primary", key=f"data.use.{reference[:40]}"):
        _use(reference, choose)


def _use(reference: str, choose: Choose, brought: str = "") -> bool:
    """Open the data set; on success it becomes the chosen one and the dialog closes."""
    try:
        remember(reference, open_dataset(reference))
    except ValueError as refusal:
        _refuse(refusal, brought)
        return False
    choose(reference)
    st.rerun()


def _refuse(refusal: ValueError, brought: str = "") -> None:
    """Why a data set cannot be used, under the name of the file if one was brought."""
    lines = [brought, getattr(refusal, "message", str(refusal)), getattr(refusal, "repair", "")]
    reason = "  \n".join(literal(line, 300) for line in lines if line)
    st.error(f"{reason}  \nThe data set chosen before stays.", icon=":material/error:")


def brought_scores(upload_id: str) -> tuple[pd.DataFrame, dict[str, float]]:
    """A kept file of scores: its rows, and the share of positive rows of each data set."""
    path = runs.store().open_upload(upload_id).path

    def make() -> tuple[Any, int]:
        read = reading.read("anyloss_core.paper.many:read_brought", path=str(path))
        return read, int(read["scores"].memory_usage(deep=True).sum())

    read = reading.KEPT.get(("scores", str(path)), make)
    return read["scores"], read["shares"]


def keep_scores(board: Board, label: str, **more: str) -> None:
    """Take in a CSV of scores; its id is the board's setting 'scores'."""
    file = reading.uploader(label, ["csv"], key=f"{board.page}.scores_file", **more)
    seen = f"{board.page}.scores_seen"
    if file is not None and st.session_state.get(seen) != file.file_id:
        content = file.getvalue()
        # What cannot be used is refused before it is kept.
        reading.read("anyloss_core.paper.many:read_brought", {"path": content})
        board.set("scores", runs.store().save_upload(content, {"name": file.name}, runs.owner()))
        st.session_state[seen] = file.file_id
