"""Expression trees: what they say about themselves."""

import pytest

from anyloss_core.losses.expression import LEAVES, PARTS, call, leaf, number
from anyloss_core.losses.formula import parse_formula
from anyloss_core.losses.scores import METRICS, f_beta


def test_a_tree_knows_the_counts_it_depends_on():
    assert parse_formula("TP / (TP + FP)").counts == {"tp", "fp"}
    assert parse_formula("TP / P").counts == {"tp", "fn"}
    assert parse_formula("TN / N").counts == {"tn", "fn", "fp", "tp"}
    assert call("+", number(1), number(2)).counts == frozenset()


def test_trees_that_differ_in_constants_alone_have_one_shape():
    one, other = parse_formula("2 * TP / (N + 3)"), parse_formula("5 * TP / (N + 0.5)")
    assert one.shape == other.shape
    assert (one.constants, other.constants) == ((2.0, 3.0), (5.0, 0.5))
    assert one.shape != parse_formula("2 * TP / (N - 3)").shape
    assert one.shape != parse_formula("2 * TN / (N + 3)").shape


def test_all_f_scores_have_one_shape():
    assert len({f_beta(beta).tree.shape for beta in (0.5, 1.0, 2.0, 7.0)}) == 1


@pytest.mark.parametrize("name", LEAVES)
def test_every_leaf_is_a_sum_of_counts(name):
    assert leaf(name).counts == set(PARTS[name])


def test_trees_are_equal_if_they_say_the_same():
    assert parse_formula("TP/N") == parse_formula(" ( TP ) / N ")
    assert parse_formula("TP/N") != METRICS["accuracy"].tree
