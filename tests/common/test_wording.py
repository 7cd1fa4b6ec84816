"""What losses and metrics are called in a sentence."""

import pytest

from anyloss_core.common.wording import listed, loss_words, metric_words
from anyloss_core.losses.scores import METRICS


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("f1", "F1"), ("f0.5", "F0.5"), ("f2", "F2"), ("gmean", "G-mean"), ("mcc", "MCC"),
        ("balanced_accuracy", "balanced accuracy"), ("fowlkes_mallows", "Fowlkes-Mallows index"),
        ("TP / (TP + FP)", "TP / (TP + FP)"), ("fn", "fn"), ("f1.2.3", "f1.2.3"),
    ],
)  # fmt: skip
def test_a_metric_has_its_name_and_a_formula_stays_as_typed(metric, words):
    assert metric_words(metric) == words


def test_every_named_metric_has_words():
    assert [name for name in METRICS if "_" in metric_words(name)] == []


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("bce", "BCE"), ("anyloss:f1", "AnyLoss-F1"), ("sol:gmean", "SOL-G-mean"),
        ("soft:f1", "soft-F1"), ("anyloss:f1@L=50", "AnyLoss-F1 (L=50)"),
        ("anyloss:TP/(TP+FN)", "AnyLoss-TP/(TP+FN)"),
        ("bce+smote", "BCE with SMOTE"), ("bce+threshold", "BCE with a tuned threshold"),
        ("bce+threshold@metric=f1", "BCE with threshold for F1"),
        ("bce+threshold@metric=gmean", "BCE with threshold for G-mean"),
        ("bce+threshold@lr=0.1", "BCE with a tuned threshold (lr=0.1)"),
        ("of somebody else", "of somebody else"), ("other:f1", "other:f1"),
    ],
)  # fmt: skip
def test_a_loss_is_called_as_people_call_it(spelling, words):
    assert loss_words(spelling) == words


def test_a_free_threshold_is_named_with_the_metric_that_is_judged():
    assert loss_words("bce+threshold", "gmean") == "BCE with threshold for G-mean"
    assert loss_words("bce+threshold@lr=0.1", "f1") == "BCE with threshold for F1 (lr=0.1)"
    assert loss_words("bce+threshold@metric=f1", "gmean") == "BCE with threshold for F1"
    assert loss_words("bce+search", "mcc") == "BCE, best form and threshold for MCC"
    assert loss_words("boosted_trees", "f2") == "boosted trees with threshold for F2"
    assert loss_words("logistic_regression", "f1") == "logistic regression with threshold for F1"
    assert loss_words("anyloss:f1", "gmean") == "AnyLoss-F1"


def test_lists_read_like_a_sentence():
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_a_named_formula_is_called_by_its_name():
    assert metric_words("Net value: (5*TP - FP) / (5*P)") == "Net value"
    assert metric_words(":red[of another tool]") == ":red[of another tool]"  # no name before it
    assert loss_words("anyloss:Net value: TP / P@L=5..73") == "AnyLoss-Net value (L=5..73)"
