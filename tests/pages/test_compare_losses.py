"""The page Compare: runs a real comparison, says the result, follows links, refuses nonsense."""

import pytest

from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.jobs.jobs import run_job
from anyloss_core.store.bundle import export_bundle, import_bundle
from anyloss_core.store.store import Store
from pages.ui.runs import runs
from tests.pages.conftest import all_text

DATA = "builtin:breast_cancer_imbalanced"
SETTINGS = ComparisonSettings(losses=("anyloss:f1", "bce", "bce+threshold"), folds=3, epochs=20)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """A finished comparison, trained once for all tests."""
    store = Store(tmp_path_factory.mktemp("bundle"))
    run_id = store.create_run("compare", job_settings(DATA, SETTINGS), "made", queue=False)
    run_job(store, run_id)
    return export_bundle(store, run_id)


@pytest.fixture
def made(open_page, bundle):
    """The finished comparison in the store of the page."""
    return import_bundle(runs.store(), bundle)


def shown(page):
    """Text with the sentence, which is written as HTML."""
    return all_text(page) + "\n".join(str(part.proto.body) for part in page.get("html"))


def test_a_comparison_is_started_and_ends_with_a_sentence(open_page, finished):
    page = open_page("compare", data=DATA, epochs=10, folds=3, losses="bce;anyloss:gmean")
    assert not page.exception
    page.button(key="compare.start").click().run()
    page = finished(page)
    assert not page.exception
    assert "On breast_cancer_imbalanced, " in shown(page)
    assert "AnyLoss-G-mean" in shown(page)
    assert page.dataframe[0].value["Loss"].tolist() == ["BCE", "AnyLoss-G-mean"]


@pytest.mark.parametrize(
    "view", ["difference", "predictions", "learning", "ranking", "probabilities", "time"]
)
def test_every_view_of_a_result_opens(open_page, made, view):
    page = open_page("compare", run=made, view=view)
    assert not page.exception
    assert not page.error
    assert "Mean ± standard deviation over 3 folds" in all_text(page)


def test_a_link_with_the_run_alone_brings_its_settings(open_page, made):
    page = open_page("compare", run=made)
    assert page.number_input(key="compare.folds").value == 3
    assert tuple(page.multiselect(key="compare.losses").value) == SETTINGS.losses
    assert DATA in page.query_params["data"]
    assert "have changed" not in all_text(page)


def test_a_changed_setting_is_said_to_differ_from_the_run(open_page, made):
    page = open_page("compare", run=made)
    page.number_input(key="compare.seed").set_value(5).run()
    assert "have changed since this run" in all_text(page)


def test_baseline_and_rope_change_the_sentence(open_page, made):
    page = open_page("compare", run=made)
    before = shown(page)
    page.selectbox(key="compare.baseline").select("bce+threshold").run()
    assert "with a tuned threshold on F1" in shown(page)
    assert shown(page) != before
    page.slider(key="compare.rope").set_value(0.2).run()
    assert "within the rope of 0.2" in all_text(page)


def test_a_formula_can_be_the_metric(open_page, made):
    page = open_page("compare", run=made, metric="TP / (TP + FP + FN)", view="predictions")
    assert not page.exception
    assert page.dataframe[0].value.columns[1] == "TP / (TP + FP + FN)"


@pytest.mark.parametrize(
    "query",
    [
        {"losses": "<script>;__import__('os')", "folds": "-5", "seed": "nan", "model": "x"},
        {"run": "../../etc/passwd", "rope": "1e99", "metric": "TP**TP**TP**9", "view": "none"},
        {"run": "0" * 32, "hidden": "9" * 500, "baseline": "''", "epochs": "1e308"},
    ],
)
def test_a_hostile_link_falls_back_to_what_is_possible(open_page, query):
    page = open_page("compare", **query)
    assert not page.exception
    assert not page.error
    assert page.number_input(key="compare.folds").value in (2, 10)


def test_a_spelling_that_means_nothing_is_explained(open_page):
    page = open_page("compare", data=DATA)
    page.multiselect(key="compare.losses").set_value(["bce", "anylos:f1"]).run()
    assert "did you mean 'anyloss'" in all_text(page)
    assert not page.exception


def test_more_folds_than_rare_rows_are_refused_with_a_way_out(open_page):
    page = open_page("compare", data="synthetic:rows=100,features=3,imbalance=9", folds=20)
    page.button(key="compare.start").click().run()
    assert "folds" in page.warning[0].value
    assert not runs.store().runs("compare")


def test_a_stopped_run_shows_what_was_trained(open_page, made):
    stored = runs.store().get_result(made, "comparison")
    stored["settings"] = stored["settings"] | {"epochs": 500}
    runs.store().put_result(made, "comparison", stored)
    assert "Stopped after 20 of 500 epochs" in all_text(open_page("compare", run=made))


def test_the_final_model_is_trained_and_offered(open_page, made, finished):
    page = open_page("compare", run=made)
    page.button(key="model.start").click().run()
    page = finished(page, "fitted")
    assert not page.exception
    assert "Model file" in [button.label for button in page.get("download_button")]
