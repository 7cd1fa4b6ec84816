"""The pass over all rows against mini-batches of all rows, least squares, and its own shortcuts."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core.engine import loop
from anyloss_core.engine.blocks import mini_batches
from anyloss_core.engine.linear import sorted_rows
from anyloss_core.engine.linear.linear_pass import LinearPass
from anyloss_core.engine.loop import train
from anyloss_core.engine.study import Rows, Watch
from tests.engine_studies import largest_difference, study, table, trained


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_pass_gives_what_one_batch_of_all_rows_gives(monkeypatch, weighted, seed):
    weights = np.random.default_rng(seed).integers(0, 3, 97) if weighted else None
    setup = study(epochs=30, optimiser="gd", weights=weights, data=table(seed=seed))
    setup = replace(setup, watch=Watch(1, "full"))
    training = train(setup)
    assert [type(group) for group in training.groups] == [LinearPass]
    events = list(training)
    monkeypatch.setattr(loop, "LinearPass", lambda *about: next(mini_batches(*about, size=None)))
    batches, expected = trained(setup)
    for ours, theirs in zip(events, expected, strict=True):
        assert torch.allclose(ours.losses, theirs.losses, atol=1e-12)
        assert torch.allclose(ours.gradient_norms, theirs.gradient_norms, atol=1e-10)
    assert largest_difference(training.parameters(), batches) < 1e-10


def test_least_squares_find_the_best_line():
    setup = study(("linear_mse",), epochs=30, optimiser="gd")
    setup = replace(setup, models=tuple(replace(model, lr=0.3) for model in setup.models))
    parameters, _ = trained(setup)
    x, y = table()
    for fold, rows in enumerate(setup.rows):
        inputs = np.column_stack([x, np.ones(len(x))])[rows.train]
        best = np.linalg.lstsq(inputs, y[rows.train], rcond=None)[0]
        assert np.allclose(parameters.tensors["weight0"][fold, 0], best[:-1], atol=1e-3)


def test_a_diverging_model_warns_nobody_and_leaves_the_others_alone():
    setup = study(("adaline", "linear_mse", "bce"), epochs=60, optimiser="gd")
    wild = tuple(replace(m, lr=1e200) if m.loss.family == "adaline" else m for m in setup.models)
    mixed, [*_, event] = trained(replace(setup, models=wild))
    calm, _ = trained(setup)
    assert event.status[:3] == ("diverged", "training", "training")
    for index in (1, 2, 4, 5):
        assert largest_difference(mixed.one(index), calm.one(index)) == 0


@pytest.mark.parametrize("features", [4, 5])
def test_folds_that_share_rows_and_folds_with_their_own_copy_agree(monkeypatch, features):
    setup = study(epochs=30, weights=np.linspace(0.5, 2, 97), data=table(features=features))
    together, _ = trained(setup)
    monkeypatch.setattr(sorted_rows, "SHARED", 0.0)
    apart, _ = trained(setup)
    assert largest_difference(together, apart) < 1e-10


@pytest.mark.parametrize("batch", [None, 97], ids=["pass", "one batch"])
def test_weights_equal_repetition(batch):
    x, y = table()
    weights = np.random.default_rng(1).integers(0, 4, len(x))
    repeated = np.repeat(np.arange(len(x)), weights)
    plain = (Rows(np.arange(len(x)), np.arange(5)),)
    weighted = study(rows=plain, batch=batch, weights=weights, epochs=10, data=(x, y))
    explicit = study(rows=(Rows(repeated, np.arange(5)),), batch=None, epochs=10, data=(x, y))
    assert largest_difference(trained(weighted)[0], trained(explicit)[0]) < 1e-10
