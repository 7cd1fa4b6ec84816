"""The page Runs: lists, chooses two, imports, deletes, resumes."""

import pytest

from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.store.bundle import export_bundle, import_bundle
from pages.ui.runs import runs
from tests.pages.conftest import DATA, all_text, shown


def test_no_run_is_said_to_be_none(open_page):
    page = open_page("runs")
    assert not page.exception
    assert "None yet" in all_text(page)


def test_runs_are_listed_with_their_sentence(open_page, two):
    page = open_page("runs")
    assert not page.exception
    assert shown(page).index("s1") < shown(page).index("s0")
    assert any("On breast_cancer_imbalanced" in text.value for text in page.text)


def test_a_run_shows_the_settings_that_it_was_made_with(open_page, two):
    page = open_page("runs")
    page.session_state[f"set:{two[0]}"] = True
    page.run()
    rows = page.dataframe[0].value
    assert dict(rows.values.tolist())["comparison.losses"] == "bce, anyloss:f1"


@pytest.mark.parametrize("place", ["first", "second"])
def test_one_chosen_run_waits_for_another(open_page, two, place):
    page = open_page("runs", **{place: two[0]})
    assert "One run is chosen" in page.info[0].value
    page.button(key=f"pick:{two[1]}").click().run()
    assert len(page.dataframe[1].value) == 2  # the scores of both losses, side by side


def test_a_run_is_deleted_only_after_a_second_word(open_page, two):
    page = open_page("runs")
    assert len(runs.store().runs()) == 2
    page.session_state[f"del:{two[0]}"] = True
    page.run()
    page.button(key=f"del.yes:{two[0]}").click().run()
    assert [run.id for run in runs.store().runs()] == [two[1]]
    assert not page.exception


def test_an_imported_run_shows_the_same_page(open_page, two):
    content = export_bundle(runs.store(), two[0])
    again = import_bundle(runs.store(), content, owner="")
    first, second = open_page("compare", run=two[0]), open_page("compare", run=again)
    assert shown(first) == shown(second)


def test_an_interrupted_run_can_be_resumed(open_page, two, finished):
    settings = ComparisonSettings(losses=("bce",), folds=2, epochs=5)
    left = runs.store().create_run("compare", job_settings(DATA, settings), "left", queue=False)
    page = open_page("runs")
    page.button(key=f"again:{left}").click().run()
    page.query_params["run"] = left
    finished(page)
    assert runs.store().run(left).status == "done"
