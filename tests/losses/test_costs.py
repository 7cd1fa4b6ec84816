"""Costs and gains become scores from 0 to 1 in the same order of confusion matrices."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.costs import as_score, written
from anyloss_core.losses.formula import parse_formula
from anyloss_core.losses.scores import METRICS, get_score


def matrices(rows=200, positives=60, number=50):
    """Random confusion matrices of one data set."""
    random = np.random.default_rng(0)
    fn, fp = (random.uniform(0, size, number) for size in (positives, rows - positives))
    return Counts(tn=rows - positives - fp, fn=fn, fp=fp, tp=positives - fn)


@pytest.mark.parametrize(
    ("cost", "score"),
    [
        ("5*FN + FP", "1 - (5 * FN + FP) / (5 * P + NEG)"),
        ("FP / (FP + TN)", "1 - FP / (FP + TN)"),
        ("FN", "1 - FN / P"),
        ("5*FN + FP - 2*TP", "(5 * P + NEG - (5 * FN + FP - 2 * TP)) / (5 * P + NEG + 2 * P)"),
        ("max(5*FN, FP)", "1 - max(5 * FN, FP) / max(5 * P, NEG)"),
        ("sqrt(FN) + FP ** 2", "1 - (sqrt(FN) + FP ** 2) / (sqrt(P) + NEG ** 2)"),
    ],
)
def test_a_cost_becomes_the_score_that_falls_as_it_rises(cost, score):
    assert get_score(cost).report.is_cost
    assert as_score(cost) == score
    counts = matrices()
    order = spearmanr(get_score(score)(counts), get_score(cost)(counts)).statistic
    assert order == pytest.approx(-1)


@pytest.mark.parametrize("gain", ["5*TP - FP", "-(5*FN + FP)", "TP * TN", "10*TP - 3*FP + TN"])
def test_a_gain_in_any_unit_becomes_a_score_of_the_same_order(gain):
    score = get_score(as_score(gain))
    counts = matrices()
    assert not get_score(gain).report.is_cost
    assert (score.report.low, score.report.high) == (0, 1)
    assert spearmanr(score(counts), get_score(gain)(counts)).statistic == pytest.approx(1)


def test_all_right_is_1_and_all_wrong_is_0():
    score = get_score(as_score("7*FN + 2*FP - 3*TP"))
    assert score(Counts(tn=30.0, fn=0.0, fp=0.0, tp=10.0)) == pytest.approx(1)
    assert score(Counts(tn=0.0, fn=10.0, fp=30.0, tp=0.0)) == pytest.approx(0)


@pytest.mark.parametrize("text", [*METRICS, "TP / (TP + FP + FN)", "TP / P - FP / NEG"])
def test_what_is_a_score_stays(text):
    assert as_score(text) is None


@pytest.mark.parametrize("text", ["TP / FP", "TP + FN", "FN * TP", "TP - FP * TN", "exp(FP) * 0"])
def test_what_goes_both_ways_or_not_at_all_is_left_alone(text):
    assert as_score(text) is None


def test_the_name_is_kept():
    assert as_score("Missed: 4*FN") == "Missed: 1 - 4 * FN / (4 * P)"


@pytest.mark.parametrize(
    "text",
    ["TP - (FP - FN)", "TP / (FP * FN)", "-(TP + FN) * 2", "(TP + 1) ** 2", "TP - FP - 0.125"],
)
def test_a_written_formula_means_the_same(text):
    again = written(parse_formula(text))
    counts = matrices()
    np.testing.assert_array_equal(get_score(again)(counts), get_score(text)(counts))
