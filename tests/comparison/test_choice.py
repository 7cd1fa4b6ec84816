"""Which recipe is taken: only one that is clearly better on held-out rows."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from anyloss_core.comparison.choice import choose, hard_score, paired_gain, promised_gain
from anyloss_core.comparison.thresholds import best_cut
from anyloss_core.losses.scores import get_score

F1 = get_score("f1")
RANDOM = np.random.default_rng(0)
LABELS = (RANDOM.random(600) < 0.2).astype(int)


def flipped(share, seed):
    """The labels with a share of them wrong."""
    wrong = np.random.default_rng(seed).random(len(LABELS)) < share
    return (LABELS == 1) ^ wrong


def test_the_score_is_that_of_scikit_learn_with_weights_too():
    called, weights = flipped(0.1, 1), RANDOM.random(len(LABELS))
    assert hard_score(LABELS, called, F1) == pytest.approx(f1_score(LABELS, called))
    weighted = f1_score(LABELS, called, sample_weight=weights)
    assert hard_score(LABELS, called, F1, weights) == pytest.approx(weighted)


def test_a_recipe_that_is_clearly_better_is_taken():
    found = choose(LABELS, [flipped(0.3, 1), flipped(0.1, 2), flipped(0.2, 3)], F1)
    assert found.number == 1
    assert found.gain.mean > 3 * found.gain.error > 0
    assert np.argmax(found.scores) == 1


def test_three_rows_more_and_two_less_are_no_reason_to_leave_the_default():
    default = flipped(0.2, 1)
    other, missed = default.copy(), np.flatnonzero((LABELS == 1) & ~default)
    other[missed[:3]] = True
    other[np.flatnonzero((LABELS == 1) & default)[:2]] = False
    found = choose(LABELS, [default, other], F1)
    assert found.scores[1] > found.scores[0]
    assert 0 < found.gain.mean < found.gain.error
    assert found.number == 0


def test_the_error_is_that_of_a_bootstrap_over_the_rows():
    first, second = flipped(0.3, 1), flipped(0.15, 2)
    random, gaps = np.random.default_rng(1), []
    for _ in range(1000):
        rows = random.integers(len(LABELS), size=len(LABELS))
        gaps.append(f1_score(LABELS[rows], second[rows]) - f1_score(LABELS[rows], first[rows]))
    assert paired_gain(LABELS, first, second, F1).error == pytest.approx(np.std(gaps), rel=0.12)


def test_three_classes_are_judged_by_the_mean_over_them():
    labels = RANDOM.integers(3, size=300)
    called = np.where(RANDOM.random(300) < 0.3, RANDOM.integers(3, size=300), labels)
    assert hard_score(labels, called, F1) == pytest.approx(
        f1_score(labels, called, average="macro")
    )


def test_a_promise_judges_the_threshold_on_rows_that_it_was_not_tuned_on():
    """Chances that say nothing: a threshold tuned on the rows themselves would look better."""
    drawn = np.random.default_rng(1)
    gains, naive = [], []
    for _ in range(40):
        labels, chances = (drawn.random(60) < 0.3).astype(int), drawn.random(60)
        ours = np.ones(60, bool)  # always positive: the best rule where nothing is known
        gains.append(promised_gain(labels, chances, [ours], F1).mean)
        tuned = chances > best_cut(labels, chances, F1)
        naive.append(paired_gain(labels, tuned, ours, F1).mean)
    assert np.mean(naive) < -0.02
    assert np.mean(gains) > -0.005  # no rule for these rows is better than ours


def test_a_promise_judges_the_recipe_on_rows_that_did_not_choose_it():
    drawn = np.random.default_rng(2)
    gains, naive = [], []
    for _ in range(40):
        labels, chances = (drawn.random(60) < 0.3).astype(int), drawn.random(60)
        guesses = [drawn.random(60) < 0.5 for _ in range(8)]
        gains.append(promised_gain(labels, chances, guesses, F1).mean)
        best = guesses[choose(labels, guesses, F1).number]
        naive.append(paired_gain(labels, np.ones(60, bool), best, F1).mean)
    assert np.mean(gains) < np.mean(naive)


def test_a_class_of_one_row_promises_nothing():
    labels = np.array([1, 0, 0, 0])
    assert np.isnan(promised_gain(labels, np.linspace(0, 1, 4), [labels > 0], F1).mean)
