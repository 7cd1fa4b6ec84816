"""Home with one's own table: drop it, read what was seen, find the best loss, take it again."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.nasty_files import excel_book

AMOUNT = "an amount, not a class"


@pytest.fixture(scope="module")
def rows():
    """Two numbers, an amount, a column that gives the answer away, and the answer."""
    random = np.random.default_rng(5)
    found = []
    for paid in random.random(160) < 0.25:
        first, second = random.normal(1.5 * paid, 1, 2).round(3)
        spent = round(float(random.gamma(2, 50)), 2)
        found.append([float(first), float(second), spent, int(paid) * 7 + 1, int(paid)])
    return [["income", "age", "spent", "fee code", "paid"], *found]


def as_csv(rows):
    return "\n".join(",".join(map(str, row)) for row in rows).encode()


def bring(visit, name, content):
    """Drop a file on Home."""
    visit.page.locator("[data-testid=stMain] input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def choose(visit, field, option):
    """Pick from a list of choices that stands in the page or in a dialog."""
    visit.page.get_by_role("combobox", name=re.compile(field)).first.click()
    visit.page.get_by_role("option", name=option, exact=True).click()
    return visit.rest()


def press(visit, name):
    visit.page.get_by_role("button", name=name).last.click()


def test_from_a_file_on_home_to_a_verdict_and_back(visit, new_visit, store, rows):
    visit.open()
    bring(visit, "loans.csv", as_csv(rows))
    visit.see("160 rows. The question: is")
    visit.see("alone reaches AUC")
    assert "10,000 rows, one in ten positive" not in visit.text()
    press(visit, "Leave it out")
    visit.linked("drop=fee")
    visit.settle()

    visit.press("Find the best loss for loans", exact=False)
    visit.page.wait_for_url(re.compile("/compare"))
    visit.see("160 rows")
    visit.open("compare", data=re.search("data=([^&]*)", visit.query())[1], epochs=15, folds=3)
    visit.page.get_by_role("button", name="Compare", exact=True).last.click()
    visit.page.get_by_text("over 3 folds").first.wait_for(timeout=120_000)
    visit.settle()

    # The table is there again, for its owner alone, with its columns as they were left.
    other = new_visit().open("runs")
    other.press("Change")
    assert "Your tables" not in other.page.get_by_role("dialog").inner_text()
    visit.open("runs")
    visit.press("Change")
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_text("Your tables", exact=True).click()
    dialog.get_by_text("Column to predict").wait_for()
    press(visit, "Use this table")
    visit.see("160 rows · 3 features")

    visit.press("Edit columns")
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_text("Column to predict").wait_for()
    choose(visit, "Column to predict", "spent")
    dialog.get_by_text(AMOUNT).wait_for()
    assert not dialog.get_by_role("button", name="Use this table").count()
    visit.page.keyboard.press("Escape")


def test_a_sheet_is_picked_a_run_renamed_and_its_link_copied(visit, store, rows):
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notes = [["what", "is this"], ["loans", "of 2024"]]
    visit.open()
    bring(visit, "book.xlsx", excel_book({"Notes": notes, "Loans": rows}))
    visit.see("Sheet")
    choose(visit, "Sheet", "Loans")
    visit.see("160 rows, 5 columns")
    visit.press("Use this table")
    visit.see("160 rows. The question: is").linked("#Loans")

    made = store.create_run("sweep", {}, "as it was called", owner=_owner(store), queue=False)
    visit.open("runs")
    card = visit.page.locator(f"[class*='{made}']").first
    card.get_by_role("button", name="Rename").click()
    name = visit.page.get_by_role("textbox", name="Name")
    name.fill("my best sweep")
    name.press("Enter")
    visit.rest()
    press(visit, "Save")
    visit.page.get_by_text("my best sweep").first.wait_for()
    assert store.run(made).title == "my best sweep"
    visit.page.keyboard.press("Escape")
    card.get_by_role("button", name="Copy link").click()
    expect(card.get_by_role("button", name="Copied")).to_be_visible()
    copied = visit.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == f"{visit.address}/sweep?run={made}"
    store.delete_run(made)


def _owner(store):
    """Who is at this browser: the one who brought the newest table."""
    folders = (store.home / "uploads").glob("*")
    newest = max(folders, key=lambda folder: folder.stat().st_mtime)
    return store.open_upload(newest.name).owner
