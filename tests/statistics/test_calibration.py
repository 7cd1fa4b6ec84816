"""Named winners are right: verdicts on tables whose true difference is known by symmetry.

The quick form of `tests.benchmarks.verdict_calibration`. Two rules are trained on the same folds,
the nearest centroid in the first and in the second half of the columns. Where both halves tell
equally much the true difference is 0 and every named winner is false.
"""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.statistics.small_data import usual_repeats
from anyloss_core.statistics.verdict_sentence import fold_verdict, outcome

TABLES = 60
COLUMNS = 3  # of each half
FOLDS = 10


def compared(rng, positives, negatives, gap):
    """Tidy F1 of both rules on the folds of a new table; in the second half the means are `gap`
    apart, in the first 1."""
    labels = np.repeat([True, False], [positives, negatives])
    features = rng.normal(size=(2, len(labels), COLUMNS))
    features[:, labels] += np.array([1.0, gap])[:, None, None] / np.sqrt(COLUMNS)
    repeats = usual_repeats(positives, len(labels))
    valid = np.concatenate([stratified(rng, labels) for _ in range(repeats)])  # (folds, rows)
    return pd.concat(
        pd.DataFrame({"loss": loss, "fold": range(len(valid)), "metric": "f1", "score": score})
        for loss, half in zip(("bce", "anyloss:f1"), features, strict=True)
        for score in (f1(labels, nearest(half, labels, ~valid), valid),)
    )


def stratified(rng, labels):
    """Held-out rows of ten folds, (folds, rows)."""
    number = np.empty(len(labels), int)
    for label in (True, False):
        rows = rng.permutation(np.flatnonzero(labels == label))
        number[rows] = np.arange(len(rows)) % FOLDS
    return number == np.arange(FOLDS)[:, None]


def nearest(features, labels, train):
    """Whether the centroid of the training rows' positives is the nearer one, (folds, rows)."""
    centroids = [
        (rows := train & (labels == label)) @ features / rows.sum(axis=1, keepdims=True)
        for label in (True, False)
    ]  # (folds, columns) each
    middle, way = (centroids[0] + centroids[1]) / 2, centroids[0] - centroids[1]
    return way @ features.T > (way * middle).sum(axis=1, keepdims=True)


def f1(labels, found, valid):
    """Of every fold."""
    hits = (valid & found & labels).sum(axis=1)
    return 2 * hits / ((valid & found).sum(axis=1) + (valid & labels).sum(axis=1))


def said(positives, ratio, gap, before=False):
    """What is said of the second half on many tables; `before`: as version 0.1.0 did."""
    rng = np.random.default_rng([positives, ratio])
    settings = {"folds": FOLDS, "rows": (1 + ratio) * positives, "positives": positives}
    words = []
    for _ in range(TABLES):
        scores = compared(rng, positives, ratio * positives, gap)
        if before:
            verdict = fold_verdict(scores[scores["fold"] < FOLDS], "anyloss:f1", "bce", "f1")
            sure = max(verdict.candidate_wins, verdict.draw, verdict.baseline_wins) >= 0.8
            words.append(verdict.winner if sure else "undecided")
        else:
            words.append(outcome(fold_verdict(scores, "anyloss:f1", "bce", "f1", settings)))
    return np.array(words)


def test_hardly_a_winner_is_named_where_both_are_equal():
    found = np.concatenate([said(*table, gap=1.0) for table in ((12, 9), (40, 9), (200, 2))])
    assert np.isin(found, ("candidate", "baseline")).mean() <= 0.05


def test_the_rule_of_0_1_0_named_winners_that_were_none():
    found = said(40, 9, gap=1.0, before=True)
    assert np.isin(found, ("candidate", "baseline")).mean() >= 0.15


@pytest.mark.parametrize(
    ("positives", "ratio", "named"), [(12, 2, 0.02), (40, 9, 0.5), (200, 2, 0.95)]
)
def test_a_clear_winner_is_named_and_right(positives, ratio, named):
    found = said(positives, ratio, gap=2.5)
    assert (found == "candidate").mean() >= named
    assert not np.isin(found, ("baseline", "draw")).any()
