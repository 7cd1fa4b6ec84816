"""The confusion matrix in reverse: from four counts to every metric, and to its place among others.

A matrix is a point in ROC space (FPR, TPR) and one in PR space (recall, precision). As long as the
classes keep their sizes, every other point of these spaces is a matrix, too, and has a score.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import METRICS, Score, get_score
from anyloss_core.teaching.metric import SURFACE_POINTS, score_surface


def all_metrics(counts: Counts[float]) -> pd.DataFrame:
    """Every built-in metric of the matrix, with the formula it is worked out by."""
    scores = [get_score(name) for name in METRICS]
    values = [float(score(counts)) for score in scores]
    formulas = [score.text for score in scores]
    return pd.DataFrame({"metric": list(METRICS), "score": values, "formula": formulas})


def roc_point(counts: Counts[float]) -> tuple[float, float]:
    """False and true positive rate; 0 where the class is empty."""
    fpr = 1.0 - float(get_score("specificity")(counts)) if counts.tn + counts.fp else 0.0
    return fpr, float(get_score("recall")(counts))


def pr_point(counts: Counts[float]) -> tuple[float, float]:
    """Recall and precision; 0 where nothing is predicted positive."""
    return float(get_score("recall")(counts)), float(get_score("precision")(counts))


def roc_surface(score: Score, counts: Counts[float]) -> tuple[np.ndarray, np.ndarray]:
    """Rates (G,) and the score (TPR, FPR) of every matrix with as many rows of each class."""
    return score_surface(score, counts.tp + counts.fn, counts.tn + counts.fp)


def pr_surface(score: Score, counts: Counts[float]) -> tuple[np.ndarray, np.ndarray]:
    """Rates (G,) and the score (precision, recall); NaN where no such matrix exists.

    A low precision at a high recall asks for more false alarms than there are negatives.
    """
    positives, negatives = counts.tp + counts.fn, counts.tn + counts.fp
    rates = np.linspace(0.0, 1.0, SURFACE_POINTS)
    recall, precision = np.meshgrid(rates, rates)
    tp = positives * recall
    with np.errstate(divide="ignore", invalid="ignore"):
        fp = np.where(precision > 0, tp * (1 - precision) / precision, np.inf)
    possible = (fp <= negatives) & (tp > 0)
    fp = np.where(possible, fp, 0.0)
    found = score(Counts(tn=negatives - fp, fn=positives - tp, fp=fp, tp=tp))
    return rates, np.where(possible, found, np.nan)
