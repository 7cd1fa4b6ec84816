"""When something breaks: a visitor reads a sentence with an id, the log has the traceback."""

import logging

from streamlit.testing.v1 import AppTest


def broken():
    from pages.ui.base.errors import friendly

    with friendly():
        raise ZeroDivisionError("secret detail")


def refused():
    from pages.ui.base.errors import friendly

    with friendly():
        raise ValueError("L must be a positive number, got **-1**\n  use 73")


def test_a_fault_is_told_with_an_id_and_without_details(caplog):
    with caplog.at_level(logging.ERROR, "anyloss.app"):
        page = AppTest.from_function(broken).run()
    message = page.error[0].value
    number = message.split("fault `")[1].split("`")[0]
    assert not page.exception
    assert "secret" not in message
    assert number in caplog.text
    assert "ZeroDivisionError: secret detail" in caplog.text


def test_a_mistake_is_shown_as_it_was_written():
    page = AppTest.from_function(refused).run()
    assert page.warning[0].value.startswith("`L must be a positive number, got **-1**`")
