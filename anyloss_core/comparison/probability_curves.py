"""What held-out scores tell beyond one threshold: ROC, precision-recall, any metric against the
threshold, and reliability (do rows with p = 0.8 turn out positive in 80 % of cases?).

Input is the table `probabilities` of a comparison. Curves pool the held-out rows of all folds;
areas are worked out fold by fold, so that they come with a spread.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import (
    confusion_matrix_at_thresholds,
    log_loss,
    precision_recall_curve,
    roc_curve,
)

from anyloss_core.comparison.calibration import calibrated
from anyloss_core.comparison.thresholds import counts_above
from anyloss_core.losses.scores import get_score

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
    """Bins of equal width: mean score, share of positives, rows; and three summaries."""

    predicted: np.ndarray
    observed: np.ndarray
    rows: np.ndarray
    brier: float
    calibration_error: float
    log_loss: float


def roc(table: pd.DataFrame, loss: str) -> Curve:
    """False positive rate against true positive rate."""
    return _curve(table, loss, lambda *rows: roc_curve(*rows)[:2], roc_area)


def precision_recall(table: pd.DataFrame, loss: str) -> Curve:
    """Recall against precision; the area is the average precision."""

    def points(*rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        precision, recall, _ = precision_recall_curve(*rows, drop_intermediate=True)
        return recall, precision

    return _curve(table, loss, points, average_precision)


def threshold_scores(
    table: pd.DataFrame, loss: str, metric: str, thresholds: np.ndarray = THRESHOLDS
) -> pd.DataFrame:
    """threshold, mean, std: the metric over the folds if rows above the threshold were positive."""
    score = get_score(metric)
    labels, chances, folds = _known(table, loss)
    values = np.array(
        [
            score(counts_above(labels[folds == fold], chances[folds == fold], thresholds))
            for fold in np.unique(folds)
        ]
    )  # (folds, thresholds)
    spread = values.std(0, ddof=1) if len(values) > 1 else np.zeros(len(thresholds))
    return pd.DataFrame({"threshold": thresholds, "mean": values.mean(0), "std": spread})


def reliability(table: pd.DataFrame, loss: str, bins: int = BINS) -> Reliability:
    """How far scores can be taken for probabilities."""
    labels, chances, _ = _known(table, loss)
    bin_of = np.minimum((chances * bins).astype(int), bins - 1)
    rows = np.bincount(bin_of, minlength=bins)
    filled = rows > 0
    predicted = np.bincount(bin_of, chances, bins)[filled] / rows[filled]
    observed = np.bincount(bin_of, labels, bins)[filled] / rows[filled]
    gap = float(np.average(np.abs(predicted - observed), weights=rows[filled]))
    brier = float(np.mean((chances - labels) ** 2))
    surprise = float(log_loss(labels, chances, labels=[0, 1]))
    return Reliability(predicted, observed, rows[filled], brier, gap, surprise)


def calibrated_reliability(table: pd.DataFrame, loss: str) -> Reliability:
    """The same for the calibrated scores, each fold calibrated by the others."""
    return reliability(calibrated(table, loss), loss)


def roc_area(labels: np.ndarray, chances: np.ndarray) -> float:
    """Area below the ROC curve; sklearn's function takes four times as long on a fold."""
    _, false, _, true, _ = confusion_matrix_at_thresholds(labels, chances, pos_label=1)
    return float(np.trapezoid(np.append(0, true), np.append(0, false)) / (true[-1] * false[-1]))


def average_precision(labels: np.ndarray, chances: np.ndarray) -> float:
    """Precision at each threshold, weighted with the recall that it adds."""
    _, false, _, true, _ = confusion_matrix_at_thresholds(labels, chances, pos_label=1)
    return float(np.sum(np.diff(true, prepend=0) * true / (true + false)) / true[-1])


def _known(table: pd.DataFrame, loss: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, probabilities and folds of the rows that have a finite probability."""
    rows = table[np.isfinite(table[loss].to_numpy(np.float64))]
    if not len(rows):
        raise ValueError(f"{loss!r} has no finite probabilities; its training diverged")
    return rows["label"].to_numpy(), rows[loss].to_numpy(np.float64), rows["fold"].to_numpy()


def _curve(table: pd.DataFrame, loss: str, points: Callable, area: Callable) -> Curve:
    """At most POINTS of the curve, both ends among them; nothing if there is one class only."""
    labels, chances, folds = _known(table, loss)
    if len(np.unique(labels)) < 2:
        return Curve(np.empty(0), np.empty(0), np.nan, np.nan)
    x, y = points(labels, chances)
    kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), POINTS)).round().astype(int))
    found = [
        area(labels[folds == fold], chances[folds == fold])
        for fold in np.unique(folds)
        if len(np.unique(labels[folds == fold])) == 2
    ]
    areas = pd.Series(found, dtype=np.float64)  # mean and spread of none are not numbers
    spread = 0.0 if len(areas) == 1 else float(areas.std())
    return Curve(x[kept], y[kept], float(areas.mean()), spread)
