"""Counts and dead samples, chunk by chunk."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core.engine import evaluation
from anyloss_core.engine.models import predict
from anyloss_core.engine.study import Rows, Watch
from anyloss_core.losses.losses import CountsLoss
from tests.engine_studies import MLP, SLP, study, trained


@pytest.mark.parametrize(("network", "batch"), [(SLP, None), (MLP, 16)], ids=["slp", "mlp"])
def test_soft_counts_are_those_of_the_loss_on_all_rows(network, batch):
    setup = study(network=network, batch=batch, epochs=5, watch=Watch(5, "full", snapshots=5))
    _, [*_, event] = trained(setup)
    outputs = predict(event.parameters, torch.as_tensor(setup.features))
    for index, recipe in enumerate(setup.models):
        loss = recipe.loss.build()
        if not isinstance(loss, CountsLoss):
            continue
        rows = setup.rows[recipe.rows].valid
        soft = loss.softening(outputs[index, rows])
        labels = torch.as_tensor(setup.labels[rows])
        assert float(event.valid_soft.tp[index]) == pytest.approx(float((soft * labels).sum()))
        assert float(event.valid_soft.fp[index]) == pytest.approx(
            float((soft * (1 - labels)).sum())
        )


def test_rows_in_chunks_are_counted_as_all_at_once(monkeypatch):
    everything = (Rows(np.arange(97), np.arange(97)),)
    setup = study(rows=everything, epochs=3, watch=Watch(3), weights=np.linspace(0.5, 2, 97))
    _, [*_, whole] = trained(setup)
    monkeypatch.setattr(evaluation, "CACHED", 1)  # chunks of 64 rows
    _, [*_, cut] = trained(setup)
    for name in ("valid_hard", "valid_soft", "train_hard", "train_soft"):
        ours, theirs = (torch.stack([*getattr(event, name)]) for event in (cut, whole))
        assert torch.allclose(ours, theirs, atol=1e-12), name
    assert torch.allclose(cut.dead_share, whole.dead_share)


def test_naive_float64_at_large_L_counts_its_dead_samples():
    x = np.repeat([[-8.0], [8.0]], 20, axis=0)
    y = np.repeat([0, 1], 20)
    rows = (Rows(np.arange(40), np.arange(4)),)
    setup = study(
        ("anyloss:f1@L=200,form=naive", "anyloss:f1@L=200"), data=(x, y), rows=rows, epochs=150
    )
    _, [*_, event] = trained(replace(setup, watch=Watch(every=150)))
    assert event.dead_share.tolist() == [0.5, 0.0]  # only the side near 1 saturates


@pytest.mark.parametrize(("network", "batch"), [(SLP, None), (MLP, 16)], ids=["slp", "mlp"])
def test_a_sample_of_the_training_rows_has_its_p_and_soft_labels(monkeypatch, network, batch):
    """In chunks, for warm-up, ramp and means, against the parameters and the softening."""
    monkeypatch.setattr(evaluation, "CACHED", 1)  # chunks of 64 rows
    fold = Rows(np.arange(96, -1, -1), np.arange(3))
    sample = np.array([0, 5, 63, 64, 96])
    losses = ("bce", "mse", "anyloss:f1@L=2..20,warm_up=0.4", "sol:f1")
    watch = Watch(1, "full", snapshots=1, sample=sample)
    setup = study(losses, network=network, rows=(fold,), batch=batch, epochs=5, watch=watch)
    _, events = trained(setup)
    for event in events:
        outputs = predict(event.parameters, torch.as_tensor(setup.features[fold.train[sample]]))
        p = torch.sigmoid(outputs)
        torch.testing.assert_close(event.sample_p, p)
        torch.testing.assert_close(event.sample_soft[:2], p[:2])
        phase = setup.models[2].loss.at(event.epoch - 1, 5)
        amplified = p[2] if phase.warming_up else torch.sigmoid(phase.L * (p[2] - 0.5))
        torch.testing.assert_close(event.sample_soft[2], amplified)
        softened = setup.models[3].loss.build().softening.from_probabilities(p[3])
        torch.testing.assert_close(event.sample_soft[3], softened)


def test_without_a_sample_nothing_is_kept():
    _, [*_, event] = trained(study(epochs=2, watch=Watch(2)))
    assert event.sample_p.shape == (len(event.losses), 0)
