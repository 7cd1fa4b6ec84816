"""How models are sorted into blocks, and what the classes of a fold count."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core.engine import blocks
from anyloss_core.engine.batches import Table
from anyloss_core.engine.blocks import class_weights, lay_out, mini_batches
from anyloss_core.engine.study import Recipe
from anyloss_core.losses.spelling import parse_loss
from tests.engine_studies import LOSSES, MLP, PAIR, largest_difference, study, trained


def test_models_of_equal_batches_and_losses_share_a_block():
    ((size, models),) = lay_out(study(batch=30))
    assert size == 30
    assert [len(row) for row in models] == [len(LOSSES)] * 3
    assert Counter(index for row in models for index in row) == Counter(range(3 * len(LOSSES)))


def test_batches_that_hold_all_rows_are_full_batches():
    setup = study(PAIR, batch=65)  # folds of 64, 65 and 65 rows
    assert [size for size, _ in lay_out(setup)] == [None]


def test_other_batches_and_other_losses_are_other_blocks():
    setup = study(PAIR, batch=16)
    other = Recipe(parse_loss("focal"), 0, 0.1, 16), Recipe(parse_loss("bce"), 1, 0.1, 20)
    setup = replace(setup, models=(*setup.models, *other))
    shapes = sorted((size, len(models), len(models[0])) for size, models in lay_out(setup))
    assert shapes == [(16, 1, 3), (16, 2, 2), (20, 1, 1)]


def test_a_group_holds_as_many_models_as_fit_the_cache(monkeypatch):
    setup = study(PAIR, MLP, batch=30)
    ((size, models),) = lay_out(setup)
    for cached, groups, in_group in ((1 << 16, 1, 1), (2 * 30 * 2 * 2, 2, 1), (1, 3, 2)):
        monkeypatch.setattr(blocks, "CACHED", cached)
        found = list(mini_batches(setup, Table(setup), models, size))
        assert (len(found), len(found[0].blocks)) == (groups, in_group)


def test_how_models_are_grouped_changes_nothing(monkeypatch):
    setup = study(network=MLP, batch=16, epochs=5)
    together, [*_, event] = trained(setup)
    monkeypatch.setattr(blocks, "CACHED", 1)
    apart, [*_, alone] = trained(setup)
    assert largest_difference(together, apart) < 1e-12
    assert torch.allclose(event.losses, alone.losses, atol=1e-12)


def test_the_weight_of_each_class():
    weights = np.linspace(0.5, 2, 97)
    for given in (None, weights):
        setup = study(PAIR, weights=given)
        for name in ("train", "valid"):
            found = class_weights(setup, setup.rows, name)
            for fold, rows in enumerate(setup.rows):
                own = getattr(rows, name)
                counted = np.ones(97)[own] if given is None else weights[own]
                expected = np.bincount(1 - setup.labels[own], counted)
                assert found[fold] == pytest.approx(expected)


def test_weighted_bce_evens_the_classes_out_unless_told_otherwise():
    setup = study(("weighted_bce", "weighted_bce@pos_weight=2"), epochs=1, optimiser="gd")
    parameters, _ = trained(setup)
    labels = setup.labels[setup.rows[0].train]
    even = (labels == 0).sum() / (labels == 1).sum()
    for index, weight in enumerate((even, 2.0)):
        steps = np.where(labels == 1, weight / 2, -1 / 2)  # minus the slopes at p = 1/2
        expected = setup.models[index].lr * steps.mean()
        assert float(parameters.tensors["bias0"][index]) == pytest.approx(expected)
