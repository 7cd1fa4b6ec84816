"""Thresholds tuned for any metric, also for one that is chosen after the training.

The models of the inner folds give every training row of a fold a probability that they have not
learned from it. What is kept are the counts of those rows at each cut worth trying and, beside
them, the counts of the held-out rows at the same cut. The best cut for a metric follows from the
former; its score from the latter.
"""

import numpy as np
import pandas as pd
from sklearn.metrics import confusion_matrix_at_thresholds

from anyloss_core.losses.approximation import THRESHOLD
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import Score, get_score
from anyloss_core.statistics.goal import formula_goal

COUNTS = list(Counts._fields)
INNER = [f"inner_{name}" for name in COUNTS]  # of the training rows
# Columns of a table of cuts; the recipe tells the models of bce+search apart.
CUTS = ["loss", "fold", "recipe", "threshold", *INNER, *COUNTS]
MOST = 500  # cuts of a fold; where there are more, every second or third is left out
EQUAL = 1e-12  # scores closer than this are equal
SAFE = 0.8  # probability, by the inner rows, with which a threshold has to hold a floor


def find_cuts(labels: np.ndarray, probabilities: np.ndarray) -> pd.DataFrame:
    """threshold and inner counts at the cuts between neighbouring probabilities.

    Within a run of rows of one class a score only rises or only falls: its ends are enough.
    """
    known = np.isfinite(probabilities)
    labels, probabilities = labels[known], probabilities[known]
    if not len(labels):
        return pd.DataFrame([(THRESHOLD, 0, 0, 0, 0)], columns=["threshold", *INNER])
    tn, fp, fn, tp, found = confusion_matrix_at_thresholds(labels, probabilities, pos_label=1)
    edges = np.concatenate([[1.0], found, [0.0]])  # the first cut calls nothing positive
    inner = [np.append(total, part) for total, part in ((tn[0] + fp[0], tn), (fn[0] + tp[0], fn))]
    inner += [np.append(0, part) for part in (fp, tp)]
    table = pd.DataFrame(dict(zip(INNER, inner, strict=True)))
    table.insert(0, "threshold", (edges[:-1] + edges[1:]) / 2)
    # Steps from cut to cut: 1 positive rows, 2 negative rows, 3 both.
    steps = (np.diff(inner[3]) > 0) + 2 * (np.diff(inner[2]) > 0)
    inside = (steps[1:] == steps[:-1]) & (steps[1:] != 3)
    return _thinned(table[~np.concatenate([[False], inside, [False]])])


def best_cuts(cuts: pd.DataFrame, groups: np.ndarray, score: Score) -> np.ndarray:
    """The place of the best cut of every group; among equals the one nearest 1/2.

    `groups` numbers the group of each cut, from 0 on. The best for a floor is the one with the most
    of what is wanted among those that hold it with the probability `SAFE`: at the edge of a floor,
    every second new sample would break it.
    """
    counts = Counts(*(cuts[name].to_numpy(np.float64) for name in INNER))
    values = np.asarray(score(counts))
    goal = formula_goal(score.name)
    if goal.kind == "floor":
        safe = 1 + np.asarray(get_score(goal.wanted)(counts))  # above the formula, which is below 1
        values = np.where(goal.chances(counts) >= SAFE, safe, values)
    values = np.where(np.isnan(values), -np.inf, values)
    best = np.full(groups.max() + 1, -np.inf)
    np.maximum.at(best, groups, values)
    distance = np.abs(cuts["threshold"].to_numpy() - THRESHOLD)
    behind = values < best[groups] - EQUAL
    order = np.lexsort((distance, behind, groups))  # the first of a group is its best
    return order[np.searchsorted(groups[order], np.arange(len(best)))]


def tune(cuts: pd.DataFrame, score: Score) -> pd.Series:
    """The best of these cuts, all of one fold."""
    (place,) = best_cuts(cuts, np.zeros(len(cuts), dtype=int), score)
    return cuts.iloc[place]


def best_cut(labels: np.ndarray, probabilities: np.ndarray, score: Score) -> float:
    """The threshold that is best on these rows."""
    return float(tune(find_cuts(labels, probabilities), score)["threshold"])


def half_of_f1(labels: np.ndarray, probabilities: np.ndarray) -> float:
    """The threshold that is half of the F1 it gives on these rows.

    The best threshold for F1 is half of the best F1 (Busa-Fekete et al., 2015; Lipton et al.,
    2014). So from 0 on every pass cuts at half of the F1 of the pass before, where the online form
    takes the F1 of the rows seen so far. It needs no other rows, but it trusts the probabilities.
    """
    threshold, seen = 0.0, set[float]()
    while threshold not in seen:  # a few passes; of finite rows the last ones may take turns
        seen.add(threshold)
        _, fn, fp, tp = counts_above(labels, probabilities, np.array([threshold]))
        threshold = float(tp[0] / max(2 * tp[0] + fn[0] + fp[0], 1.0))
    return threshold


def counts_above(labels: np.ndarray, chances: np.ndarray, thresholds: np.ndarray) -> Counts:
    """Confusion counts (thresholds,) if rows with p above a threshold are called positive.

    A probability that is no number is above none.
    """
    chances = np.nan_to_num(chances, nan=-1.0)
    positive, negative = np.sort(chances[labels == 1]), np.sort(chances[labels == 0])
    fn = np.searchsorted(positive, thresholds, side="right").astype(np.float64)
    tn = np.searchsorted(negative, thresholds, side="right").astype(np.float64)
    return Counts(tn, fn, len(negative) - tn, len(positive) - fn)


def _thinned(table: pd.DataFrame) -> pd.DataFrame:
    """At most MOST of the rows, both ends among them."""
    kept = np.linspace(0, len(table) - 1, min(len(table), MOST)).round().astype(int)
    return table.iloc[np.unique(kept)].reset_index(drop=True)
