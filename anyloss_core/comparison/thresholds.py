"""The threshold at which a score is highest, found on held-out probabilities of training rows."""

from __future__ import annotations

import numpy as np

from anyloss_core.confusion import Counts
from anyloss_core.scores import Score


def best_threshold(labels: np.ndarray, probabilities: np.ndarray, score: Score) -> float:
    """The best cut between two neighbouring probabilities; the one nearest 1/2 among equals."""
    known = np.isfinite(probabilities)
    labels, probabilities = labels[known], probabilities[known]
    if not len(labels):
        return 0.5
    order = np.argsort(-probabilities, kind="stable")
    ranked, positive = probabilities[order], labels[order].astype(np.float64)
    edges = np.flatnonzero(np.append(np.diff(ranked) < 0, True))  # last row of each distinct p
    tp = np.cumsum(positive)[edges]
    fp = edges + 1 - tp
    counts = Counts(len(labels) - positive.sum() - fp, positive.sum() - tp, fp, tp)
    values = np.asarray(score(counts))
    below = np.append(ranked[edges[:-1] + 1], 0.0)
    cuts = (ranked[edges] + below) / 2
    best = np.flatnonzero(values >= values.max() - 1e-12)
    return float(cuts[best[np.argmin(np.abs(cuts[best] - 0.5))]])
