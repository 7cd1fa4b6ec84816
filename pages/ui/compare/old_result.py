"""A result that is not of the chosen data set is dimmed, and says what it is of."""

import streamlit as st

from anyloss_core.store.store import Run
from pages.ui.base.buttons import button
from pages.ui.base.state import Board
from pages.ui.base.text import in_markdown
from pages.ui.choice import run_link
from pages.ui.data import chosen

DIMMED = "<style>.st-key-compare_result{opacity:0.45}</style>"


def note(run: Run, name: str, board: Board) -> None:
    """Of which data set the result below is, and the two ways on; nothing if it is chosen."""
    if run.settings.get("data") in (None, chosen.reference()):  # None: brought predictions
        return
    name, now = in_markdown(name), in_markdown(chosen.name())
    st.html(DIMMED)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="old"):
        st.markdown(f"This result is for **{name}**.")
        here, own = (compare_here, run, board), (chosen.choose, run.settings["data"])
        pressed = button(f"Compare on {now}", "play_arrow", "old.here", *here)
        if button(f"Back to {name}", "undo", "old.back", *own) or pressed:
            st.rerun()  # the whole page, of which the result is a fragment


def compare_here(run: Run, board: Board) -> None:
    """The same comparison on the data set that is chosen now."""
    settings = {**run.settings, "data": chosen.reference()}
    run_link.start(board, "compare", settings, f"{chosen.name()}:{run.title.partition(':')[2]}")
