"""Home speaks of the visitor's table, and of nothing else then."""

from anyloss_core.data.suites.references import Reference
from pages.ui.runs import runs
from tests.pages.conftest import all_text, shown
from tests.support.leaky_table import LEAK, leaky_csv


def loans(page=None):
    kept = runs.store().save_upload(leaky_csv(), {"name": "loans"}, runs.owner())
    return str(Reference("upload", kept, target="late"))


def test_the_table_is_described_with_its_leak_and_the_example_is_gone(open_page):
    open_page()
    reference = loans()
    page = open_page(data=reference)
    assert not page.exception
    text = all_text(page)
    assert "200 rows. The question: is `late`" in text
    assert f"`{LEAK}` alone reaches AUC" in text
    assert "10,000 rows, one in ten positive" not in text
    assert page.button(key="home.find").label == "Find the best loss for loans"
    page.button(key="home.leave_out").click().run()
    assert page.query_params["data"] == f"{reference}&drop=paid+back"
    assert LEAK not in " ".join(box.value for box in page.warning)


def test_the_verdict_of_the_example_is_not_shown_beside_another_table(open_page, two):
    page = open_page(data="builtin:moons", run=two[0])
    assert "On data set 1" not in shown(page)
    page.button(key="home.back").click().run()
    assert page.query_params.get("data") is None
    assert "10,000 rows, one in ten positive" in all_text(page)


def test_data_that_cannot_be_opened_leaves_the_way_to_bring_some(open_page):
    page = open_page(data="upload:" + "0" * 32)
    assert not page.exception
    assert "cannot be opened" in page.warning[0].value
    assert page.file_uploader
    assert not [button for button in page.button if button.key == "home.find"]
