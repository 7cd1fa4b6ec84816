"""What leaves the page with a result: a script that names its data, a report, the run itself."""

from dataclasses import replace

import pytest

from anyloss_core.data.suites.builtin import builtin
from pages.ui.compare import take_home
from tests.pages.conftest import DATA, drawn


def test_the_script_of_a_result_is_one_click_away(open_page, made):
    page = open_page("compare", run=made)
    assert not page.code  # made when somebody asks
    page.session_state["code"] = True
    page.run()
    lines, script = (code.value for code in page.code)
    assert "al.AnyLossClassifier(metric='f1', L=" in lines
    assert f"open_reference('{DATA}')" in script
    assert "losses=['anyloss:f1', 'bce', 'bce+threshold']" in script
    assert "folds=3" in script
    saved = [button.label for button in page.get("download_button")]
    assert {"Save", "Report (HTML)"} <= set(saved)


def test_the_code_holds_the_threshold_that_was_chosen(open_page, made):
    page = open_page("compare", run=made, view="predictions", cut="bce", threshold=0.27)
    page.session_state["code"] = True
    page.run()
    lines = page.code[0].value
    assert "loss='bce'" in lines
    assert "threshold=0.27)" in lines


@pytest.fixture
def run(store):
    """A run on the visitor's own table."""
    upload = store.save_upload(b"a,b\n1,2\n", {"name": "of mine.csv"})
    return store.run(store.create_run("compare", {"data": f"upload:{upload}"}, queue=False))


def test_an_uploaded_table_is_called_as_the_visitor_called_it(run):
    assert take_home._file(run) == "of mine.csv"


def test_other_data_has_no_file(run):
    assert take_home._file(replace(run, settings={"data": "builtin:moons"})) is None
    gone = {"data": "upload:" + "0" * 32}
    assert take_home._file(replace(run, settings=gone)) is None


def test_the_name_of_the_file_keeps_its_ending(store):
    upload = store.save_upload(b"a,b\n1,2\n", {"name": "mine", "file": "mine.xlsx"})
    run = store.run(store.create_run("compare", {"data": f"upload:{upload}"}, queue=False))
    assert take_home._file(run) == "mine.xlsx"


def code(run, comparison):
    from pages.ui.compare import take_home
    from pages.ui.compare.panels import ComparisonView

    asked = ("f1", "anyloss:f1", "bce", 0.01)
    take_home._code(run, ComparisonView(*asked, comparison, "code", ("f1",)))


def test_a_run_whose_data_means_nothing_has_no_script(run, comparison):
    settings = {"data": "nothing:at all", "comparison": {"losses": ["bce"]}}
    page = drawn(code, run=replace(run, settings=settings), comparison=comparison)
    assert "there is no script for it" in page.caption[0].value
    assert not page.code


def test_the_script_of_an_upload_reads_the_visitors_file(store, comparison):
    upload = store.save_upload(builtin("moons").to_csv(), {"name": "mine", "file": "of mine.csv"})
    settings = {"data": f"upload:{upload}?target=target", "comparison": {"folds": 4}}
    run = store.run(store.create_run("compare", settings, queue=False))
    page = drawn(code, run=run, comparison=comparison)
    assert all("FILE = 'of mine.csv'" in code.value for code in page.code)
    assert "folds=4" in page.code[1].value
