"""Formulas of goals are read back as what they were made of, and nothing else is taken for one."""

import pytest

from anyloss_core.common.goal_formulas import cost_formula, floor_formula, read_cost, read_floor


@pytest.mark.parametrize("prices", [(50, 1, 10), (0.5, 2.25, 0), (0, 1e-3, 7), (1e9, 3, 1e9)])
def test_a_cost_is_read_back(prices):
    assert read_cost(cost_formula(*prices)) == prices


@pytest.mark.parametrize("held", [("precision", "recall", 0.9), ("recall", "precision", 0.05)])
def test_a_floor_is_read_back(held):
    assert read_floor(floor_formula(*held)) == held


@pytest.mark.parametrize(
    "other",
    [
        "f1",
        "TP / P",
        "(10 * TP - 50 * FN - 1 * FP) / (61 * P)",  # not what a miss and a hit add up to
        "(10 * TP - 50 * FN - 1 * FP) / N",
        "TP / N - 5 * max(0.9 - TP / P, 0)",
        "TP / P - 4 * max(0.9 - TP / P, 0)",
    ],
)
def test_other_formulas_are_neither(other):
    assert read_cost(other) is None
    assert read_floor(other) is None
