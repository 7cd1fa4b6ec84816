"""A run on many data sets: what failed and why, who leads so far, all scores as files."""

import io
from dataclasses import replace

import pandas as pd
import pytest

from anyloss_core.benchmark.results import load_benchmark
from anyloss_core.benchmark.settings import BenchmarkSettings, Item, comparison_settings
from anyloss_core.benchmark.units import UnitTask, attempt
from pages.ui.many import run_panels
from pages.ui.runs import runs
from tests.pages.conftest import all_text, charts, drawn
from tests.small_suite import BAD, QUICK


def test_failed_data_sets_are_listed_with_their_reason(open_page, finished_run):
    test = open_page("many", run=finished_run)
    failed = next(f.value for f in test.dataframe if "reason" in f.value.columns)
    assert failed["dataset"].tolist() == [BAD]
    assert failed["reason"].str.len().gt(10).all()


@pytest.fixture
def half_done(visit):
    """half_done("anna") is a finished benchmark of an owner; one of its data sets has failed."""
    visit("anna", "runs")

    def make(owner, imported=False, **changes):
        items = (Item("moons", "builtin:moons"), Item("none", "builtin:none such"))
        settings = BenchmarkSettings("mine", items, comparison_settings(**QUICK))
        stored = settings.to_dict() | changes
        run_id = runs.store().keep_finished("benchmark", stored, {}, "t", owner, imported)
        done = attempt(UnitTask(items[0], settings.comparison.to_dict()))
        runs.store().put_unit(run_id, "moons", done.value)
        runs.store().put_unit(run_id, "none", status="failed", reason="no such data set")
        return run_id

    return make


def test_the_failed_ones_can_be_tried_again(visit, half_done, finished):
    mine, of_ben = half_done("anna"), half_done("ben")
    page = visit("anna", "many", run=mine)
    page.button(key="many.again").click().run()
    again = page.query_params["run"]
    assert again != mine  # which it replaces
    page = finished(page)
    assert not page.exception
    assert runs.find(mine) is None
    assert (runs.find(again).status, runs.find(again).owner) == ("done", "anna")
    assert [unit.key for unit in runs.store().units(again, "done")] == ["moons"]
    assert [unit.key for unit in runs.store().units(again, "failed")] == ["none"]
    assert runs.find(of_ben).status == "done"  # and nobody else's


FILE = {"name": "none", "reference": "file:/etc/passwd?target=x", "rows": None, "digest": ""}


@pytest.mark.parametrize(
    ("owner", "changes", "words"),
    [
        ("ben", {}, "by its owner"),
        ("anna", {"imported": True}, "where this was computed"),
        ("anna", {"imported": True, "files": True, "data": [FILE]}, "where this was computed"),
        ("anna", {"files": True}, "a page opens no files"),
    ],
)
def test_nobody_is_offered_to_try_again_what_is_not_his_or_names_files(
    visit, half_done, owner, changes, words
):
    run_id = half_done(owner, **changes)
    before = [run.id for run in runs.store().runs()]
    page = visit("anna", "many", run=run_id)
    assert words in all_text(page)
    assert "many.again" not in [button.key for button in page.button]
    benchmark = load_benchmark(runs.store(), run_id)
    run_panels._again(run_id, benchmark)  # as a click that was forged would
    assert [run.id for run in runs.store().runs()] == before


def running(run):
    from pages.ui.many import run_panels

    run_panels.while_running(run)


def test_who_leads_so_far_is_shown_while_it_runs(finished_run, store):
    run = store.run(finished_run)
    page = drawn(running, run=replace(run, status="running"))
    (chart,) = charts(page).values()
    assert chart["alt"] == "Data sets won, tied and lost so far, of 5."
    assert [box.label for box in page.expander] == ["1 data set failed"]
    assert not charts(drawn(running, run=run))  # it is over: the result says more


def test_the_file_of_scores_holds_what_the_analysis_needs(finished_run, store):
    evidence = run_panels.from_benchmark(load_benchmark(store, finished_run))
    table = pd.read_csv(io.BytesIO(run_panels._scores(evidence)))
    assert {"dataset", "loss", "metric", "score", "positive_share"} <= set(table.columns)
    assert table["dataset"].nunique() == 5
    shares = table.groupby("dataset")["positive_share"].first()
    assert shares["t0.csv"] > shares["t4.csv"]  # 2:1 and 6:1
