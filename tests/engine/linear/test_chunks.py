"""Rows in chunks: the same results however they are cut and left out."""

import numpy as np
import pytest
import torch

from anyloss_core.engine.batches import Table
from anyloss_core.engine.linear import chunks
from anyloss_core.engine.linear.chunks import make_chunks
from anyloss_core.engine.linear.sorted_rows import sorted_rows
from anyloss_core.engine.study import Rows
from tests.engine_studies import PAIR, largest_difference, study, trained


def chunks_of(setup, size=(3, 2)):
    rows = sorted_rows(setup, setup.rows, padding=len(setup.labels))
    return list(make_chunks(Table(setup), rows, size))


@pytest.mark.parametrize("numbers", [1, 3 * 2 * 10, 3 * 2 * 97])
def test_chunks_hold_all_rows_positive_ones_first(monkeypatch, numbers):
    monkeypatch.setattr(chunks, "NUMBERS", numbers)
    setup = study(PAIR)
    found = chunks_of(setup)
    assert len(found) == -(-97 * 6 // numbers) or numbers == 1
    labels = torch.cat([chunk.labels for chunk in found])
    assert torch.equal(labels, labels.sort(descending=True).values)
    inputs = torch.cat([chunk.inputs[0] for chunk in found], -1)
    own = torch.as_tensor(np.column_stack([setup.features, np.ones(97)]))
    assert torch.equal(inputs[0].sort().values, own[:, 0].sort().values)
    assert (inputs[-1] == 1).all()
    rows = sum(part.ones.numel() for chunk in found for _, part in chunk.classes)
    assert rows == 97


@pytest.mark.parametrize("weights", [None, np.linspace(0, 2, 97)], ids=["left out", "weighted"])
def test_what_a_fold_does_not_learn_from_becomes_zero(monkeypatch, weights):
    monkeypatch.setattr(chunks, "RUN", 0)
    setup = study(PAIR, weights=weights)
    (chunk,) = chunks_of(setup)
    assert (chunk.weights is None) == (weights is None)
    chunk.buffers.outputs.fill_(1.0)
    chunk.buffers.slopes.fill_(1.0)
    chunk.mask()
    for fold, rows in enumerate(setup.rows):
        expected = len(rows.train) if weights is None else weights[rows.train].sum()
        assert chunk.buffers.outputs[fold, 1].sum().item() == pytest.approx(expected)
        assert chunk.buffers.slopes[fold, 0].sum().item() == pytest.approx(expected)


@pytest.mark.parametrize("shared", [True, False], ids=["shared rows", "rows of their own"])
def test_many_small_chunks_train_like_one(monkeypatch, shared):
    rows = (
        None
        if shared
        else (Rows(np.arange(40), np.arange(9)), Rows(np.arange(41, 97), np.arange(9)))
    )
    setup = study(epochs=15, rows=rows)
    whole, _ = trained(setup)
    monkeypatch.setattr(chunks, "NUMBERS", 57 * 7)
    cut, _ = trained(setup)
    assert largest_difference(whole, cut) < 1e-12


def test_runs_that_are_zeroed_and_weights_that_multiply_agree(monkeypatch):
    setup = study(epochs=15)
    monkeypatch.setattr(chunks, "RUN", 0)
    zeroed, _ = trained(setup)
    monkeypatch.setattr(chunks, "RUN", 1 << 40)
    multiplied, _ = trained(setup)
    assert largest_difference(zeroed, multiplied) < 1e-12
