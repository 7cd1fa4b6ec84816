"""What the formulas say is what the numbers are."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import studentized_range

from anyloss_core.benchmark.evidence import TESTS
from anyloss_core.statistics.analysis import count_wins, imbalance_group
from anyloss_core.statistics.bayes import sign_test
from anyloss_core.statistics.ranks import rank_losses
from pages.ui.many import formulas


def scores(**gains):
    """Loss -> its difference to BCE on every data set."""
    rows = [
        (f"d{place}", loss, "f1", 0.5 + gain)
        for loss, found in {"bce": [0.0] * len(next(iter(gains.values()))), **gains}.items()
        for place, gain in enumerate(found)
    ]
    return pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])


def test_every_test_has_a_name_and_a_formula():
    assert set(formulas.TEST_NAMES) == set(formulas.TEST_FORMULAS) == set(TESTS)
    for name, text in formulas.TEST_FORMULAS.items():
        words = formulas.TEST_NAMES[name].lower().removesuffix(" test")
        assert f"**Bayesian {words} test**" in text
        assert "region of practical equivalence" in text


def test_one_prior_vote_goes_to_the_draw_as_the_formula_says():
    assert r"\text{Dirichlet}(n_-, n_0 + 1, n_+)" in formulas.TEST_FORMULAS["sign"]
    verdict = sign_test(scores(mse=[0.1] * 6 + [0.0] * 2 + [-0.1] * 3), rope=0.01)
    mean = verdict.posterior.mean(axis=0)  # baseline better, no difference, candidate better
    assert mean == pytest.approx(np.array([3, 2 + 1, 6]) / 12, abs=0.01)


def test_a_tie_is_a_difference_of_no_more_than_the_formula_says():
    assert "(exactly the rope too, to $10^{-9}$)" in formulas.WINS
    (row,) = count_wins(scores(mse=[0.9e-9, -0.9e-9, 1.1e-9, -1.1e-9, 1e-3])).itertuples()
    assert (row.wins, row.ties, row.losses) == (2, 2, 1)
    (row,) = count_wins(scores(mse=[0.01, -0.01, 0.0101, 0.02]), rope=0.01).itertuples()
    assert (row.wins, row.ties, row.losses) == (2, 2, 0)


def test_the_group_of_the_example_is_the_one_that_it_names():
    assert "smaller class: 60:40-70:30 means 30 to 40 % of the rows" in formulas.GROUPS
    assert imbalance_group(0.31) == imbalance_group(0.39) == imbalance_group(0.65) == "60:40-70:30"
    assert imbalance_group(0.29) != "60:40-70:30" != imbalance_group(0.41)


def test_the_critical_difference_is_that_of_the_formula():
    assert r"CD = q_{0.05} \sqrt{\frac{k(k+1)}{6N}}" in formulas.RANKS
    ranking = rank_losses(scores(mse=[0.1, -0.1, 0.2, 0.1], focal=[0.2, 0.1, 0.1, -0.3]), "f1")
    q = studentized_range.ppf(0.95, 3, np.inf) / np.sqrt(2)
    assert ranking.critical_difference == pytest.approx(q * np.sqrt(3 * 4 / (6 * 4)))
