"""For a class: choose controls that the page leaves out, and take the link that does so."""

import streamlit as st

from pages.ui.base.copy_link import copy_link
from pages.ui.base.frame import FRAME
from pages.ui.base.state import drawn, hidden
from pages.ui.base.text import literal, option

MENU = {"data": "Data set", "hide": "This menu"}


def show() -> None:
    """A small menu at the foot of the sidebar; call it after the page was drawn."""
    if "hide" in hidden():
        return
    names = drawn() | MENU
    with st.sidebar, st.popover("For a class", icon=":material/visibility_off:", type="tertiary"):
        st.markdown("Whoever opens the link of this page sees it without these controls.")
        FRAME.multiselect(
            "hide",
            "Left out",
            options=list(dict.fromkeys([*names, *hidden()])),
            format_func=lambda name: option(names.get(name, name)),
            placeholder="Nothing",
            on_change=_leave_out,
        )
        copy_link("class", label="Copy the link")
        st.caption(f"To see everything again, take out its part {literal('hide=…')}.")


def _leave_out() -> None:
    """Before the next run: this menu is drawn when the page has been already."""
    FRAME.set("hide", tuple(st.session_state[FRAME.key("hide")]))
