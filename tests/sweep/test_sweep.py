"""A sweep of L: every L trained for its metric, ramps and formulas among them."""

import pytest

from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.sweep.sweep import sweep
from tests.support.sweeps import sweep_of

FAST = {"folds": 3, "epochs": 20}


@pytest.fixture(scope="module")
def dataset():
    return builtin("breast_cancer_imbalanced")


def test_a_sweep_gives_what_a_comparison_of_the_same_losses_gives(dataset):
    found = sweep(dataset, ("f1", "gmean"), (5, 73, "5..73"), **FAST).summary()
    losses = [f"anyloss:{m}@L={L}" for m in ("f1", "gmean") for L in ("5", "73", "5..73")]
    means = compare(dataset, losses, **FAST).summary()
    for row in found.itertuples():
        oracle = means.loc[f"anyloss:{row.metric}@L={row.setting}", row.metric]
        assert found.loc[row.Index, "mean"] == pytest.approx(oracle)


def test_a_formula_is_judged_by_itself(dataset):
    typed = sweep(dataset, ("TP / (TP + FP + FN)",), (10,), **FAST).summary()["mean"].item()
    named = sweep(dataset, ("jaccard",), (10,), **FAST).summary()["mean"].item()
    assert typed == pytest.approx(named)


def test_seeds_widen_the_band(dataset):
    assert sweep(dataset, ("f1",), (10,), seeds=2, **FAST).scores["fold"].nunique() == 6


def test_a_large_naive_L_in_float32_kills_samples(dataset):
    settings = FAST | {"form": "naive", "warm_up": 0.0, "dtype": "float32", "lr": 0.03}
    table = sweep(dataset, ("f1",), (5, 500), **settings).summary()
    dead = table.set_index("setting")["dead_share"]
    assert dead["5"] == 0
    assert dead["500"] > 0.5


def test_nothing_to_sweep_is_refused(dataset):
    with pytest.raises(ValueError, match="at least one"):
        sweep(dataset, (), (5,))
    with pytest.raises(ValueError, match="L must be"):
        sweep(dataset, ("f1",), ("5..x",))


def test_the_best_L_is_the_smallest_constant_among_equals():
    assert sweep_of({"73": 0.8, "10": 0.8, "5..73": 0.9, "5": 0.7}).best() == {"f1": 10.0}
