"""All the files that nobody should bring, brought by the real widget: a word each, nothing lost."""

from __future__ import annotations

import re
import urllib.request
from pathlib import PurePath

import pytest

from pages.ui.data.reading import FILE_TYPES
from tests.nasty_files import NASTY, csv_bytes

DATA = "synthetic:rows=120,features=2,imbalance=3"
BUSY = 180_000  # milliseconds that a step may take where every core is taken
ACCEPTED = "Column to predict"
STAYS = "The data set chosen before stays."
OUTCOME = re.compile(f"{ACCEPTED}|{re.escape(STAYS)}")


def offer(visit, name, content):
    """Hand a numbered file to the open dialog and wait for the answer that names it."""
    visit.page.locator("[role=dialog] input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )
    answer = visit.page.locator("[role=dialog] .st-key-data_answer")
    answer.locator("code").filter(has_text=re.compile(f"^{name[:2]} ")).first.wait_for()
    visit.rest(quiet=0)  # the run that shows this name
    answer.get_by_text(OUTCOME).first.wait_for()  # widgets load their script when first shown
    return answer.inner_text()


def use(visit):
    """Try to use a table that could be read; what the dialog says to that."""
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Use this table").click()
    dialog.get_by_text(STAYS).wait_for()
    visit.rest(quiet=0)
    return dialog.inner_text()


def widget_takes(name):
    return PurePath(name).suffix.lower().lstrip(".") in FILE_TYPES


@pytest.fixture
def dialog(visit):
    """The upload, open over a page that shows another data set."""
    visit.page.set_default_timeout(BUSY)
    visit.open("runs", data=DATA)
    visit.press("Change")
    visit.page.get_by_role("dialog").get_by_text("Upload", exact=True).click()
    visit.page.locator("[role=dialog] input[type=file]").wait_for(state="attached")
    return visit.settle()


def test_every_bad_file_gets_a_word_and_the_old_data_stays(dialog):
    visit = dialog
    before = visit.query()
    wrong = {}
    for place, (name, file) in enumerate(NASTY.items()):
        given = f"{place:02} {file.filename}"
        if not widget_takes(given):
            given += ".csv"  # the widget itself refuses other names; the content is what counts
        answer = offer(visit, given, file.content)
        taken = ACCEPTED in answer
        if file.expected not in ("dataset", "3 classes"):
            answer = use(visit) if taken else answer
            taken = file.expected not in answer or STAYS not in answer
            wrong |= {name: answer} if taken else {}
        elif not taken:
            wrong[name] = answer
        file.__dict__.pop("content", None)  # 64 MB of zeros need not be kept
    assert not wrong
    assert visit.query() == before

    offer(visit, "99 good.csv", csv_bytes())  # all is well after that
    visit.press("Use this table")
    visit.see("40 rows · 3 features")  # its name and facts in the sidebar
    visit.linked("upload:")
    with urllib.request.urlopen(f"{visit.address}/_stcore/health", timeout=10) as health:
        assert health.status == 200


def test_a_kind_of_file_that_is_not_taken_is_refused_by_the_widget(dialog):
    dialog.page.locator("[role=dialog] input[type=file]").set_input_files(
        {"name": "table.exe", "mimeType": "application/octet-stream", "buffer": csv_bytes()}
    )
    dialog.see("not allowed")
    dialog.linked(DATA)
