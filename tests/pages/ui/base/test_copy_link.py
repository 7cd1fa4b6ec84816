"""A link is copied with one click: tried in tests/browser/test_own_table.py."""

import json

from tests.pages.conftest import drawn


def buttons():
    from pages.ui.base.copy_link import copy_link

    copy_link("here")
    copy_link("there", "compare?run=1", "Copy this")


def test_a_button_knows_what_it_copies():
    page = drawn(buttons)
    sent = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    assert sent == [
        {"path": "", "label": "Copy link"},
        {"path": "compare?run=1", "label": "Copy this"},
    ]
