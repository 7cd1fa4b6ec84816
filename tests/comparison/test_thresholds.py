"""The tuned threshold: the best one for the metric that is judged, from training rows only."""

import numpy as np
import pandas as pd
import pytest

import anyloss_core as al
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.thresholds import (
    CUTS,
    MOST,
    SAFE,
    counts_above,
    find_cuts,
    half_of_f1,
    tune,
)
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.losses.scores import METRICS, get_score
from anyloss_core.statistics.goal import floor_goal
from tests.support.small_table import small

COST = "1 - (10 * FN + FP) / (10 * P + NEG)"


def best_threshold(labels, probabilities, metric):
    cuts = find_cuts(np.asarray(labels), np.asarray(probabilities))
    return float(tune(cuts, get_score(metric))["threshold"])


def reached(metric, labels, probabilities, cut):
    predicted = probabilities > cut
    return float(get_score(metric)(al.Counts(*np.bincount(2 * predicted + labels, minlength=4))))


@pytest.mark.parametrize("metric", [*METRICS, COST, "1 - (FN + 50 * FP) / (P + 50 * NEG)"])
@pytest.mark.parametrize("digits", [1, 6], ids=["with ties", "without"])
def test_the_best_threshold_is_no_worse_than_any_other(metric, digits):
    random = np.random.default_rng(0)
    labels = random.integers(0, 2, 60)
    probabilities = np.round(np.clip(labels * 0.2 + random.random(60) * 0.8, 0, 1), digits)
    best = best_threshold(labels, probabilities, metric)
    every = [reached(metric, labels, probabilities, cut) for cut in np.linspace(0, 1, 2001)]
    assert reached(metric, labels, probabilities, best) == pytest.approx(max(every))


FLOOR = floor_goal("precision", "recall", 0.8)


def test_a_floor_is_held_by_the_inner_rows_with_the_most_of_what_is_wanted():
    random = np.random.default_rng(1)
    labels = np.repeat([1, 0], [60, 300])
    chances = np.clip(random.normal(0.35 + 0.3 * labels, 0.15), 0, 1)
    best = best_threshold(labels, chances, FLOOR.metric)
    cuts = np.unique(chances)
    counts = counts_above(labels, chances, cuts)
    safe = FLOOR.chances(counts) >= SAFE
    precision = get_score("precision")
    ours = counts_above(labels, chances, np.array([best]))
    assert FLOOR.chances(ours)[0] >= SAFE
    assert precision(ours)[0] == pytest.approx(precision(counts)[safe].max())
    edge = cuts[np.argmax(get_score(FLOOR.metric)(counts))]  # what the formula alone would take
    assert best < edge


def test_where_no_cut_is_safe_the_formula_decides():
    labels, chances = np.array([1, 1, 0, 0, 0]), np.array([0.9, 0.3, 0.6, 0.2, 0.1])
    best = best_threshold(labels, chances, FLOOR.metric)
    assert best == pytest.approx(0.25)  # recall 1 at a precision of 2/3; else 1 less 5 * 0.3


def test_whatever_aims_at_a_floor_has_its_threshold_chosen_on_inner_folds():
    losses = (f"anyloss:{FLOOR.metric}@L=10", "anyloss:f1@L=10", "bce", "bce+threshold")
    found = compare(small(), losses=losses, folds=3, epochs=60, goal=FLOOR.text)
    spread = found.confusion.groupby("loss", sort=False)["threshold"].nunique()
    assert (spread > 1).tolist() == [True, False, False, True]
    assert set(found.cuts["loss"]) == {losses[0], losses[3]}
    plain = compare(small(), losses=losses, folds=3, epochs=60)
    assert plain.confusion.groupby("loss", sort=False)["threshold"].nunique().iloc[0] == 1


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


@pytest.mark.parametrize("metric", ["f1", "accuracy", "gmean", COST])
def test_each_metric_is_judged_with_the_threshold_tuned_for_it(metric):
    losses = ("bce+threshold", f"bce+threshold@metric={metric}")
    found = compare(small(), losses=losses, folds=3, epochs=60)
    scores = found.scores_of([metric]).pivot(index="fold", columns="loss", values="score")
    assert scores[losses[0]].tolist() == scores[losses[1]].tolist()
    counts = found.confusion_for(metric).set_index(["loss", "fold"])
    assert counts.loc[losses[0]].equals(counts.loc[losses[1]])
    free = found.confusion_for("accuracy").query("loss == 'bce+threshold'")
    other = found.confusion_for(COST).query("loss == 'bce+threshold'")
    assert (free["threshold"] > other["threshold"]).all()


def test_counts_at_the_cuts_are_those_of_the_held_out_rows():
    found = compare(small(), losses=("bce+threshold",), folds=3, epochs=60)
    assert list(found.cuts) == CUTS
    for number, cuts in found.cuts.groupby("fold"):
        rows = found.probabilities[found.probabilities["fold"] == number]
        for cut in cuts.iloc[::10].itertuples():
            predicted = rows["bce+threshold"] > cut.threshold
            counts = np.bincount(2 * predicted + rows["label"], minlength=4)
            assert [cut.tn, cut.fn, cut.fp, cut.tp] == counts.tolist()
        inner = cuts[[name for name in CUTS if name.startswith("inner_")]].sum(axis=1)
        assert (inner == 2 * len(found.probabilities) // 3).all()


def test_many_rows_have_a_bounded_number_of_cuts():
    random = np.random.default_rng(0)
    labels, p = random.integers(0, 2, 20_000), random.random(20_000)
    cuts = find_cuts(labels, p)
    assert len(cuts) == MOST
    assert cuts["inner_tp"].iloc[[0, -1]].tolist() == [0, labels.sum()]
    best = max(reached("mcc", labels, p, cut) for cut in np.linspace(0, 1, 1001))
    assert reached("mcc", labels, p, best_threshold(labels, p, "mcc")) > best - 0.005


def test_among_equally_good_thresholds_the_one_nearest_to_a_half_is_taken():
    labels = np.array([0, 0, 1, 1])
    assert best_threshold(labels, [0.1, 0.2, 0.8, 0.9], "f1") == 0.5
    assert best_threshold(labels, [0.1, 0.2, 0.4, 0.9], "f1") == pytest.approx(0.3)


def test_rows_without_a_probability_do_not_count():
    labels, p = np.array([1, 0, 1, 0]), np.array([0.8, 0.6, np.nan, np.nan])
    assert best_threshold(labels, p, "f1") == pytest.approx(0.7)
    assert best_threshold(labels, np.full(4, np.nan), "f1") == 0.5
    assert counts_above(labels, p, np.array([0.7])) == (2, 1, 0, 1)


def test_one_class_alone_has_a_threshold_too():
    assert best_threshold([1, 1], [0.2, 0.7], "accuracy") == pytest.approx(0.1)
    assert best_threshold([0, 0], [0.2, 0.7], "accuracy") == pytest.approx(0.85)


def test_a_fold_with_one_training_row_of_a_class_keeps_a_half():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=30), "y": np.arange(30) % 15 == 0})
    found = compare(dataset_from_frame(frame, "y"), ["bce+threshold"], folds=2, epochs=20)
    assert found.cuts["threshold"].tolist() == [0.5, 0.5]
    assert (found.confusion_for("mcc")["threshold"] == 0.5).all()


def online(labels, probabilities):
    """Busa-Fekete et al. (2015), row by row: cut at half of the F1 of the rows so far."""
    found = asked = threshold = 0.0
    for label, p in zip(labels, probabilities, strict=True):
        predicted = p > threshold
        found, asked = found + 2 * (label and predicted), asked + label + predicted
        threshold = found / asked / 2 if asked else 0.0
    return threshold


@pytest.mark.parametrize("tilt", [-3.0, -1.0, 1.0])
def test_half_of_f1_is_the_best_threshold_where_probabilities_are_right(tilt):
    random = np.random.default_rng(1)
    probabilities = 1 / (1 + np.exp(-random.normal(tilt, 1.5, 100_000)))
    labels = (random.random(100_000) < probabilities).astype(int)
    threshold = half_of_f1(labels, probabilities)
    half = reached("f1", labels, probabilities, threshold) / 2
    assert threshold == pytest.approx(half, abs=0.001)
    assert threshold == pytest.approx(online(labels, probabilities), abs=0.005)
    best = best_threshold(labels, probabilities, "f1")
    own = reached("f1", labels, probabilities, threshold)
    assert own == pytest.approx(reached("f1", labels, probabilities, best), abs=0.002)


def test_half_of_f1_of_rows_that_say_nothing_is_a_number():
    nothing = np.full(4, np.nan)
    assert half_of_f1(np.array([1, 0, 0, 0]), nothing) == 0.0
    assert half_of_f1(np.array([], dtype=int), np.array([])) == 0.0
    assert half_of_f1(np.array([1, 1]), np.array([1.0, 1.0])) == 0.5


def test_the_online_threshold_comes_from_the_training_rows_and_trains_nothing_more():
    data = small()
    found = compare(data, losses=("bce", "bce+online_f1"), folds=3, epochs=200)
    table = found.confusion.set_index(["loss", "fold"])
    same = found.probabilities
    assert np.allclose(same["bce"], same["bce+online_f1"], atol=1e-10)
    for fold, rows in same.groupby("fold"):
        own, threshold = (
            table.loc["bce+online_f1", fold],
            table.loc["bce+online_f1", fold].threshold,
        )
        assert 0.1 < threshold < 0.5
        predicted = rows["bce"] > threshold
        assert own["tp"] == (predicted & (rows["label"] == 1)).sum()
    assert found.summary().loc["bce+online_f1", "f1"] > found.summary().loc["bce", "f1"]
