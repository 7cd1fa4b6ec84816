"""Where a lesson begins on the screen: Streamlit stays where the button was."""

from pathlib import Path

import streamlit as st

_top = st.components.v2.component(
    "anyloss_lesson_top", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def begin_at_top(lesson: str) -> None:
    """Show the page from its top when this is another lesson than before."""
    _top(key="lesson.top", data={"lesson": lesson}, height=1)
