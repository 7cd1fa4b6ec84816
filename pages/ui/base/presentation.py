"""Presentation: for a projector. No sidebar, larger type, fewer words, on every page.

The switch is a setting of the frame, so ?present=1 opens any link so. The pages are then reached by
a row at the top, which Streamlit draws; what a speaker says himself is left out.
"""

import streamlit as st

from pages.ui.base.buttons import button, quiet_button
from pages.ui.base.frame import FRAME
from pages.ui.base.state import hidden, note


def is_on() -> bool:
    """Whether the page is shown to a room."""
    return FRAME["present"]


def aside(text: str) -> None:
    """A sentence for who reads alone; who listens is told."""
    if not is_on():
        st.markdown(text)


def offer_start() -> None:
    """The switch in the sidebar."""
    if "present" in hidden():
        return
    note("present", "Presentation")
    with st.sidebar:
        quiet_button("Presentation", "slideshow", "present.start", FRAME.set, "present", True)


def offer_end() -> None:
    """The way back, in the corner of the page."""
    if "present" not in hidden():
        button("End", "close_fullscreen", "present.end", FRAME.set, "present", False)
