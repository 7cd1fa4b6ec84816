"""Columns that give the answer away: the warning, and the same data without them.

It stands after the upload, in the sidebar and above the verdict of a comparison. Nothing is left
out unless somebody asks: some questions are that easy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.ui.base.text import literal

if TYPE_CHECKING:
    from anyloss_core.data.dataset import Dataset
    from pages.ui.data.table_form import Table


def warn(leaks: Mapping[str, float], then: str = "") -> None:
    """What is suspected of these columns, if there are any."""
    from anyloss_core.data.profile import leak_words

    if leaks:
        st.warning(f"{leak_words(leaks, literal)} {then}".strip(), icon=":material/warning:")


def leave_out_label(leaks: Mapping[str, float]) -> str:
    """What a button says that leaves these columns out."""
    return "Leave it out" if len(leaks) == 1 else "Leave them out"


def without(reference: str, columns: Iterable[str]) -> str | None:
    """The data of a reference less these columns; None where its columns are fixed."""
    from anyloss_core.data.suites.references import parse_reference

    left = parse_reference(reference).without(columns)
    return None if left is None else str(left)


def rest_of(reference: str, dataset: Dataset) -> str | None:
    """The data set less its leaks; None if nothing would be left, or nothing can be left out."""
    return (
        without(reference, dataset.leaks) if len(dataset.leaks) < dataset.frame.shape[1] else None
    )


def warn_of_table(table: Table, choices: Mapping[str, object]) -> None:
    """In the form of a table: what the chosen columns give away; worked out once a choice."""
    warn(
        _leaks_of(table.id, tuple(choices.items()), table, dict(choices)),
        "Leave it out unless it is known before the answer is.",
    )


@st.cache_data(show_spinner="Looking for columns that give the answer away", max_entries=8)
def _leaks_of(table_id: str, chosen: tuple, _table: Table, _choices: dict) -> dict:
    from anyloss_core.data.errors import DataError

    plain = {("sheet" if name == "member" else name): value for name, value in _choices.items()}
    try:
        return _table.read("leaks", **plain)
    except DataError:  # said when the table is used
        return {}
