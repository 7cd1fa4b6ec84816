"""The threshold at which a score is highest, found on held-out probabilities of training rows."""

import numpy as np
from sklearn.metrics import confusion_matrix_at_thresholds

from anyloss_core.losses.approximation import THRESHOLD
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import Score


def best_threshold(labels: np.ndarray, probabilities: np.ndarray, score: Score) -> float:
    """The best cut between neighbouring probabilities; among equals the one nearest 1/2."""
    known = np.isfinite(probabilities)
    labels, probabilities = labels[known], probabilities[known]
    if not len(labels):
        return THRESHOLD
    tn, fp, fn, tp, found = confusion_matrix_at_thresholds(labels, probabilities, pos_label=1)
    values = np.asarray(score(Counts(tn, fn, fp, tp)))
    cuts = (found + np.append(found[1:], 0.0)) / 2
    best = np.flatnonzero(values >= values.max() - 1e-12)
    return float(cuts[best[np.argmin(np.abs(cuts[best] - THRESHOLD))]])
