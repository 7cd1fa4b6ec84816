"""Home speaks of the visitor's table: what was recognised, what is odd, and the one thing to do."""

import streamlit as st

from anyloss_core.common.text import display_names
from anyloss_core.data.dataset import Dataset
from pages.ui.base import navigation
from pages.ui.base.buttons import quiet_button
from pages.ui.base.frame import DEFAULT_DATA
from pages.ui.base.text import in_markdown, literal, share
from pages.ui.data import chosen, leaks, picker, uploads


def is_chosen() -> bool:
    """Whether all pages work on something else than the example."""
    return chosen.reference() != DEFAULT_DATA


def bring() -> None:
    """Take in a table; it is used at once where its target is plain."""
    uploads.bring(chosen.choose, "home", at_once=True)


def show() -> None:
    """The chosen table, and what can be done with it."""
    dataset = chosen.current()
    if dataset is not None:
        with st.container(border=True, key="home.table"):
            _recognised(dataset)
            _do(dataset)
    with st.expander("Use another table", icon=":material/upload_file:", expanded=dataset is None):
        bring()
        quiet_button("Back to the example", "undo", "home.back", chosen.choose, DEFAULT_DATA)


def _recognised(dataset: Dataset) -> None:
    """Rows, target, positive class, columns, and what is odd about them."""
    st.header(in_markdown(dataset.name, 60), anchor=False)
    st.markdown(
        f"{dataset.rows:,} rows. The question: is {literal(dataset.target)} equal to "
        f"{literal(dataset.positive, 40)}, as it is in {dataset.positives:,} rows "
        f"({share(dataset.positives / dataset.rows)})?"
    )
    st.markdown(_columns(dataset))
    for warning in dataset.warnings:
        st.caption(in_markdown(warning, 300))
    leaks.warn(dataset.leaks, "Leave it out unless it is known before the answer is.")
    rest = leaks.rest_of(chosen.reference(), dataset)
    if dataset.leaks and rest is not None:
        words = leaks.leave_out_label(dataset.leaks)
        quiet_button(words, "visibility_off", "home.leave_out", chosen.choose, rest)


def _columns(dataset: Dataset) -> str:
    """'8 columns are learned from: ...'."""
    names = [column.name for column in dataset.used_columns]
    verb = "column is" if len(names) == 1 else "columns are"
    return f"{len(names):,} {verb} learned from: {in_markdown(display_names(names), 600)}."


def _do(dataset: Dataset) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        name = in_markdown(dataset.name, 40)
        label = f"Find the best loss for {name}"
        if st.button(label, type="primary", icon=":material/search:", key="home.find"):
            navigation.go_to("compare", run="")
        picker.edit_button("home.edit")
    st.caption("You say what you want to maximise, and the losses compete on rows held out.")
