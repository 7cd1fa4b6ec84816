"""The sentence of a comparison: right winner, right numbers, no more certainty than there is."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from anyloss_core.common.wording import listed, loss_words, metric_words
from anyloss_core.statistics.verdict_sentence import fold_verdict, headline, leading_loss, outcome

NOISE = np.array([0.012, -0.02, 0.005, 0.018, -0.011, 0.002, -0.006, 0.015, -0.013, -0.002])


def _scores(metric="f1", **losses):
    """Tidy scores over ten folds; a loss is given by its lead over 0.7 and how noisy it is."""
    rows = [
        (loss.replace("__", ":").replace("_plus_", "+"), fold, metric, 0.7 + lead + size * noise)
        for loss, (lead, size) in losses.items()
        for fold, noise in enumerate(NOISE)
    ]
    return pd.DataFrame(rows, columns=["loss", "fold", "metric", "score"])


def test_the_sentence_of_the_issue_comes_out():
    scores = _scores(bce=(0, 0), anyloss__f1=(0.041, 2), bce_plus_threshold=(0.04, 2.02))
    sentence = headline(scores, "credit.csv")
    assert sentence.startswith("On credit.csv, AnyLoss-F1 beats BCE on F1 with probability 0.9")
    assert ", difference 0.041 ± 0.0" in sentence
    assert sentence.endswith("; against BCE with threshold for F1 it is a draw.")


def test_the_probability_is_that_of_the_corrected_t_distribution():
    lead, folds = 0.02, 10
    verdict = fold_verdict(_scores(bce=(0, 0), anyloss__f1=(lead, 1)), "anyloss:f1", "bce", "f1")
    # Nadeau and Bengio: the variance of the mean is (1/n + test share/train share) times s².
    scale = np.sqrt((1 / folds + 1 / (folds - 1)) * NOISE.var(ddof=1))
    expected = stats.t.sf(0.01, folds - 1, lead + NOISE.mean(), scale)
    assert verdict.candidate_wins == pytest.approx(expected, abs=1e-9)
    assert verdict.scale == pytest.approx(scale)


@pytest.mark.parametrize(
    ("lead", "size", "words"),
    [
        (0.1, 0.3, "AnyLoss-F1 beats BCE on F1 with probability above 0.99, difference 0.100"),
        (-0.1, 0.3, "AnyLoss-F1 loses to BCE on F1 with probability above 0.99, difference -0.1"),
        (0.0, 0.1, "AnyLoss-F1 and BCE draw on F1 with probability above 0.99, difference"),
        (0.01, 1.0, "it is undecided whether AnyLoss-F1 beats BCE on F1 (better 0.50, draw"),
    ],
)
def test_each_outcome_has_its_words(lead, size, words):
    assert headline(_scores(bce=(0, 0), anyloss__f1=(lead, size)), "x").startswith(f"On x, {words}")


def test_other_losses_are_grouped_by_outcome():
    scores = _scores(
        anyloss__f1=(0.1, 0.3), bce=(0, 0), mse=(0.0, 0.1), focal=(0.01, 0.1), sol__f1=(0.2, 0.1)
    )
    sentence = headline(scores, "x")
    assert "; it also beats MSE and focal loss; it loses to SOL-F1." in sentence


def test_the_baseline_metric_and_rope_can_be_chosen():
    both = pd.concat(
        [
            _scores(bce=(0, 0), mse=(0.05, 0.1), anyloss__gmean=(0.1, 0.3)),
            _scores("gmean", bce=(0, 0), mse=(0.0, 0.1), anyloss__gmean=(0.1, 0.3)),
        ]
    )
    assert "beats BCE on G-mean" in headline(both, "x")
    assert "beats MSE on F1" in headline(both, "x", baseline="mse", metric="f1")
    assert "AnyLoss-G-mean and MSE draw" in headline(
        both, "x", baseline="mse", metric="f1", rope=0.1
    )


def test_seeds_on_the_same_split_count_once():
    once = _scores(bce=(0, 0), anyloss__f1=(0.02, 1))
    twice = pd.concat([once, once.assign(fold=once["fold"] + 10)])
    settings = {"folds": 10, "repeats": 1, "seeds": 2}
    args = ("anyloss:f1", "bce", "f1")
    assert fold_verdict(twice, *args, settings) == fold_verdict(once, *args)


def test_repeats_sharpen_the_verdict_less_than_more_folds_would():
    once = _scores(bce=(0, 0), anyloss__f1=(0.02, 1))
    twice = pd.concat([once, once.assign(fold=once["fold"] + 10)])
    args = ("anyloss:f1", "bce", "f1")
    repeated = fold_verdict(twice, *args, {"folds": 10, "repeats": 2})
    assert fold_verdict(twice, *args).scale < repeated.scale < fold_verdict(once, *args).scale


def test_a_stopped_repeat_has_the_correlation_of_a_whole_one():
    once = _scores(bce=(0, 0), anyloss__f1=(0.02, 1))
    more = once[once["fold"] < 7]
    stopped = pd.concat([once, more.assign(fold=more["fold"] + 10)])
    verdict = fold_verdict(stopped, "anyloss:f1", "bce", "f1", {"folds": 10, "repeats": 5})
    spread = np.append(NOISE, NOISE[:7]).std(ddof=1)
    assert verdict.scale == pytest.approx(spread * np.sqrt(1 / 17 + 1 / 9))


def test_folds_of_few_rows_that_agree_by_chance_decide_nothing():
    """12 rows in 2 folds: 'draw with probability above 0.99', because nothing differed so far."""
    scores = _scores(bce=(0, 0), anyloss__f1=(0, 0)).query("fold < 2")
    settings = {"folds": 2, "rows": 12, "positives": 6}
    assert outcome(fold_verdict(scores, "anyloss:f1", "bce", "f1")) == "draw"
    assert outcome(fold_verdict(scores, "anyloss:f1", "bce", "f1", settings)) == "undecided"
    large = {"folds": 2, "rows": 100_000, "positives": 50_000}
    assert outcome(fold_verdict(scores, "anyloss:f1", "bce", "f1", large)) == "draw"


def test_a_loss_alone_is_only_described():
    sentence = headline(_scores(anyloss__f1=(0.1, 1)), "x")
    assert sentence.startswith("On x, AnyLoss-F1 reaches F1 0.800 ± 0.01")


def test_identical_losses_draw():
    scores = _scores(bce=(0, 1), anyloss__f1=(0, 1))
    assert outcome(fold_verdict(scores, "anyloss:f1", "bce", "f1")) == "draw"


def test_the_leading_loss_aims_at_a_metric():
    assert leading_loss(["bce", "mse", "sol:gmean", "anyloss:f1"]) == "sol:gmean"
    assert leading_loss(["bce", "mse"]) == "mse"
    assert leading_loss(["bce"]) == "bce"


def test_words_for_losses_and_metrics():
    assert loss_words("anyloss:balanced_accuracy@L=50") == "AnyLoss-balanced accuracy (L=50)"
    assert loss_words("soft:f0.5") == "soft-F0.5"
    assert loss_words("bce+threshold@metric=gmean") == "BCE with threshold for G-mean"
    assert metric_words("TP / (TP + FP)") == "TP / (TP + FP)"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_who_chose_among_recipes_and_who_did_not_is_said():
    scores = _scores(bce=(0, 0), anyloss__f1=(0.041, 2), bce_plus_threshold=(0.04, 2.02))
    trained = {"bce": {}, "bce+threshold": {}, "anyloss:f1": {"candidates": 5}}
    sentence = headline(scores, "credit.csv", {"trained": trained})
    assert sentence.endswith(
        " On inner folds AnyLoss-F1 chose among 5 recipes; BCE and BCE with threshold for F1 had "
        "one."
    )
    trained |= {"bce": {"candidates": 7}, "bce+threshold": {"candidates": 7}}
    sentence = headline(scores, "credit.csv", {"trained": trained})
    assert sentence.endswith(
        " On inner folds AnyLoss-F1 chose among 5, BCE among 7 and BCE with threshold for F1 among "
        "7 recipes."
    )
    trained["anyloss:f1"]["candidates"] = 1  # too few rows to choose by
    assert "; AnyLoss-F1 had one." in headline(scores, "credit.csv", {"trained": trained})
