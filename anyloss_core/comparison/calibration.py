"""From scores to probabilities: a curve, fitted on rows that the models behind them have not seen.

A loss that aims at a metric gives scores in [0, 1] whose only meaning is the side of the cut they
lie on: rows with a score of 0.9 are not positive in 90 % of cases. `fit_calibration` learns from
held-out scores how often such rows are positive: with isotonic regression where there are rows
enough for its steps, with Platt's sigmoid of the logit below (both as scikit-learn's
CalibratedClassifierCV fits them). The order of the rows and the decision stay what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit

ISOTONIC_ROWS = 1_000  # below, isotonic regression overfits (scikit-learn's advice)
FARTHEST = 1e-12  # scores this near to 0 or 1 have no larger logit
METHODS = ("isotonic", "sigmoid")


@dataclass(frozen=True)
class Calibration:
    """P(positive) as a function of the score."""

    method: str
    # isotonic: (score, P) of every knot, joined by straight lines; sigmoid: one pair, the slope and
    # the intercept of the logit
    pairs: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        table = np.array(self.pairs, dtype=np.float64)  # (knots, 2)
        if self.method not in METHODS or table.ndim != 2 or not np.isfinite(table).all():
            raise ValueError(f"no calibration of the kind {self.method!r:.40} with these numbers")
        inside = table.min() >= 0 and table.max() <= 1
        if self.method == "isotonic" and not (inside and (np.diff(table, axis=0) >= 0).all()):
            raise ValueError("the knots of a calibration must rise within [0, 1]")

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        """The probabilities of scores, in their shape."""
        if self.method == "isotonic":
            return np.interp(scores, *np.array(self.pairs).T)
        slope, intercept = self.pairs[0]
        return expit(slope * _logit(scores) + intercept)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Calibration:
        """Inverse of dataclasses.asdict, from what JSON has made of it."""
        pairs = tuple((float(score), float(share)) for score, share in stored["pairs"])
        return cls(str(stored["method"]), pairs)


def fit_calibration(labels: np.ndarray, scores: np.ndarray) -> Calibration:
    """Learn from held-out scores (rows,) and their labels; rows without a score are left out."""
    known = np.isfinite(scores)
    labels, scores = labels[known], scores[known]
    if len(np.unique(labels)) < 2:
        raise ValueError("calibration needs held-out scores of both classes; the training diverged")
    fit = _isotonic if len(labels) >= ISOTONIC_ROWS else _sigmoid
    return fit(labels, scores)


def calibrated(table: pd.DataFrame, loss: str) -> pd.DataFrame:
    """The table `probabilities` of a comparison with the calibrated scores of one loss.

    Each fold is calibrated by the held-out rows of the others, so that no row has a say in its own
    probability.
    """
    found = table[["row", "fold", "label", loss]].copy()
    scores, labels = found[loss].to_numpy(np.float64), found["label"].to_numpy()
    out = np.full(len(found), np.nan)
    for fold in found["fold"].unique():
        here = (found["fold"] == fold).to_numpy()
        others = ~found["row"].isin(found["row"][here]).to_numpy()  # repeats hold a row again
        out[here] = fit_calibration(labels[others], scores[others])(scores[here])
    return found.assign(**{loss: out})


def _isotonic(labels: np.ndarray, scores: np.ndarray) -> Calibration:
    from sklearn.isotonic import IsotonicRegression

    # Half a row of each class more at either end: the last steps are often few rows, never certain.
    ends = np.repeat([scores.min(), scores.max()], 2)
    weights = np.append(np.ones(len(labels)), np.full(4, 0.5))
    fitted = IsotonicRegression().fit(
        np.append(scores, ends), np.append(labels, [0, 1, 0, 1]), weights
    )
    knots = zip(fitted.X_thresholds_.tolist(), fitted.y_thresholds_.tolist(), strict=True)
    return Calibration("isotonic", tuple(knots))


def _sigmoid(labels: np.ndarray, scores: np.ndarray) -> Calibration:
    """Platt's: logistic regression on the logit, with his cautious targets instead of 0 and 1."""
    from sklearn.linear_model import LogisticRegression

    positives, negatives = labels.sum(), (1 - labels).sum()
    target = np.where(labels == 1, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    twice = np.tile(_logit(scores)[:, None], (2, 1))  # (2 rows, 1): once positive, once negative
    answers = np.repeat([1, 0], len(labels))
    fitted = LogisticRegression(C=np.inf).fit(twice, answers, np.append(target, 1 - target))
    return Calibration("sigmoid", ((float(fitted.coef_[0, 0]), float(fitted.intercept_[0])),))


def _logit(scores: np.ndarray) -> np.ndarray:
    inside = np.clip(scores, FARTHEST, 1 - FARTHEST)
    return np.log(inside) - np.log1p(-inside)
