"""What goes into a fit, against scikit-learn's own scaler, weights and confusion matrix."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix
from sklearn.preprocessing import StandardScaler
from sklearn.utils import compute_sample_weight

from anyloss_core.estimator.inputs import (
    check_numbers,
    count_cells,
    location,
    row_weights,
    weighted_rows,
)

FINE = {
    "epochs": 10,
    "batch_size": None,
    "n_iter_no_change": 5,
    "lr": 0.1,
    "schedule": "linear",
    "validation_fraction": 0.1,
    "warm_up": None,
}


@pytest.fixture
def rows():
    random = np.random.default_rng(0)
    return random.normal(3, [1, 50, 0.01], (40, 3)), random.integers(0, 3, 40), random.random(40)


@pytest.mark.parametrize("weighted", [True, False])
def test_features_are_located_like_scikit_learns_scaler(rows, weighted):
    X, _, weights = rows
    weights = weights if weighted else None
    scaler = StandardScaler().fit(X, sample_weight=weights)
    mean, scale = location(X, weights)
    np.testing.assert_allclose(mean, scaler.mean_)
    np.testing.assert_allclose(scale, scaler.scale_)


def test_a_constant_feature_keeps_its_scale():
    assert location(np.full((9, 1), 0.1), None)[1].tolist() == [1.0]


@pytest.mark.parametrize("class_weight", ["balanced", {0: 1.0, 1: 2.5, 2: 0.5}])
def test_class_weights_multiply_those_of_the_rows(rows, class_weight):
    X, y, weights = rows
    plain = row_weights(X, y, None, class_weight)
    np.testing.assert_allclose(plain, compute_sample_weight(class_weight, y))
    if class_weight != "balanced":
        np.testing.assert_allclose(row_weights(X, y, weights, class_weight), plain * weights)


def test_balanced_classes_have_the_same_weight_whatever_their_rows_weigh(rows):
    X, y, weights = rows
    sums = np.bincount(y, row_weights(X, y, weights, "balanced"))
    np.testing.assert_allclose(sums, sums[0])


def test_rows_without_weight_are_left_out_and_equal_weights_are_none(rows):
    X, y, _ = rows
    weights = np.where(np.arange(40) < 30, 2.0, 0.0)
    kept, codes, left = weighted_rows(X, y, weights, np.arange(3))
    assert len(kept) == len(codes) == 30
    assert left is None
    uneven = weighted_rows(X, y, np.arange(40.0), np.arange(3))[2]
    assert uneven.mean() == pytest.approx(1.0)


def test_one_class_with_weight_is_refused_by_name():
    weights = np.array([1.0, 1.0, 0.0])
    with pytest.raises(ValueError, match=r"one class only \('a'\)"):
        weighted_rows(np.zeros((3, 1)), np.array([0, 0, 1]), weights, np.array(["a", "b"]))


def test_weights_of_nothing_are_refused(rows):
    X, y, _ = rows
    with pytest.raises(ValueError, match="zero"):
        row_weights(X, y, np.zeros(40), None)


def test_cells_are_those_of_scikit_learns_confusion_matrix(rows):
    _, y, weights = rows
    actual, predicted = y == 1, np.roll(y, 1) > 0
    (tn, fp), (fn, tp) = confusion_matrix(actual, predicted, sample_weight=weights)
    assert count_cells(actual, predicted, weights) == pytest.approx((tn, fn, fp, tp))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("epochs", 0),
        ("epochs", 2.5),
        ("batch_size", 0),
        ("n_iter_no_change", None),
        ("lr", np.inf),
        ("lr", "0.1"),
        ("validation_fraction", 1.0),
        ("warm_up", -1),
    ],
)
def test_a_number_out_of_range_is_refused_by_its_name(name, value):
    check_numbers(SimpleNamespace(**FINE))
    check_numbers(SimpleNamespace(**FINE | {"epochs": np.int64(3), "batch_size": 4, "warm_up": 2}))
    with pytest.raises(ValueError, match=rf"^{name} must"):
        check_numbers(SimpleNamespace(**FINE | {name: value}))
