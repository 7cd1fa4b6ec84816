"""Buttons: files of the right kind, and content that is only made when somebody asks."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.base import buttons


@pytest.mark.parametrize(
    ("filename", "kind"),
    [("a.csv", "text/csv"), ("report.html", "text/html"), ("m.onnx", "application/octet-stream")],
)
def test_a_file_is_sent_as_what_its_name_says(monkeypatch, filename, kind):
    seen = []
    monkeypatch.setattr(buttons.st, "download_button", lambda *given, **more: seen.append(given))
    buttons.download("Save", lambda: b"", filename, "key")
    assert seen[0][2:] == (filename, kind)


def popover():
    import streamlit as st

    from pages.ui.base.buttons import on_demand

    on_demand("Table", "table_rows", "rows", lambda: st.text("made"))


def test_what_is_closed_is_not_made():
    page = AppTest.from_function(popover, default_timeout=60).run()
    assert not page.text
    page.session_state["rows"] = True
    assert page.run().text[0].value == "made"


def start():
    import streamlit as st

    from pages.ui.base.buttons import start_button

    start_button("Go", "go", lambda number: st.session_state.update(went=number), 3)


def test_a_start_button_calls_its_function():
    page = AppTest.from_function(start, default_timeout=60).run()
    page.button(key="go").click().run()
    assert page.session_state["went"] == 3
