"""Tables of a comparison: means with marks, differences fold by fold, times, bands."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, jaccard_score

from anyloss_core.comparison import tables
from anyloss_core.comparison.comparison import compare
from anyloss_core.statistics.verdict_sentence import fold_verdict, outcome
from tests.support.small_table import small


@pytest.fixture(scope="module")
def predictions():
    """Labels and predictions of two losses on three folds, and their confusion table."""
    random = np.random.default_rng(0)
    rows, kept = [], {}
    for loss, skill in (("bce", 0.7), ("anyloss:f1", 0.9)):
        for fold in range(3):
            labels = random.random(80) < 0.3
            predicted = np.where(random.random(80) < skill, labels, ~labels)
            kept[loss, fold] = labels, predicted
            counts = [np.sum(~labels & ~predicted), np.sum(labels & ~predicted)]
            counts += [np.sum(~labels & predicted), np.sum(labels & predicted)]
            rows.append((loss, fold, *counts))
    return kept, pd.DataFrame(rows, columns=["loss", "fold", "tn", "fn", "fp", "tp"])


def test_scores_of_metrics_and_formulas_are_those_of_sklearn(predictions):
    kept, confusion = predictions
    tidy = tables.metric_scores(confusion, ["f1", "TP / (TP + FP + FN)"])
    for row in tidy.itertuples():
        oracle = f1_score if row.metric == "f1" else jaccard_score
        assert row.score == pytest.approx(oracle(*kept[row.loss, row.fold]))


def _scores(**losses):
    rows = [(k, fold, "f1", s) for k, values in losses.items() for fold, s in enumerate(values)]
    return pd.DataFrame(rows, columns=["loss", "fold", "metric", "score"])


def test_a_star_is_for_the_loss_that_beats_all_others():
    clear = _scores(a=[0.8, 0.81, 0.79, 0.8], b=[0.6, 0.61, 0.59, 0.6], c=[0.5, 0.49, 0.5, 0.51])
    marked = tables.marked_table(clear, rope=0.01)["f1"]
    assert marked["a"] == "0.800 ± 0.008 ★"
    assert marked["b"] == "0.600 ± 0.008"
    assert marked["c"] == "0.500 ± 0.008"


def test_what_the_verdict_calls_undecided_gets_no_star():
    scores = _scores(a=[0.8, 0.6], b=[0.6, 0.8], c=[0.69, 0.7], d=[0.1, 0.1])
    marked = tables.marked_table(scores, rope=0.01)["f1"]
    assert marked["a"] == "0.700 ± 0.141 ≈"
    assert marked["b"].endswith("≈")
    assert marked["c"].endswith("≈")
    assert not marked.str.contains(tables.BEST).any()
    for loss in tables.unbeaten(scores, "f1", 0.01)[1:]:
        assert outcome(fold_verdict(scores, "a", loss, "f1")) != "candidate"


def test_one_fold_has_no_spread():
    assert tables.marked_table(_scores(a=[0.25]), rope=0.0)["f1"]["a"] == "0.250 ± 0.000 ★"


def test_differences_pair_the_same_fold():
    scores = _scores(bce=[0.1, 0.5, 0.2], other=[0.3, 0.4, 0.9])
    gaps = tables.fold_differences(scores.sample(frac=1, random_state=1), "f1", "bce")
    by_fold = gaps.set_index("fold")["difference"]
    assert by_fold.sort_index().tolist() == pytest.approx([0.2, -0.1, 0.7])
    assert set(gaps["loss"]) == {"other"}


def test_pooling_adds_the_folds(predictions):
    _, confusion = predictions
    pooled = tables.pooled_confusion(confusion).set_index("loss")
    assert pooled.loc["bce"].sum() == 240
    assert pooled.loc["bce", "tp"] == confusion.query("loss == 'bce'")["tp"].sum()


def test_time_is_measured_against_bce_or_the_first_loss():
    times = tables.relative_times({"mse": 3.0, "bce": 2.0})
    assert times["ratio"].tolist() == [1.5, 1.0]
    alone = tables.relative_times({"mse": 3.0, "focal": 6.0})
    assert alone["ratio"].tolist() == [1.0, 2.0]
    assert set(alone["measure"]) == {"mse"}


def test_bands_are_mean_and_deviation_over_the_folds():
    curves = pd.DataFrame(
        {"loss": ["a"] * 4, "fold": [0, 1, 0, 1], "epoch": [1, 1, 2, 2], "f1": [0.2, 0.4, 0.5, 0.5]}
    )
    bands = tables.curve_bands(curves, "f1")
    assert bands["mean"].tolist() == pytest.approx([0.3, 0.5])
    assert bands["std"].tolist() == pytest.approx([np.std([0.2, 0.4], ddof=1), 0.0])


def test_a_caption_tells_what_methods_around_bce_did():
    data, losses = small(), ("bce+threshold", "bce+smote")
    found = compare(data, losses=losses, folds=2, epochs=2)
    assert tables.method_words(found, "gmean") == (
        "Tuned thresholds are tuned for G-mean, on inner folds of the training rows. SMOTE is "
        "SMOTENC, which draws no half categories."
    )
    assert "for the metric of each column" in tables.method_words(found)
    plain = compare(data, losses=("bce", "bce+threshold@metric=f1"), folds=2, epochs=2)
    assert tables.method_words(plain, "gmean") == ""
