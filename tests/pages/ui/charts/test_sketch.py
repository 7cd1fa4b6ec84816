"""The field for a curve: what the browser is told of it, and what it has sent."""

from pages.ui.charts.javascript import script
from tests.pages.conftest import drawn


def field(kept=None):
    import streamlit as st

    from pages.ui.charts.sketch import sketch

    st.write(repr(sketch("curve", "Draw it", (0.0, 0.5, 1.0), 0.0, 1.0, "p")))


def test_nothing_is_drawn_at_first():
    page = drawn(field)
    assert page.markdown[0].value == "None"
    assert '"x": [0.0, 0.5, 1.0]' in page.get("bidi_component")[0].proto.json


def test_it_can_be_drawn_with_keys_as_well():
    written = script("sketch")
    for key in ("ArrowLeft", "ArrowUp", "PageDown", "Home"):
        assert key in written
