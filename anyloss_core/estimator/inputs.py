"""What goes into a fit: numbers in range, weights of rows and classes, the scale of features.

Features of about 1e200 or 1e-200 have no squares in float64, so they are first brought to about 1.
"""

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils import compute_class_weight
from sklearn.utils.validation import _check_sample_weight

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.spelling import SCHEDULES


def check_numbers(estimator: Any) -> None:
    """Refuse parameters out of range; what the engine refuses itself is left to it."""
    for name in ("epochs", "batch_size", "n_iter_no_change"):
        value = getattr(estimator, name)
        if value is None and name != "n_iter_no_change":
            continue
        if not isinstance(value, int | np.integer) or value < 1:
            raise ValueError(f"{name} must be a whole number above 0, got {value!r}")
    lr = estimator.lr
    if not (lr is None or (isinstance(lr, Real) and 0 < float(lr) < np.inf)):
        raise ValueError(f"lr must be a positive number or None, got {lr!r}")
    if estimator.schedule not in (None, *SCHEDULES):
        known = ", ".join(SCHEDULES)
        raise ValueError(f"schedule must be one of {known}, got {estimator.schedule!r}")
    if not 0 < estimator.validation_fraction < 1:
        got = estimator.validation_fraction
        raise ValueError(f"validation_fraction must lie between 0 and 1, got {got!r}")
    warm_up = estimator.warm_up
    if not (warm_up is None or (isinstance(warm_up, Real) and float(warm_up) >= 0)):
        raise ValueError(f"warm_up must be None or a number of epochs from 0, got {warm_up!r}")


def weighted_rows(
    X: np.ndarray, codes: np.ndarray, weights: np.ndarray | None, classes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Rows that count; weights are brought to mean 1, of which no metric takes notice."""
    if weights is not None:
        counted = weights > 0
        X, codes, weights = X[counted], codes[counted], weights[counted]
        weights = None if (weights == weights[0]).all() else weights / weights.mean()
    if len(np.unique(codes)) < 2 or len(classes) < 2:
        only = classes.tolist()[codes[0]]
        raise ValueError(
            f"y holds one class only ({only!r}); a classifier needs rows with weight of two classes"
        )
    return X, codes, weights


def sizes(X: np.ndarray) -> np.ndarray:
    """The power of two that brings each feature to about 1: dividing by it rounds nothing."""
    return np.frexp(np.abs(X).max(axis=0))[1]


def location(X: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of every feature; constant features keep their scale."""
    mean = np.average(X, axis=0, weights=weights)
    spread = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights))
    constant = spread <= 1e-12 * np.abs(mean)  # rounding of the mean is no spread
    return mean, np.where(constant, 1.0, spread)


def count_cells(actual: np.ndarray, predicted: np.ndarray, weights: np.ndarray) -> Counts:
    return Counts(*np.bincount(2 * predicted.astype(int) + actual, weights, minlength=4))


def row_weights(
    X: np.ndarray, y: np.ndarray, sample_weight: Any, class_weight: dict | str | None
) -> np.ndarray | None:
    """Sample weights times class weights; None when every row counts the same."""
    if sample_weight is not None:
        sample_weight = _check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
        if not sample_weight.any():
            raise ValueError("sample_weight is zero in every row; give weight to some rows")
    if class_weight is None:
        return sample_weight
    classes, codes = np.unique(y, return_inverse=True)
    factors = compute_class_weight(class_weight, classes=classes, y=y, sample_weight=sample_weight)
    weights = factors[codes]
    return weights if sample_weight is None else weights * sample_weight
