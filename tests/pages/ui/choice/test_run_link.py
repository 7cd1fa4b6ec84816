"""A page that shows a run: the id in the URL decides, and the settings follow the run."""

import pytest

from anyloss_core.comparison.job import job_settings
from anyloss_core.comparison.settings import ComparisonSettings
from pages.ui.runs import runs
from tests.pages.conftest import all_text

DATA = "builtin:moons"


@pytest.fixture
def run(open_page):
    """A run that nobody works on."""
    settings = job_settings(DATA, ComparisonSettings(losses=("bce", "mse"), folds=4, seed=7))
    return runs.store().create_run("compare", settings, "kept", queue=False)


def test_a_run_brings_its_settings_and_its_data(open_page, run):
    page = open_page("compare", run=run)
    assert page.number_input(key="compare.folds").value == 4
    assert page.number_input(key="compare.seed").value == 7
    assert page.query_params["data"] == DATA


def test_settings_that_stand_in_the_link_win(open_page, run):
    page = open_page("compare", run=run, folds=6)
    assert page.number_input(key="compare.folds").value == 6
    assert page.number_input(key="compare.seed").value == 0
    assert "data" not in page.query_params


def test_a_run_of_another_kind_is_not_shown(open_page, run):
    page = open_page("sweep", run=run)
    assert not page.exception
    assert page.number_input(key="sweep.folds").value == 5


def test_a_run_that_holds_nonsense_leaves_the_defaults(open_page):
    settings = {"data": 3, "comparison": {"folds": "many", "losses": [["x"]], "model": {}}}
    run = runs.store().create_run("compare", settings, "odd", queue=False)
    page = open_page("compare", run=run)
    assert not page.exception
    assert page.number_input(key="compare.folds").value == 10
    assert "odd" not in all_text(page)
