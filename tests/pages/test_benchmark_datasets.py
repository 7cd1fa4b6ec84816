"""The page Many data sets: a suite is run, analysed, opened; scores from a file likewise."""

import pandas as pd
import pytest

from anyloss_core.benchmark.benchmark import load_benchmark, run_benchmark
from anyloss_core.benchmark.evidence import from_benchmark, score_file
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.store.store import Store
from pages.ui.runs import runs
from tests.pages.conftest import all_text
from tests.sample_jobs import wait_for
from tests.small_suite import BAD, write_suite

LOSSES = ("bce", "mse", "anyloss:f1", "anyloss:gmean")
VIEWS = ("verdict", "imbalance", "ranks", "datasets")


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return write_suite(tmp_path_factory.mktemp("many") / "suite", tables=5)


@pytest.fixture
def finished_run(suite, tmp_path):
    """A small benchmark in the store that the page will open."""
    return run_benchmark(suite, LOSSES, folds=3, epochs=15, store=Store(tmp_path)).run_id


def test_the_first_visit_says_what_a_start_would_cost(open_page):
    test = open_page("many")
    assert not test.exception
    assert "108 data sets, 5,400 models: about" in all_text(test)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_of_a_finished_run_is_shown(open_page, finished_run, view):
    test = open_page("many", run=finished_run, view=view)
    assert not test.exception
    text = all_text(test)
    assert not test.error, text
    assert "1 data set failed" in [box.label for box in test.expander]


@pytest.mark.parametrize("view", VIEWS)
def test_our_own_study_is_there_to_be_looked_at(open_page, view):
    test = open_page("many", source="kept", model="mlp", half="B", view=view)
    assert not test.exception
    assert not test.error, all_text(test)
    assert "On 54 data sets, AnyLoss" in all_text(test)


def test_failed_data_sets_are_listed_with_their_reason(open_page, finished_run):
    test = open_page("many", run=finished_run)
    failed = next(f.value for f in test.dataframe if "reason" in f.value.columns)
    assert failed["dataset"].tolist() == [BAD]
    assert failed["reason"].str.len().gt(10).all()


def test_the_rope_changes_the_verdict(open_page, finished_run):
    test = open_page("many", run=finished_run)
    before = _contests(test)
    test.button(key="many.rope:0.05").click().run()
    after = _contests(test)
    assert _setting(test, "rope") == "0.05"
    assert (after["draw"] >= before["draw"]).all()
    assert after["draw"].sum() > before["draw"].sum()
    assert (after["wins"] == before["wins"]).all()  # plain counts do not know the rope


def test_a_small_suite_of_uploads_runs_to_its_end_and_goes_on_when_started_again(
    open_page, suite, tmp_path
):
    store = Store(tmp_path)
    uploads = [
        store.save_upload((suite / name).read_bytes(), {"name": name})
        for name in ("t0.csv", "t1.csv", BAD)
    ]
    settings = {"suite": "upload", "files": ";".join(uploads), "losses": "bce;anyloss:f1"}
    test = open_page("many", epochs=10, folds=3, workers=1, **settings)
    test.button(key="many.start").click().run()
    assert not test.exception
    first = _setting(test, "run")
    wait_for(lambda: not runs.store().run(first).active, 120)
    test.run()
    assert runs.store().run(first).status == "done"
    assert len(runs.store().units(first, "done")) == 2
    test.button(key="many.start").click().run()
    assert _setting(test, "run") == first  # it is known already


def test_scores_from_a_file_get_the_same_analysis(open_page, tmp_path):
    rows = [
        (f"AER/Set{n}", loss, "f1", 0.5 + 0.02 * n + gain)
        for n in range(8)
        for loss, gain in (("bce", 0.0), ("ours", 0.04))
    ]
    table = pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])
    upload = Store(tmp_path).save_upload(table.to_csv(index=False).encode(), {"name": "s.csv"})
    test = open_page("many", source="scores", scores=upload)
    assert not test.exception
    contest = _contests(test).iloc[0]
    assert (contest["candidate"], contest["wins"], contest["losses"]) == ("ours", 8, 0)
    assert contest["candidate wins"] > 0.9


def test_the_scores_of_a_run_uploaded_again_know_their_imbalance(open_page, finished_run, tmp_path):
    scores = score_file(from_benchmark(load_benchmark(Store(tmp_path), finished_run)))
    upload = Store(tmp_path).save_upload(harmless_csv(scores), {"name": "s.csv"})
    test = open_page("many", source="scores", scores=upload, view="imbalance")
    assert not test.exception
    assert "By imbalance group" in all_text(test)
    assert "is not known" not in all_text(test)


def test_the_missing_test_is_explained(open_page):
    test = open_page("many", source="kept")
    (tests,) = [group for group in test.button_group if group.label == "Test"]
    assert "the scores of every fold" in tests.help


def test_a_wrong_file_of_scores_is_refused_in_words(open_page, tmp_path):
    upload = Store(tmp_path).save_upload(b"a,b\n1,2\n", {"name": "s.csv"})
    test = open_page("many", source="scores", scores=upload)
    assert not test.exception
    assert "dataset" in test.warning[0].value


def test_hostile_links_fall_back_to_defaults(open_page):
    test = open_page("many", suite="/etc", files="../../x", workers="1e9", rope="nan", run="zz")
    assert not test.exception
    assert "108 data sets" in all_text(test)


def _setting(test, name):
    value = test.query_params[name]
    return value if isinstance(value, str) else value[0]


def _contests(test):
    return next(f.value for f in test.dataframe if "candidate wins" in f.value.columns)
