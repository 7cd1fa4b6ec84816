"""What held-out probabilities tell beyond one threshold: ROC, precision-recall, any metric against
the threshold, and reliability (do rows with p = 0.8 turn out positive in 80 % of cases?).

Input is the table `probabilities` of a comparison. Curves pool the held-out rows of all folds;
areas are worked out fold by fold, so that they come with a spread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import precision_recall_curve, roc_curve

from anyloss_core.confusion import Counts
from anyloss_core.scores import get_score

POINTS = 400  # of a curve that is drawn; more cannot be seen
BINS = 10  # of the reliability diagram
THRESHOLDS = np.linspace(0.0, 1.0, 101)


class Curve(NamedTuple):
    """A curve of one loss with the mean and spread of the area over the folds."""

    x: np.ndarray
    y: np.ndarray
    area: float
    spread: float


class Reliability(NamedTuple):
    """Bins of equal width: mean probability, share of positives, rows; and two summaries."""

    predicted: np.ndarray
    observed: np.ndarray
    rows: np.ndarray
    brier: float
    calibration_error: float


def roc(table: pd.DataFrame, loss: str) -> Curve:
    """False positive rate against true positive rate."""
    labels, chances, _ = _known(table, loss)
    if len(np.unique(labels)) < 2:
        return _no_curve()
    false, true, _ = roc_curve(labels, chances)
    return Curve(*_thinned(false, true), *_over_folds(table, loss, roc_area))


def precision_recall(table: pd.DataFrame, loss: str) -> Curve:
    """Recall against precision; the area is the average precision."""
    labels, chances, _ = _known(table, loss)
    if len(np.unique(labels)) < 2:
        return _no_curve()
    precision, recall, _ = precision_recall_curve(labels, chances, drop_intermediate=True)
    return Curve(*_thinned(recall, precision), *_over_folds(table, loss, average_precision))


def threshold_scores(
    table: pd.DataFrame, loss: str, metric: str, thresholds: np.ndarray = THRESHOLDS
) -> pd.DataFrame:
    """threshold, mean, std: the metric over the folds if rows above the threshold were positive."""
    score = get_score(metric)
    labels, chances, folds = _known(table, loss)
    values = np.array(
        [
            score(_counts_above(labels[folds == fold], chances[folds == fold], thresholds))
            for fold in np.unique(folds)
        ]
    )  # (folds, thresholds)
    spread = values.std(0, ddof=1) if len(values) > 1 else np.zeros(len(thresholds))
    return pd.DataFrame({"threshold": thresholds, "mean": values.mean(0), "std": spread})


def reliability(table: pd.DataFrame, loss: str, bins: int = BINS) -> Reliability:
    """How far probabilities can be taken at their word."""
    labels, chances, _ = _known(table, loss)
    place = np.minimum((chances * bins).astype(int), bins - 1)
    rows = np.bincount(place, minlength=bins)
    filled = rows > 0
    predicted = np.bincount(place, chances, bins)[filled] / rows[filled]
    observed = np.bincount(place, labels, bins)[filled] / rows[filled]
    gap = float(np.average(np.abs(predicted - observed), weights=rows[filled]))
    brier = float(np.mean((chances - labels) ** 2))
    return Reliability(predicted, observed, rows[filled], brier, gap)


def roc_area(labels: np.ndarray, chances: np.ndarray) -> float:
    """Area below the ROC curve; sklearn's function takes ten times as long on a fold."""
    true, false = _counts_from_the_top(labels, chances)
    return float(np.trapezoid(np.append(0, true), np.append(0, false)) / (true[-1] * false[-1]))


def average_precision(labels: np.ndarray, chances: np.ndarray) -> float:
    """Precision at each threshold, weighted with the recall that it adds."""
    true, false = _counts_from_the_top(labels, chances)
    return float(np.sum(np.diff(true, prepend=0) * true / (true + false)) / true[-1])


def _counts_from_the_top(labels: np.ndarray, chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """True and false positives at every threshold between different probabilities, falling."""
    order = np.argsort(-chances, kind="stable")
    last_of_equals = np.append(np.diff(chances[order]) != 0, True)
    true = np.cumsum(labels[order] == 1)[last_of_equals]
    return true, np.flatnonzero(last_of_equals) + 1 - true


def _known(table: pd.DataFrame, loss: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, probabilities and folds of the rows that have a finite probability."""
    rows = table[np.isfinite(table[loss].to_numpy(np.float64))]
    if not len(rows):
        raise ValueError(f"{loss!r} has no finite probabilities; its training diverged")
    return rows["label"].to_numpy(), rows[loss].to_numpy(np.float64), rows["fold"].to_numpy()


def _counts_above(labels: np.ndarray, chances: np.ndarray, thresholds: np.ndarray) -> Counts:
    """Confusion counts (thresholds,) of one fold."""
    positive, negative = np.sort(chances[labels == 1]), np.sort(chances[labels == 0])
    fn = np.searchsorted(positive, thresholds, side="right").astype(np.float64)
    tn = np.searchsorted(negative, thresholds, side="right").astype(np.float64)
    return Counts(tn, fn, len(negative) - tn, len(positive) - fn)


def _over_folds(table: pd.DataFrame, loss: str, area: Callable) -> tuple[float, float]:
    labels, chances, folds = _known(table, loss)
    found = [
        area(labels[folds == fold], chances[folds == fold])
        for fold in np.unique(folds)
        if len(np.unique(labels[folds == fold])) == 2
    ]
    if not found:
        return np.nan, np.nan
    return float(np.mean(found)), float(np.std(found, ddof=1)) if len(found) > 1 else 0.0


def _thinned(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most POINTS of the curve, both ends among them."""
    kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), POINTS)).round().astype(int))
    return x[kept], y[kept]


def _no_curve() -> Curve:
    return Curve(np.empty(0), np.empty(0), np.nan, np.nan)
