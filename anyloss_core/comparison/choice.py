"""Which of several recipes is taken: the default, unless another is better on held-out rows.

'Better' means by more than one standard error of the paired difference, from a bootstrap over the
rows. The difference of two classifiers depends only on how often each combination of label and two
decisions occurs, so a resample is a draw of these few counts, not of the rows. The same difference
between AnyLoss and BCE with a tuned threshold is what the inner rows promise (`promised_gain`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold

from anyloss_core.comparison.thresholds import best_cut
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import Score

DRAWS = 500  # of the bootstrap: its standard error is good to about 3 %
PARTS = 5  # of the inner rows, each judged by what the others chose


class Gain(NamedTuple):
    """A difference of two scores on the same rows, with its standard error."""

    mean: float
    error: float


class Choice(NamedTuple):
    """The number of the recipe that is taken, and what each scored on the held-out rows."""

    number: int
    scores: tuple[float, ...]
    gain: Gain  # of the best over the default, whether it was taken or not


def choose(
    labels: np.ndarray,
    decisions: Sequence[np.ndarray],
    score: Score,
    weights: np.ndarray | None = None,
) -> Choice:
    """Among recipes, the default first, by their decisions (rows,) on rows they have not seen."""
    scores = tuple(hard_score(labels, own, score, weights) for own in decisions)
    best = int(np.argmax(np.nan_to_num(scores, nan=-np.inf)))
    if not best:
        return Choice(0, scores, Gain(0.0, 0.0))
    gain = paired_gain(labels, decisions[0], decisions[best], score, weights)
    return Choice(best if gain.mean > gain.error else 0, scores, gain)


def promised_gain(
    labels: np.ndarray, chances: np.ndarray, decisions: Sequence[np.ndarray], score: Score
) -> Gain:
    """What a chosen recipe gains over cutting the `chances` of BCE at a tuned threshold.

    On a fifth of the rows each, by the recipe and the threshold that are best on the others. Judged
    on the rows that it was tuned for, a threshold looks better than it is on new ones.
    """
    parts = min(PARTS, int(np.bincount(labels, minlength=2).min()))
    if parts < 2:
        return Gain(np.nan, np.nan)
    ours, theirs = np.zeros(len(labels), bool), np.zeros(len(labels), bool)
    for others, part in StratifiedKFold(parts, shuffle=True, random_state=0).split(labels, labels):
        best = choose(labels[others], [own[others] for own in decisions], score).number
        ours[part] = decisions[best][part]
        theirs[part] = chances[part] > best_cut(labels[others], chances[others], score)
    return paired_gain(labels, theirs, ours, score)


def hard_score(
    labels: np.ndarray, decisions: np.ndarray, score: Score, weights: np.ndarray | None = None
) -> float:
    """The score of classes decided for; with three or more classes its mean over them."""
    return float(_scores(labels[:, None], decisions[:, None], _ones(labels, weights), score)[0])


def paired_gain(
    labels: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    score: Score,
    weights: np.ndarray | None = None,
) -> Gain:
    """By how much `second` is better than `first`, both decisions (rows,) on the same rows.

    Rows are drawn whatever their weight, and count by the mean weight of their kind: drawn by
    weight, a class of nearly none would never be seen, and a difference in it be without error.
    """
    rows = np.column_stack([labels, first, second]).astype(np.int64)
    kinds, kind, sizes = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    weight = np.bincount(kind.ravel(), _ones(labels, weights)[0], len(kinds)) / sizes
    drawn = np.random.default_rng(0).multinomial(len(labels), sizes / len(labels), DRAWS)
    counted = np.vstack([sizes, drawn]) * weight  # (1 + DRAWS, kinds)
    actual = kinds[:, :1]
    better, worse = (_scores(actual, kinds[:, k : k + 1], counted, score) for k in (2, 1))
    gains = better - worse
    return Gain(float(gains[0]), float(gains[1:].std()))


def _scores(
    labels: np.ndarray, decisions: np.ndarray, counted: np.ndarray, score: Score
) -> np.ndarray:
    """(draws,) from kinds of rows (kinds, 1) that occur `counted` (draws, kinds) times."""
    highest = int(max(labels.max(), decisions.max()))
    found = []
    for positive in [1] if highest < 2 else range(highest + 1):
        actual, called = labels[:, 0] == positive, decisions[:, 0] == positive
        cells = np.stack([~actual & ~called, actual & ~called, ~actual & called, actual & called])
        found.append(score(Counts(*(counted @ cells.T.astype(np.float64)).T)))
    return np.mean(found, axis=0)


def _ones(labels: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """The weight of every row (1, rows)."""
    return (np.ones(len(labels)) if weights is None else weights)[None]
