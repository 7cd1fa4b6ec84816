"""Compare in a real browser: bring a file, compare, share the link, reload, stop, browse runs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from anyloss_core.store.records import ACTIVE

DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
QUICK = {"epochs": 20, "folds": 3, "losses": "anyloss:f1;bce"}
LONG = {"data": DATA, "epochs": 5000, "folds": 20, "repeats": 10, "losses": "anyloss:f1;bce;focal"}


@pytest.fixture(scope="module")
def table():
    """A small CSV with an odd name for a class."""
    random = np.random.default_rng(5)
    labels = random.random(200) < 0.2
    lines = ["income,age,will pay"]
    for label in labels:
        income, age = random.normal(2 * label, 1, 2).round(3)
        lines.append(f"{income},{age},{'no <b>way</b>' if label else 'yes'}")
    return "\n".join(lines).encode()


def press(visit, name):
    """Click without waiting for a page that keeps redrawing itself."""
    visit.page.get_by_role("button", name=name, exact=True).last.click()


def await_text(visit, text):
    """Wait for something that has to be trained first, on a machine that may be busy."""
    visit.page.get_by_text(text).first.wait_for(timeout=120_000)


def bring(visit, name, content, kind="text/csv"):
    """Hand a file to the dialog that chooses the data."""
    visit.press("Change")
    visit.page.get_by_role("dialog").get_by_text("Upload", exact=True).click()
    visit.page.locator("[role=dialog] input[type=file]").set_input_files(
        {"name": name, "mimeType": kind, "buffer": content}
    )


def sentence(visit):
    """The result in words."""
    return visit.page.locator("p", has_text=re.compile("^On .*AnyLoss")).first.inner_text()


def run_id(visit):
    return re.search("run=([0-9a-f]{32})", visit.query())[1]


def test_upload_compare_and_share_the_link(visit, new_visit, store, table):
    visit.open("compare", **QUICK)
    bring(visit, "loans.csv", table)
    visit.see("Column to predict")
    visit.press("Use this table")
    visit.see("200 rows")
    press(visit, "Compare")
    await_text(visit, "Mean ± standard deviation over 3 folds")
    visit.settle()
    words = sentence(visit)
    assert words.startswith("On loans")
    points = visit.chart_value("difference_per_fold", "c.data[0].x")

    guest = new_visit()
    guest.open(visit.page.url.removeprefix(visit.address + "/"))
    assert sentence(guest) == words
    assert guest.chart_value("difference_per_fold", "c.data[0].x") == points
    guest.page.get_by_text("What is compared", exact=True).click()
    expect(guest.page.get_by_role("spinbutton", name="Folds")).to_have_value("3")
    assert "200 rows" in guest.text()

    guest.page.get_by_text("ROC and PR", exact=True).click()
    guest.chart("precision_recall")
    guest.linked("view=ranking")


def test_a_wrong_file_leaves_the_old_data(visit, store):
    visit.open("compare", data=DATA)
    facts = visit.see("300 rows").query()
    bring(visit, "broken.csv", b"only\none\ncolumn\n")
    visit.page.get_by_role("dialog").get_by_test_id("stAlert").first.wait_for()
    visit.page.keyboard.press("Escape")
    assert "300 rows" in visit.settle().text()
    assert visit.query() == facts


def test_reload_and_a_second_tab_keep_a_run_and_stop_keeps_its_results(visit, new_visit, store):
    visit.open("compare", **LONG)
    press(visit, "Compare")
    await_text(visit, "s left")
    started = run_id(visit)
    visit.page.reload()
    await_text(visit, "s left")
    assert run_id(visit) == started
    second = new_visit()
    second.page.goto(visit.page.url)
    await_text(second, "s left")
    assert [run.id for run in store.runs(status=ACTIVE)] == [started]
    press(visit, "Stop")
    await_text(visit, "Stopped after")
    await_text(visit, "Mean ± standard deviation over 200 folds")
    await_text(second, "Mean ± standard deviation over 200 folds")
    assert store.run(started).status == "cancelled"
    visit.settle()


def test_sweep_then_find_it_among_the_runs(visit, store):
    visit.open("sweep", data=DATA, L="5 73", epochs=10, folds=3)
    press(visit, "Sweep")
    await_text(visit, "highest mean")
    visit.chart("sweep_score")
    made = run_id(visit)
    visit.page.get_by_role("link", name="Runs").click()
    visit.see("Every run of this browser")
    card = visit.page.locator(f".st-key-run\\:{made}, [class*='{made}']").first
    card.get_by_text("F1 is highest with").wait_for()
    card.get_by_role("button", name="Delete").click()
    visit.press("Delete this run")
    assert made not in [run.id for run in store.runs()]
