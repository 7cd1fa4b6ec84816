"""ROC, precision-recall, threshold curves and reliability, against scikit-learn and by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    f1_score,
    log_loss,
    roc_auc_score,
)

from anyloss_core.comparison import probability_curves as curves


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(3)
    labels = (random.random(900) < 0.25).astype(int)
    chances = np.clip(0.45 * labels + 0.55 * random.random(900), 0, 1)
    return pd.DataFrame(
        {"row": range(900), "fold": np.arange(900) % 3, "label": labels, "a": chances}
    )


def test_the_area_is_the_mean_over_the_folds(table):
    by_fold = [roc_auc_score(rows["label"], rows["a"]) for _, rows in table.groupby("fold")]
    curve = curves.roc(table, "a")
    assert curve.area == pytest.approx(np.mean(by_fold))
    assert curve.spread == pytest.approx(np.std(by_fold, ddof=1))
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0, 0, 1, 1)
    assert len(curve.x) <= curves.POINTS


def test_calibration_brings_the_bins_to_the_diagonal(table):
    raw, better = curves.reliability(table, "a"), curves.calibrated_reliability(table, "a")
    assert raw.log_loss == pytest.approx(log_loss(table["label"], table["a"]))
    assert better.log_loss < raw.log_loss
    assert better.calibration_error < raw.calibration_error / 2


@pytest.mark.parametrize("digits", [1, 2, 15])  # with one digit, most probabilities are equal
def test_areas_are_those_of_sklearn_also_with_ties(digits):
    random = np.random.default_rng(digits)
    labels = random.permutation(np.arange(200) % 4 == 0).astype(int)
    chances = (0.3 * labels + 0.7 * random.random(200)).round(digits)
    assert curves.roc_area(labels, chances) == pytest.approx(roc_auc_score(labels, chances))
    expected = average_precision_score(labels, chances)
    assert curves.average_precision(labels, chances) == pytest.approx(expected)


def test_precision_begins_at_the_share_of_positives(table):
    curve = curves.precision_recall(table, "a")
    assert (curve.x[0], curve.x[-1]) == (1, 0)
    assert curve.y[0] == pytest.approx(table["label"].mean())


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 1.0])
def test_the_metric_at_a_threshold_is_that_of_the_predictions_above_it(table, threshold):
    found = curves.threshold_scores(table, "a", "f1", np.array([threshold]))
    by_fold = [
        f1_score(rows["label"], rows["a"] > threshold, zero_division=0)
        for _, rows in table.groupby("fold")
    ]
    assert found["mean"].item() == pytest.approx(np.mean(by_fold))


def test_reliability_is_that_of_sklearn(table):
    found = curves.reliability(table, "a")
    observed, predicted = calibration_curve(table["label"], table["a"], n_bins=10)
    assert found.observed == pytest.approx(observed)
    assert found.predicted == pytest.approx(predicted)
    assert found.brier == pytest.approx(brier_score_loss(table["label"], table["a"]))
    assert found.rows.sum() == 900


def test_certain_and_right_probabilities_are_perfectly_reliable():
    table = pd.DataFrame({"fold": 0, "label": [0, 0, 1], "a": [0.0, 0.0, 1.0]})
    found = curves.reliability(table, "a")
    assert (found.brier, found.calibration_error) == (0, 0)


def test_rows_without_a_number_are_left_out_and_none_at_all_is_refused(table):
    holes = table.assign(b=np.where(table["row"] < 300, np.nan, table["a"]), c=np.nan)
    assert curves.reliability(holes, "b").rows.sum() == 600
    with pytest.raises(ValueError, match="diverged"):
        curves.roc(holes, "c")


def test_one_class_has_no_curve():
    one = pd.DataFrame({"fold": [0, 1], "label": [1, 1], "a": [0.2, 0.9]})
    assert len(curves.roc(one, "a").x) == 0
    assert np.isnan(curves.precision_recall(one, "a").area)
