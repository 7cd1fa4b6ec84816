"""The page Compare: runs a real comparison, says the result, opens every view of it."""

import pytest

from tests.pages.conftest import DATA, all_text, shown


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
