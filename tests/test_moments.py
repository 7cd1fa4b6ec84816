"""Least squares by second moments against the rows themselves."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core import linear, moments
from anyloss_core.batches import Table
from anyloss_core.engine import train
from anyloss_core.moments import Moments, pays
from anyloss_core.spelling import parse_loss
from anyloss_core.study import Rows, Watch
from tests.engine_studies import study, table

LINEAR = ("adaline", "linear_mse")


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_sums_and_slopes_are_those_of_all_rows(weighted):
    weights = np.linspace(0, 3, 97) if weighted else None
    rows = (Rows(np.arange(80), np.arange(5)), Rows(np.repeat(np.arange(40), 2), np.arange(5)))
    setup = study(LINEAR, rows=rows, weights=weights)
    losses = [parse_loss(name) for name in LINEAR]
    found = Moments(Table(setup), setup.rows, losses)
    w = torch.randn(3, 2, 2, 5, dtype=torch.float64, generator=torch.manual_seed(0))
    for fold, part in enumerate(rows):
        x = torch.as_tensor(np.column_stack([setup.features, np.ones(97)])[part.train])
        y = torch.as_tensor(setup.labels[part.train]).double()
        sample = torch.ones(len(y)) if weights is None else torch.as_tensor(weights[part.train])
        for place, spec in enumerate(losses):
            for epoch in range(3):
                leaf = w[epoch, fold, place].clone().requires_grad_()
                expected = (spec.build().values(x @ leaf, y) * sample).sum()
                expected.backward()
                slopes = found.pulled(w[epoch].numpy())[fold, place]
                assert float(found.losses(w)[epoch, fold, place]) == pytest.approx(expected.item())
                assert np.allclose(slopes, leaf.grad, rtol=1e-12)


def test_models_train_the_same_with_and_without_moments(monkeypatch):
    setup = study((*LINEAR, "bce", "anyloss:f1"), epochs=40, watch=Watch(5, "scores"))
    training = train(setup)
    events = list(training)
    monkeypatch.setattr(linear, "pays", lambda *_: False)
    plain = train(setup)
    assert plain.groups[0].moments is None
    for ours, theirs in zip(events, plain, strict=True):
        assert torch.allclose(ours.losses, theirs.losses, atol=1e-12)
    for name, tensor in training.parameters().tensors.items():
        assert torch.allclose(tensor, plain.parameters().tensors[name], atol=1e-12)


def test_wide_tables_and_short_folds_keep_to_the_rows():
    folds = (Rows(np.arange(1000), np.arange(5)), Rows(np.arange(50), np.arange(5)))
    assert pays(folds, 50)
    assert not pays(folds, 51)
    assert not pays(folds[:1], moments.WIDE + 1)


def test_least_squares_alone_need_no_rows_at_all():
    setup = study(("linear_mse",), epochs=30, optimiser="gd")
    setup = replace(setup, models=tuple(replace(model, lr=0.3) for model in setup.models))
    training = train(setup)
    list(training)
    assert training.groups[0].desks == []
    x, y = table()
    for fold, rows in enumerate(setup.rows):
        inputs = np.column_stack([x, np.ones(len(x))])[rows.train]
        best = np.linalg.lstsq(inputs, y[rows.train], rcond=None)[0]
        found = training.parameters().tensors
        assert np.allclose(found["weight0"][fold, 0], best[:-1], atol=1e-3)


def test_a_diverging_model_warns_nobody_and_leaves_the_others_alone():
    setup = study((*LINEAR, "bce"), epochs=60, optimiser="gd")
    wild = tuple(replace(m, lr=1e200) if m.loss.family == "adaline" else m for m in setup.models)
    mixed, calm = train(replace(setup, models=wild)), train(setup)
    *_, event = mixed
    list(calm)
    assert event.status[:3] == ("diverged", "training", "training")
    for place in (1, 2, 4, 5):
        ours, theirs = mixed.parameters().one(place), calm.parameters().one(place)
        assert torch.equal(ours.tensors["weight0"], theirs.tensors["weight0"])
