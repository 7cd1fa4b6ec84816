"""Ranks against scipy's Friedman test and Demšar's published critical values."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from anyloss_core.statistics.ranks import critical_difference, friedman_p, rank_losses
from anyloss_core.statistics.score_table import ScoreTableError
from tests.statistics.test_analysis import table


@pytest.mark.parametrize(("losses", "q"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_critical_values_are_demsar_s_table(losses, q):
    expected = q * np.sqrt(losses * (losses + 1) / (6 * 30))
    assert critical_difference(losses, 30) == pytest.approx(expected, abs=5e-4)


def test_friedman_equals_scipy_with_and_without_ties():
    rng = np.random.default_rng(0)
    for scores in (rng.random((12, 4)), rng.integers(0, 3, (12, 4)).astype(float)):
        ranks = pd.DataFrame(scores).rank(axis=1).to_numpy()
        assert friedman_p(ranks) == pytest.approx(stats.friedmanchisquare(*scores.T).pvalue)
    assert friedman_p(np.full((5, 3), 2.0)) == 1


def test_the_best_loss_has_the_lowest_rank_and_ties_share():
    scores = table({"bce": [0.5, 0.5], "mse": [0.9, 0.5 + 1e-12], "sol:f1": [0.1, 0.2]})
    ranking = rank_losses(scores, "f1")
    assert ranking.ranks.to_dict() == {"mse": 1.25, "bce": 1.75, "sol:f1": 3.0}
    assert (ranking.n_datasets, ranking.dropped) == (2, 0)


def test_incomplete_data_sets_are_left_out_and_counted():
    scores = table({"bce": [0.5, 0.5, 0.4], "mse": [0.9, np.nan, 0.1]})
    ranking = rank_losses(scores, "f1")
    assert (ranking.n_datasets, ranking.dropped) == (2, 1)


def test_groups_join_ranks_within_one_critical_difference():
    rng = np.random.default_rng(1)
    size = 60
    scores = table(
        {
            "a": rng.random(size) + 2,
            "b": rng.random(size) + 1.95,
            "c": rng.random(size),
            "d": rng.random(size) - 9,
        }
    )
    ranking = rank_losses(scores, "f1")
    assert ranking.groups == [("a", "b")] or ranking.groups == [("b", "a")]
    assert ranking.p_value < 1e-6


def test_too_little_to_rank_is_said():
    with pytest.raises(ScoreTableError, match="two losses on two data sets, got 1 on 3"):
        rank_losses(table({"bce": [0.1, 0.2, 0.3]}), "f1")
    with pytest.raises(ValueError, match="alpha"):
        rank_losses(table({"bce": [0.1, 0.2], "mse": [0.1, 0.2]}), "f1", alpha=5)
