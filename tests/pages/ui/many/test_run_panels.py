"""A run on many data sets: what failed and why, who leads so far, all scores as files."""

import io
from dataclasses import replace

import pandas as pd

from anyloss_core.benchmark.results import load_benchmark
from pages.ui.many import run_panels
from pages.ui.runs import runs
from tests.pages.conftest import charts, drawn
from tests.small_suite import BAD


def test_failed_data_sets_are_listed_with_their_reason(open_page, finished_run):
    test = open_page("many", run=finished_run)
    failed = next(f.value for f in test.dataframe if "reason" in f.value.columns)
    assert failed["dataset"].tolist() == [BAD]
    assert failed["reason"].str.len().gt(10).all()


def test_the_failed_ones_can_be_tried_again(open_page, finished_run, finished):
    page = open_page("many", run=finished_run)
    page.button(key="many.again").click().run()
    again = page.query_params["run"]
    assert again != finished_run  # which it replaces
    page = finished(page)
    assert not page.exception
    assert runs.find(finished_run) is None
    assert runs.find(again).status == "done"
    assert len(runs.store().units(again, "done")) == 5
    assert [unit.key for unit in runs.store().units(again, "failed")] == [BAD]


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
