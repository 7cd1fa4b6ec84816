"""The matrix in reverse, on the page Any metric: a link sets the counts, all metrics follow."""

import pytest
from sklearn.metrics import f1_score

from tests.pages.conftest import all_text, charts


def test_a_link_opens_a_matrix_with_its_metrics_and_places(open_page):
    page = open_page("metric", metric="f1", tn=80, fp=10, fn=3, tp=7)
    assert not page.exception
    truth, answers = [0] * 90 + [1] * 10, [0] * 80 + [1] * 10 + [0] * 3 + [1] * 7
    assert f"F1 = {f1_score(truth, answers):.3f}" in all_text(page)
    assert charts(page)["matrix.roc"]["alt"].endswith("this matrix lies at 0.111 and 0.700.")
    assert charts(page)["matrix.pr"]["alt"].endswith("this matrix lies at 0.700 and 0.412.")


@pytest.mark.parametrize("counts", [{"tn": 0, "fp": 0, "fn": 0, "tp": 0}, {"tp": "x"}, {"fn": -5}])
def test_odd_counts_of_a_link_do_no_harm(counts, open_page):
    page = open_page("metric", metric="mcc", **counts)
    assert not page.exception
    assert "matrix.roc" in charts(page)


def test_a_typed_formula_is_shown_as_typed(open_page):
    page = open_page("metric", metric="formula", typed="TP / (TP + 2*FN + 3*FP)")
    assert not page.exception
    assert "`TP / (TP + 2*FN + 3*FP)` = 0.136" in all_text(page)
