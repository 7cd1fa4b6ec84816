"""The file that ended the server for everyone, brought to a real server by a real browser."""

from __future__ import annotations

import re

from tests.browser.test_bad_uploads import STAYS, dialog, offer  # noqa: F401
from tests.nasty_files import csv_bytes
from tests.support.killing_parquet import KILLING


def test_a_killing_file_costs_its_visitor_a_sentence_and_others_nothing(dialog, browser):  # noqa: F811
    answer = offer(dialog, "01 killing.parquet", KILLING)
    assert "cannot be read" in answer
    assert STAYS in answer
    with browser.new_context() as other:  # another visitor of the same server
        page = other.new_page()
        page.goto(f"{dialog.address}/lessons")
        page.get_by_text(re.compile("Lessons")).first.wait_for()
    offer(dialog, "02 good.csv", csv_bytes())
    dialog.press("Use this table")
    dialog.see("40 rows · 3 features")
