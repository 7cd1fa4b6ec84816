"""A column that gives the answer away: said after the upload and in the sidebar."""

import pytest
from streamlit.testing.v1 import AppTest

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.references import Reference
from pages.ui.data import leaks
from pages.ui.runs import runs
from tests.pages.conftest import all_text
from tests.support.leaky_table import LEAK, leaky_csv, leaky_frame

SAID = f"`{LEAK}` alone reaches AUC 1.0000"


@pytest.fixture
def upload(open_page):
    """The reference of the table in the store of the page."""
    kept = runs.store().save_upload(leaky_csv(), {"name": "loans"})
    return str(Reference("upload", kept, target="late"))


def sources():
    from pages.ui.data import sources as dataset_sources

    dataset_sources.show(lambda reference: None)


def test_the_upload_says_so_and_falls_silent_when_the_column_is_left_out(open_page):
    dialog = AppTest.from_function(sources, default_timeout=60).run()
    dialog.segmented_control[0].set_value("Upload").run()
    dialog.file_uploader[0].upload("loans.csv", leaky_csv(), "text/csv").run()
    assert SAID in all_text(dialog)
    dialog.multiselect[0].set_value([LEAK]).run()
    assert not dialog.exception
    assert SAID not in all_text(dialog)


def test_the_sidebar_says_so_and_leaves_the_column_out(open_page, upload):
    page = open_page("metric", data=upload)
    assert SAID in page.sidebar.warning[0].value
    page.sidebar.button(key="data.leave_out").click().run()
    assert not page.exception
    assert page.query_params["data"] == f"{upload}&drop=paid+back"
    assert not page.sidebar.warning
    assert "200 rows · 2 features" in all_text(page)


def test_what_cannot_be_left_out_is_not_offered(upload):
    table = leaky_frame()
    only = dataset_from_frame(table[[LEAK, "late"]], "late")
    assert leaks.rest_of(upload, only) is None  # no column would be left
    more = dataset_from_frame(table, "late")
    assert leaks.rest_of(upload, more).endswith("&drop=paid+back")
    assert leaks.rest_of("builtin:moons", more) is None
