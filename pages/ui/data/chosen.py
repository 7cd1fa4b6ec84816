"""The data set that all pages share: its reference in the URL, itself, and its name in the sidebar.

The URL holds a reference such as builtin:random or upload:<id>, never the data. A file or
reference that cannot be used gives a message, and never the results of other data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.ui.base.buttons import quiet_button
from pages.ui.base.frame import DEFAULT_DATA, FRAME
from pages.ui.base.plain_words import titled
from pages.ui.base.text import literal, option, share
from pages.ui.data import leaks

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from anyloss_core.data.dataset import Dataset

FACTS = "data_facts"  # session_state: reference -> what the sidebar says about it
SIDEBAR_NAME = "data_name"  # session_state: the element that says it, in this run


def current() -> Dataset | None:
    """The chosen data set; None if it cannot be opened, and the page has said so."""
    try:
        dataset = open_dataset(reference())
    except ValueError as mistake:
        # A link may name data that is not here: no other data is shown in its place.
        st.warning(
            f"The data set {literal(reference())} cannot be opened: {literal(mistake, 300)}  \n"
            "Choose another one with Change in the sidebar, or take data set 1.",
            icon=":material/info:",
        )
        st.button("Use data set 1", key="data.default", on_click=choose, args=(DEFAULT_DATA,))
        return None
    if remember(reference(), dataset) and (box := st.session_state.get(SIDEBAR_NAME)) is not None:
        show_name(box)
    return dataset


def reference() -> str:
    """The reference of the chosen data set, for the settings of a run."""
    return FRAME["data"]


def upload_of(reference: str) -> str:
    """The id of the file that a reference names; empty if it names none."""
    kind, _, rest = reference.partition(":")
    return rest.partition("?")[0].partition("#")[0] if kind == "upload" else ""


def name() -> str:
    """What the chosen data set is called, whether it was opened or not."""
    known = st.session_state.get(FACTS, {})
    return option((known.get(reference()) or _guess(reference()))[0], 40)


def choose(reference: str) -> None:
    """Make this the data set of all pages; of a visitor's table, note how it was chosen last."""
    from pages.ui.runs import runs

    FRAME.set("data", reference)
    upload_id = upload_of(reference)
    if upload_id and runs.store().open_upload(upload_id).owner == runs.owner():
        runs.store().note_upload(upload_id, reference=reference)


def open_dataset(reference: str) -> Dataset:
    """A data set by its reference; DataError if there is none.

    Built-in ones are made here. All others are read, or generated, by another process.
    """
    from anyloss_core.data.suites.builtin import builtin

    kind, _, name = str(reference).partition(":")  # an imported run may hold anything
    return builtin(name) if kind == "builtin" else _read(reference)


def _read(reference: str) -> Dataset:
    from anyloss_core.data.apart import dataset_of
    from pages.ui.data import reading
    from pages.ui.runs import runs

    uploads = str(runs.store().home / "uploads")
    if upload_id := upload_of(reference):
        _check_kept(upload_id)

    def make() -> tuple[Dataset, int]:
        with st.spinner("Reading the data"):
            parts = reading.read(
                "anyloss_core.data.apart:dataset_parts",
                what="data set",
                reference=reference,
                uploads=uploads,
            )
        dataset = dataset_of(parts)
        return dataset, int(dataset.frame.memory_usage(deep=True).sum())

    return reading.KEPT.get((reference, uploads), make)


def _check_kept(upload_id: str) -> None:
    """Refuse a file that was deleted, though the server may still remember it."""
    from anyloss_core.data.errors import DataError
    from pages.ui.runs import runs

    try:
        runs.store().open_upload(upload_id)
    except ValueError:
        raise DataError("This upload is no longer there.", "Upload the file once more.") from None


def may_show(reference: object) -> bool:
    """Whether this visitor may see the rows of a data set: those of a file are its owner's."""
    from anyloss_core.data.suites.references import parse_reference
    from pages.ui.runs import runs

    try:
        parsed = parse_reference(reference if isinstance(reference, dict) else str(reference))
        if parsed.kind != "upload":
            return True
        return runs.store().open_upload(parsed.what).owner in runs.owners()
    except ValueError:  # no reference, or a file that is gone
        return False


def opens(reference: str) -> bool:
    """Whether there is such a data set."""
    try:
        open_dataset(reference)
    except ValueError:
        return False
    return True


def remember(reference: str, dataset: Dataset) -> bool:
    """Note what the sidebar says of a data set that was opened; whether that is new."""
    known = st.session_state.setdefault(FACTS, {})
    new = reference not in known
    rest = leaks.rest_of(reference, dataset)
    known[reference] = (dataset.name, facts_of(dataset), dataset.leaks, rest)
    return new


def show_name(box: DeltaGenerator) -> None:
    """The data set in the sidebar: drawn before the page opens it, and again with its facts."""
    st.session_state[SIDEBAR_NAME] = box
    known = st.session_state.get(FACTS, {})
    name, facts, suspected, rest = known.get(reference()) or (*_guess(reference()), {}, None)
    with box.container():
        titled(option(name, 40), facts)
        leaks.warn(suspected)
        if rest is not None and suspected:
            words = leaks.leave_out_label(suspected)
            quiet_button(words, "visibility_off", "data.leave_out", choose, rest)


def _guess(reference: str) -> tuple[str, str]:
    """Name and kind, before the data set was opened."""
    kind, _, name = reference.partition(":")
    kinds = {"builtin": "built-in", "upload": "your file", "synthetic": "generated"}
    given = _given_name(upload_of(reference)) if kind == "upload" else name
    return given, kinds.get(kind, kind)


def _given_name(upload_id: str) -> str:
    """What the visitor called the file; it may be gone."""
    from pages.ui.runs import runs

    try:
        return runs.store().open_upload(upload_id).name
    except ValueError:
        return "table"


def facts_of(dataset: Dataset) -> str:
    """'768 rows · 8 features · 34.9 % positive'."""
    features = dataset.frame.shape[1]
    return (
        f"{dataset.rows:,} rows · {features} feature{'s' if features > 1 else ''} · "
        f"{share(dataset.positives / dataset.rows)} positive"
    )
