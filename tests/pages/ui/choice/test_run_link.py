"""A page that shows a run: the id in the URL decides, and the settings follow the run."""

import json

import pytest

from anyloss_core.comparison.job import job_settings
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.store.bundle import export_bundle, import_bundle
from pages.ui.runs import runs
from tests.live_runs import live_settings
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


@pytest.mark.parametrize(
    ("url", "kind", "settings", "events"),
    [
        ("compare", "compare", {"comparison": 5}, []),
        ("many", "benchmark", {"comparison": [1]}, []),
        ("paper", "paper", {"parts": 5}, []),
        ("train", "train", live_settings(data=DATA).to_dict(), [[None, 5]]),
        ("train", "train", live_settings(data=DATA).to_dict(), [[1, {"packed": 5}]]),
    ],
)
def test_an_imported_run_that_holds_nonsense_gives_a_sentence(
    open_page, url, kind, settings, events
):
    kept = runs.store().create_run(kind, settings, "odd", queue=False)
    runs.store().put_result(kept, "view", {"features": []})
    bundle = json.loads(export_bundle(runs.store(), kept))
    odd = import_bundle(runs.store(), json.dumps(bundle | {"events": events}).encode())
    page = open_page(url, run=odd)
    assert not page.exception
    assert "This imported run cannot be shown" in "".join(said.value for said in page.warning)
    assert "Something went wrong" not in all_text(page)


@pytest.mark.parametrize(
    ("place", "odd"),
    [
        (("results", 0, 1, "seconds"), 3.5),
        (("results", 0, 1), 5),
        (("results", 0, 1, "scores"), {"$float": "nan"}),
        (("settings", "data"), 1e-320),
        (("settings", "data"), {"ref": 5}),
    ],
)
def test_an_imported_comparison_that_holds_nonsense_gives_no_fault(open_page, bundle, place, odd):
    open_page("runs")
    content = json.loads(bundle)
    content["results"].sort(key=lambda row: row[0] != "comparison")
    inside = content
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = odd
    made = import_bundle(runs.store(), json.dumps(content).encode())
    for page in (open_page("compare", run=made), open_page("runs")):
        assert not page.exception
        assert "Something went wrong" not in all_text(page)


def test_a_headline_may_be_anything(open_page, bundle):
    open_page("runs")
    content = json.loads(bundle)
    content["results"] = [["headline", {"$array": ["<f8", [2], "AAAAAAAAAAAAAAAAAAAAAA=="]}]]
    import_bundle(runs.store(), json.dumps(content).encode())
    page = open_page("runs")
    assert not page.exception
    assert not page.warning
    assert "[0. 0.]" in all_text(page)
