"""What leaves the page with a result: a script that names its data, a report, the run itself."""

from dataclasses import replace

import pytest

from pages.ui.compare import take_home
from tests.pages.conftest import DATA, drawn


def test_the_script_of_a_result_is_one_click_away(open_page, made):
    page = open_page("compare", run=made)
    assert not page.code  # made when somebody asks
    page.session_state["code"] = True
    page.run()
    (script,) = [code.value for code in page.code]
    assert f"open_reference('{DATA}')" in script
    assert "losses=['anyloss:f1', 'bce', 'bce+threshold']" in script
    assert "folds=3" in script
    saved = [button.label for button in page.get("download_button")]
    assert {"Save", "Report (HTML)"} <= set(saved)


@pytest.fixture
def run(store):
    """A run on the visitor's own table."""
    upload = store.save_upload(b"a,b\n1,2\n", {"name": "of mine.csv"})
    return store.run(store.create_run("compare", {"data": f"upload:{upload}"}, queue=False))


def test_an_uploaded_table_is_called_as_the_visitor_called_it(run):
    assert take_home._file_name(run) == "of mine.csv"


def test_other_data_has_no_file(run):
    assert take_home._file_name(replace(run, settings={"data": "builtin:moons"})) is None
    gone = {"data": "upload:" + "0" * 32}
    assert take_home._file_name(replace(run, settings=gone)) is None


def code(run):
    from pages.ui.compare import take_home

    take_home._code(run)


def test_a_run_whose_data_means_nothing_has_no_script(run):
    settings = {"data": "nothing:at all", "comparison": {"losses": ["bce"]}}
    page = drawn(code, run=replace(run, settings=settings))
    assert "there is no script for it" in page.caption[0].value
    assert not page.code


def test_the_script_of_an_upload_reads_the_visitors_file(run):
    page = drawn(code, run=replace(run, settings=run.settings | {"comparison": {"folds": 4}}))
    assert "FILE = 'of mine.csv'" in page.code[0].value
    assert "folds=4" in page.code[0].value
