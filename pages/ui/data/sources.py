"""Where data comes from: built in, a file, a generator, the two suites, OpenML.

Each source ends in one call of `choose(reference)`; before it, the data set is really opened, so
that a bad file or number leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import streamlit as st

from anyloss_core.data.suites.builtin import BUILTIN
from anyloss_core.data.suites.synthetic import SyntheticSettings, parse_settings
from pages.ui.base.buttons import download
from pages.ui.base.state import Board
from pages.ui.data import reading, uploads
from pages.ui.data.chosen import open_dataset, reference
from pages.ui.data.uploads import Choose
from pages.ui.runs import runs

if TYPE_CHECKING:
    import pandas as pd

YOURS = "Your tables"
WHERE = "data.where"  # session_state: the data set, and the source that was looked at since


def show(choose: Choose) -> None:
    """The content of the dialog, opened where one was."""
    sources: dict[str, Callable[[Choose], None]] = {
        "Built-in": _built_in,
        "Upload": lambda choose: uploads.bring(choose, "data"),
        "Generate": _generate,
        "Suites": _suites,
        "OpenML": _openml,
    }
    if uploads.tables():
        sources[YOURS] = lambda choose: uploads.yours(choose, "data")
    chosen = st.segmented_control(
        "Source", list(sources), default=_where(sources), required=True, key="data.source"
    )
    st.session_state[WHERE] = (reference(), chosen)
    sources[chosen](choose)


def _where(sources: Collection[str]) -> str:
    """The source that was looked at last, or that of the chosen data set."""
    before, source = st.session_state.get(WHERE, (None, ""))
    if before == reference() and source in sources:
        return source
    kind = reference().partition(":")[0]
    known = {"synthetic": "Generate", "real": "Suites", "twin": "Suites", "openml": "OpenML"}
    usual = {"upload": YOURS if YOURS in sources else "Upload"}
    return (known | usual).get(kind, "Built-in")


def _now(kind: str) -> str:
    """What follows the kind in the chosen reference, if it is of this kind."""
    own, _, rest = reference().partition(":")
    return rest if own == kind else ""


def _built_in(choose: Choose) -> None:
    names = list(BUILTIN)
    now = names.index(_now("builtin")) if _now("builtin") in names else 0
    captions = list(BUILTIN.values())
    name = st.radio("Built-in data set", names, now, captions=captions, key="data.builtin")
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


def _generate(choose: Choose) -> None:
    now = _generated()
    first, second = st.columns(2)
    rows = first.slider("Rows", 100, 20_000, _within(now.rows, 100, 20_000), 100, key="data.rows")
    features = _within(now.features, 2, 50)
    features = second.slider("Features", 2, 50, features, key="data.features")
    imbalance = _within(now.imbalance, 1.0, 50.0)
    imbalance = first.slider("Imbalance n : 1", 1.0, 50.0, imbalance, 0.5, key="data.imbalance")
    apart = _within(now.separation, 0.0, 4.0)
    apart = second.slider("Separation of the classes", 0.0, 4.0, apart, 0.1, key="data.apart")
    noise = _within(now.noise, 0.0, 0.5)
    noise = first.slider("Noise: share of swapped rows", 0.0, 0.5, noise, 0.01, key="data.noise")
    clusters = _within(now.clusters, 1, 4)
    clusters = second.slider("Clouds per class", 1, 4, clusters, key="data.clusters")
    seed = st.number_input("Seed", 0, 2**31 - 1, now.seed, key="data.seed")
    settings = SyntheticSettings(rows, features, imbalance, apart, noise, clusters, seed)
    _use_button(settings.reference, choose)


def _generated() -> SyntheticSettings:
    """The settings of the chosen data set, if it was generated."""
    try:
        return parse_settings(_now("synthetic"))
    except ValueError:
        return SyntheticSettings()


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def _suites(choose: Choose) -> None:
    from anyloss_core.data.suites.entries import synthetic_suite
    from anyloss_core.data.suites.real_suite import real_suite

    suites = {"Real tables": real_suite, "Twins of the paper's 102": synthetic_suite}
    first = int(bool(_now("twin")))
    name = st.radio("Suite", list(suites), first, horizontal=True, key="data.suite")
    lines = {
        entry.reference: f"{entry.name}: {entry.title} ({entry.rows:,} rows, {entry.ratio:.1f} : 1)"
        for entry in suites[name]()
    }
    chosen = st.selectbox(
        "Data set",
        list(lines),
        list(lines).index(reference()) if reference() in lines else 0,
        format_func=lambda reference: lines[reference],
        key=f"data.entry.{name}",
    )
    _use_button(chosen, choose)


def _openml(choose: Choose) -> None:
    from anyloss_core.data.suites.references import Reference, parse_reference

    st.caption("Downloaded from openml.org when you ask for it, and kept. Needs the network.")
    now = parse_reference(reference()).what[:100] if _now("openml") else ""
    which = st.text_input("Number or name", now, placeholder="31", key="data.openml", max_chars=100)
    if which:
        _use_button(str(Reference("openml", which.strip())), choose)


def _use_button(reference: str, choose: Choose) -> None:
    if st.button("Use this data set", type="primary", key=f"data.use.{reference[:40]}"):
        uploads.use(reference, choose)


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
        about = {"name": file.name, "kind": "scores"}
        board.set("scores", runs.store().save_upload(content, about, runs.owner()))
        st.session_state[seen] = file.file_id
