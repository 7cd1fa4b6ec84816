"""Above the verdict: the column that gives the answer away, and the comparison without it."""

import pytest

from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings, load_comparison
from anyloss_core.data.suites.references import Reference
from anyloss_core.jobs.jobs import run_job
from pages.ui.runs import runs
from tests.pages.conftest import all_text
from tests.support.leaky_table import LEAK, leaky_csv

SAID = f"`{LEAK}` alone reaches AUC 1.0000"
SETTINGS = ComparisonSettings(losses=("anyloss:f1", "bce"), folds=3, epochs=10, seed=4)


@pytest.fixture
def compared(open_page):
    """A finished comparison on the table with the leak."""
    store = runs.store()
    upload = store.save_upload(leaky_csv(), {"name": "loans"})
    data = str(Reference("upload", upload, target="late"))
    run_id = store.create_run("compare", job_settings(data, SETTINGS), "loans", queue=False)
    run_job(store, run_id)
    return run_id


def above(page):
    """The warnings of the page itself."""
    return [box.value for box in page.main.warning]


def test_one_click_compares_again_without_the_column(open_page, finished, compared):
    page = open_page("compare", run=compared)
    assert SAID in above(page)[0]
    page.button(key="compare.leave_out").click().run()
    page = finished(page)
    assert not page.exception
    made = runs.store().run(page.query_params["run"])
    assert made.id != compared
    assert made.settings["comparison"] == runs.store().run(compared).settings["comparison"]
    assert made.settings["data"].endswith("&drop=paid+back")
    assert page.query_params["data"] == made.settings["data"]
    assert load_comparison(runs.store(), made.id).settings["leaks"] == {}
    assert SAID not in all_text(page)


def test_a_run_of_an_earlier_version_is_looked_at_again(open_page, compared):
    store = runs.store()
    stored = store.get_result(compared, "comparison")
    del stored["settings"]["leaks"]
    store.put_result(compared, "comparison", stored)
    assert SAID in above(open_page("compare", run=compared))[0]


def test_where_columns_are_fixed_only_the_warning_stands(open_page, made):
    store = runs.store()
    stored = store.get_result(made, "comparison")
    stored["settings"]["leaks"] = {LEAK: 1.0}
    store.put_result(made, "comparison", stored)
    page = open_page("compare", run=made)
    assert SAID in above(page)[0]
    assert "compare.leave_out" not in [button.key for button in page.button]
