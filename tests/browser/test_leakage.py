"""A table with a leak is brought: three warnings, one click, and a result without the column."""

from playwright.sync_api import expect

from tests.support.leaky_table import LEAK, leaky_csv

SAID = "alone reaches AUC 1.0000: it may be the answer in another form"


def test_a_leak_is_seen_three_times_and_left_out_with_a_click(visit, store):
    visit.open("compare", epochs=20, folds=3, losses="anyloss:f1;bce")
    visit.press("Change")
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_text("Upload", exact=True).click()
    visit.page.locator("[role=dialog] input[type=file]").set_input_files(
        {"name": "loans.csv", "mimeType": "text/csv", "buffer": leaky_csv()}
    )
    expect(dialog.get_by_text(SAID)).to_be_visible()
    visit.press("Use this table")
    sidebar = visit.page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text(SAID)).to_be_visible()
    visit.page.get_by_role("button", name="Compare", exact=True).last.click()
    visit.page.get_by_text("Mean ± standard deviation").wait_for(timeout=120_000)
    expect(visit.page.get_by_test_id("stMain").get_by_text(SAID)).to_be_visible()
    before = visit.settle().query()
    assert "drop" not in before
    visit.press("Leave it out and compare again")
    visit.page.wait_for_function(
        "before => decodeURIComponent(location.search) != before", arg=before
    )
    visit.page.get_by_text("Mean ± standard deviation").wait_for(timeout=120_000)
    visit.settle()
    assert "drop=paid back" in visit.query().replace("+", " ")
    assert SAID not in visit.text()
    assert "200 rows · 2 features" in visit.text()
    newest = store.runs()[0]
    assert newest.settings["data"].endswith("drop=paid+back")
    assert LEAK not in str(store.get_result(newest.id, "comparison")["settings"]["leaks"])
