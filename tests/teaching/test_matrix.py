"""The confusion matrix in reverse: metrics and places as scikit-learn works them out."""

import numpy as np
import pytest
from sklearn import metrics

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score
from anyloss_core.teaching import matrix

COUNTS = Counts(tn=80.0, fn=3.0, fp=10.0, tp=7.0)
TRUTH = np.repeat([0, 1, 0, 1], [80, 3, 10, 7])
ANSWERS = np.repeat([0, 0, 1, 1], [80, 3, 10, 7])


def test_every_metric_is_that_of_the_rows_behind_the_counts():
    table = matrix.all_metrics(COUNTS).set_index("metric")["score"]
    assert table["f1"] == pytest.approx(metrics.f1_score(TRUTH, ANSWERS))
    assert table["mcc"] == pytest.approx(metrics.matthews_corrcoef(TRUTH, ANSWERS))
    assert table["kappa"] == pytest.approx(metrics.cohen_kappa_score(TRUTH, ANSWERS))


def test_the_places_are_rates_of_the_matrix():
    assert matrix.roc_point(COUNTS) == pytest.approx((10 / 90, 0.7))
    assert matrix.pr_point(COUNTS) == pytest.approx((0.7, 7 / 17))


def test_an_empty_matrix_has_a_place_all_the_same():
    empty = Counts(0.0, 0.0, 0.0, 0.0)
    assert matrix.roc_point(empty) == (0.0, 0.0)
    assert matrix.pr_point(empty) == (0.0, 0.0)
    rates, scores = matrix.pr_surface(get_score("f1"), empty)
    assert scores.shape == (len(rates), len(rates))
    assert np.isnan(scores).all()


@pytest.mark.parametrize("metric", ["f1", "mcc", "specificity"])
def test_both_surfaces_pass_through_the_matrix_itself(metric):
    score = get_score(metric)
    counts = Counts(tn=90.0, fn=6.0, fp=6.0, tp=6.0)  # recall and precision 1/2, on the grid
    rates, scores = matrix.pr_surface(score, counts)
    half = int(np.argmin(abs(rates - 0.5)))
    assert scores[half, half] == pytest.approx(score(counts))
    fpr, tpr = matrix.roc_point(counts)
    rates, scores = matrix.roc_surface(score, counts)
    nearest = scores[np.argmin(abs(rates - tpr)), np.argmin(abs(rates - fpr))]
    assert nearest == pytest.approx(score(counts), abs=0.05)


def test_pr_space_is_empty_where_it_would_need_more_negatives():
    counts = Counts(tn=10.0, fn=10.0, fp=0.0, tp=10.0)  # 20 positives, 10 negatives
    _, scores = matrix.pr_surface(get_score("f1"), counts)
    assert np.isnan(scores[10, -1])  # recall 1 at precision 0.2 would need 80 false alarms
    assert np.isfinite(scores[40, -1])  # at 0.8 it needs 5
