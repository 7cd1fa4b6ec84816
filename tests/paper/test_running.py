"""A comparison for a published table: means over folds, over seeds, and per epoch."""

import numpy as np
import pytest

from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.paper.running import (
    by_plain_name,
    mean_curves,
    mean_scores,
    run_comparison,
    seed_means,
)

LOSSES = ["bce", "anyloss:f1@L=50"]
SETTINGS = {"folds": 3, "seeds": 2, "epochs": 6, "curves": 6}


@pytest.fixture(scope="module")
def found():
    shares = []
    comparison = run_comparison(
        builtin("breast_cancer_imbalanced"),
        LOSSES,
        lambda share, message: shares.append((share, message)),
        "message",
        **SETTINGS,
    )
    return comparison, shares


def test_it_is_the_comparison_under_the_paper_protocol(found):
    data = builtin("breast_cancer_imbalanced")
    expected = compare(data, LOSSES, protocol="paper", **SETTINGS)
    assert found[0].scores["score"].tolist() == expected.scores["score"].tolist()


def test_progress_grows_to_one(found):
    shares = [share for share, _ in found[1]]
    assert shares == sorted(shares)
    assert found[1][-1] == (1.0, "message")


def test_means_are_over_folds_and_seeds(found):
    scores = found[0].scores.query("loss == 'bce' and metric == 'f1'").sort_values("fold")["score"]
    assert mean_scores(found[0])["bce", "f1"] == pytest.approx(scores.mean())
    by_seed = scores.to_numpy().reshape(2, 3).mean(axis=1)
    np.testing.assert_allclose(seed_means(found[0], folds=3)["bce", "f1"], by_seed)


def test_options_can_be_left_out_of_the_names(found):
    plain = by_plain_name(mean_scores(found[0]))
    assert plain["anyloss:f1", "f1"] == mean_scores(found[0])["anyloss:f1@L=50", "f1"]


def test_curves_are_means_over_the_folds(found):
    curves = found[0].curves.query("loss == 'bce'")
    last = curves[curves["epoch"] == curves["epoch"].max()]["train_loss"].mean()
    assert mean_curves(found[0])["bce"][-1] == pytest.approx(last)
