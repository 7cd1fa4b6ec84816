"""The tuned threshold: the best one, from training rows only."""

import numpy as np
import pytest

import anyloss_core as al
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.thresholds import best_threshold
from anyloss_core.losses.scores import get_score
from tests.support.small_table import small


@pytest.mark.parametrize("metric", ["f1", "gmean", "mcc", "accuracy"])
def test_the_best_threshold_is_no_worse_than_any_other(metric):
    random = np.random.default_rng(0)
    labels = random.integers(0, 2, 60)
    probabilities = np.round(np.clip(labels * 0.2 + random.random(60) * 0.8, 0, 1), 1)  # with ties
    score = get_score(metric)

    def reached(cut):
        predicted = probabilities > cut
        counts = np.bincount(2 * predicted + labels, minlength=4).astype(float)
        return float(score(type(al.Counts(0, 0, 0, 0))(*counts)))

    best = best_threshold(labels, probabilities, score)
    assert reached(best) == pytest.approx(max(reached(cut) for cut in np.linspace(0, 1, 201)))


def test_a_tuned_threshold_comes_from_the_training_rows_of_its_fold():
    data = small()
    found = compare(data, losses=("bce", "bce+threshold@metric=gmean"), folds=3, epochs=60)
    tuned = found.confusion.query("loss != 'bce'")["threshold"]
    assert tuned.nunique() > 1
    assert (tuned < 0.5).all()  # one row in four is positive
    table = found.summary()
    assert table.iloc[1]["gmean"] > table.iloc[0]["gmean"]
    same = found.probabilities
    assert np.allclose(same["bce"], same["bce+threshold@metric=gmean"], atol=1e-10)


def test_among_equally_good_thresholds_the_one_nearest_to_a_half_is_taken():
    labels = np.array([0, 0, 1, 1])
    assert best_threshold(labels, np.array([0.1, 0.2, 0.8, 0.9]), get_score("f1")) == 0.5
    assert best_threshold(labels, np.array([0.1, 0.2, 0.4, 0.9]), get_score("f1")) == pytest.approx(
        0.3
    )


def test_rows_without_a_probability_do_not_count():
    labels, p = np.array([1, 0, 1, 0]), np.array([0.8, 0.6, np.nan, np.nan])
    assert best_threshold(labels, p, get_score("f1")) == pytest.approx(0.7)
    assert best_threshold(labels, np.full(4, np.nan), get_score("f1")) == 0.5


def test_one_class_alone_has_a_threshold_too():
    p = np.array([0.2, 0.7])
    assert best_threshold(np.array([1, 1]), p, get_score("accuracy")) == pytest.approx(0.1)
