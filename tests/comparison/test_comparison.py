"""Comparisons: the published figures, repeatable, stoppable, whatever else is compared."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.comparison.comparison import Comparing, ComparisonSettings, compare
from anyloss_core.comparison.protocols import PROTOCOLS
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.engine.loop import train
from anyloss_core.losses.scores import METRICS
from tests.support.small_table import small

EIGHT = (
    "mse",
    "bce",
    "anyloss:accuracy",
    "anyloss:f1",
    "anyloss:f0.5",
    "anyloss:f2",
    "anyloss:gmean",
    "anyloss:balanced_accuracy",
)
# Published SLP scores of the eight losses above, in their order (paper, appendix).
PUBLISHED = {
    "random": {
        "accuracy": (0.898, 0.9215, 0.922, 0.9139, 0.9235, 0.8726, 0.8594, 0.8533),
        "f1": (0.075428, 0.546856, 0.540208, 0.632383, 0.57261, 0.589266, 0.571078, 0.563108),
        "gmean": (0.194819, 0.664798, 0.654791, 0.814538, 0.690798, 0.872564, 0.874335, 0.87454),
        "balanced_accuracy": (
            0.519203,
            0.714945,
            0.70891,
            0.823336,
            0.732524,
            0.872757,
            0.874674,
            0.875064,
        ),
    },
    "breast_cancer_imbalanced": {
        "accuracy": (
            0.979615,
            0.984679,
            0.987244,
            0.984679,
            0.984679,
            0.989744,
            0.982179,
            0.982179,
        ),
        "f1": (0.86381, 0.90127, 0.912381, 0.90127, 0.892381, 0.932381, 0.90127, 0.906032),
        "gmean": (0.875467, 0.919174, 0.920613, 0.919174, 0.902262, 0.950962, 0.946705, 0.961198),
        "balanced_accuracy": (
            0.8875,
            0.927738,
            0.929167,
            0.927738,
            0.9125,
            0.956944,
            0.952738,
            0.963849,
        ),
    },
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_slp_equals_the_published_figures_to_six_decimals(name):
    found = compare(builtin(name), losses=EIGHT, model="slp", protocol="paper").summary()
    for metric, figures in PUBLISHED[name].items():
        ours = [round(found.loc[loss, metric], 6) for loss in EIGHT]
        assert ours == list(figures), metric


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_the_same_seed_repeats_a_comparison_and_another_does_not(protocol):
    settings = {"losses": ("bce", "anyloss:f1"), "model": "mlp", "folds": 2, "epochs": 6}
    runs = [compare(small(), protocol=protocol, seed=seed, **settings) for seed in (1, 1, 2)]
    first, again, other = (run.probabilities.drop(columns="fold") for run in runs)
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)


def test_a_loss_gives_the_same_numbers_whatever_it_is_compared_with():
    settings = {"model": "mlp", "folds": 3, "epochs": 25, "batch": 20}
    alone = compare(small(), losses=("anyloss:gmean",), **settings).probabilities
    crowd = ("bce", "bce+smote", "bce+threshold", "anyloss:gmean", "sol:f1", "focal")
    among = compare(small(), losses=crowd, **settings).probabilities
    assert np.allclose(alone["anyloss:gmean"], among["anyloss:gmean"], atol=1e-9)


def test_as_released_carries_one_network_through_losses_and_folds(monkeypatch):
    data = small()
    losses = ("bce", "anyloss:f1", "mse")
    settings = ComparisonSettings(losses, "mlp", "as_released", folds=2, epochs=4)
    fresh = []

    def follow(study, on_batch):
        fresh.append(study.start is None)
        return train(study, on_batch)

    monkeypatch.setattr("anyloss_core.comparison.comparison.train", follow)
    comparing = Comparing(data, settings)
    list(comparing)
    assert fresh == [True, False, True, False, False, False]  # mse has a network of its own
    assert comparing.result().scores["fold"].nunique() == 2


def test_stopping_in_the_middle_keeps_what_is_trained():
    settings = ComparisonSettings(("bce", "anyloss:f1"), folds=3, epochs=100)
    comparing = Comparing(small(), settings)
    for progress in comparing:
        if progress.done >= 40:
            break
    comparing.close()
    assert progress.fraction == 0.4
    assert progress.seconds_left > 0
    found = comparing.result()
    assert found.settings["epochs_done"] == 40
    assert len(found.scores) == 2 * 3 * len(METRICS)


def test_an_exception_between_batches_ends_a_comparison_at_once():
    def stop():
        raise InterruptedError

    comparing = Comparing(small(), ComparisonSettings(("bce",), model="mlp", batch=10), stop)
    with pytest.raises(InterruptedError):
        list(comparing)
    assert comparing.result().settings["epochs_done"] == 0


def test_progress_reaches_its_total():
    seen = []
    compare(small(), losses=("bce",), folds=2, epochs=30, on_progress=seen.append)
    assert seen[-1].fraction == 1.0
    assert [p.done for p in seen] == sorted(p.done for p in seen)
