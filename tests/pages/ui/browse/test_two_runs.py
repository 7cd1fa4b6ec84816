"""Two runs side by side: what differs in their settings, and in their scores."""

from dataclasses import replace

import pytest

from anyloss_core.comparison.job import load_comparison
from anyloss_core.store.bundle import export_bundle, import_bundle
from pages.ui.runs import runs
from tests.pages.conftest import all_text, drawn


def test_two_runs_stand_side_by_side(open_page, two):
    page = open_page("runs", first=two[0], second=two[1])
    gaps, scores = page.dataframe[0].value, page.dataframe[1].value
    assert gaps["setting"].tolist() == ["comparison.seed"]
    assert (scores["difference"] == scores["second"] - scores["first"]).all()
    assert len(scores) == 2


def side_by_side(first, second):
    from pages.ui.base.settings import Text
    from pages.ui.base.state import Board
    from pages.ui.browse import two_runs

    two_runs.show(first, second, Board("runs", Text("metric", "accuracy")).open())


def test_the_second_minus_the_first_is_shown_for_the_chosen_metric(two):
    first, second = (runs.store().run(run_id) for run_id in two)
    page = drawn(side_by_side, first=second, second=first)
    assert page.selectbox[0].value == "accuracy"
    scores = page.dataframe[1].value
    assert scores.iloc[:, 0].tolist() == ["BCE", "AnyLoss-F1"]
    for column, run_id in (("first", two[1]), ("second", two[0])):
        means = load_comparison(runs.store(), run_id).summary()["accuracy"]
        assert scores[column].tolist() == pytest.approx(means.tolist())
    assert scores["difference"].tolist() == (scores["second"] - scores["first"]).tolist()
    assert scores["difference"].abs().max() > 0


def test_the_same_run_twice_has_no_setting_that_differs(two):
    run = runs.store().run(two[0])
    page = drawn(side_by_side, first=run, second=run)
    assert "Both runs have the same settings." in all_text(page)
    assert (page.dataframe[0].value["difference"] == 0).all()


def test_runs_of_other_kinds_have_no_scores_in_common(two):
    run = runs.store().run(two[0])
    page = drawn(side_by_side, first=run, second=replace(run, kind="sweep"))
    assert "Both runs have the same settings." in all_text(page)
    assert "has no result" not in all_text(page)  # none was asked for
    assert not page.selectbox


def test_an_imported_run_that_holds_nonsense_leaves_the_list(open_page, two):
    bundle = export_bundle(runs.store(), two[0]).decode()
    odd = import_bundle(runs.store(), bundle.replace('"loss",', '"lost",').encode())
    page = open_page("runs", first=odd, second=two[1])
    assert "This imported run cannot be shown" in "".join(said.value for said in page.warning)
    assert "Something went wrong" not in all_text(page)
    assert f"drop:{odd}" in [button.key for button in page.button]  # its card in the list
    assert "runs.close" in [button.key for button in page.button]


def test_a_run_without_a_result_is_said_to_have_none(two):
    done = runs.store().run(two[0])
    left = runs.store().run(runs.store().create_run("compare", done.settings, queue=False))
    page = drawn(side_by_side, first=done, second=left)
    assert "One of the two has no result." in all_text(page)
    assert not page.dataframe
