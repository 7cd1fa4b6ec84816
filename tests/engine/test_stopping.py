"""Early stopping: each model ends for itself and is taken at its best epoch."""

from dataclasses import replace

import pytest
import torch

from anyloss_core.engine.loop import train
from anyloss_core.engine.stopping import Best
from anyloss_core.engine.study import Stopping, Watch
from tests.engine_studies import MLP, PAIR, largest_difference, study, trained


def test_early_stopping_keeps_the_best_epoch_of_each_model():
    setup = study(PAIR, MLP, batch=16, epochs=200, stopping=Stopping("f1", patience=8))
    setup = replace(setup, watch=Watch(1, "scores"))
    training = train(setup)
    events = list(training)
    assert events[-1].epoch < 200
    assert (events[-1].stopped > 0).all()
    best = torch.stack([event.scores("f1") for event in events]).max(0).values
    again = train(replace(setup, start=training.parameters(), stopping=None, epochs=1))
    for index, probabilities in enumerate(again.probabilities()):
        rows = setup.rows[setup.models[index].rows].valid
        labels, predicted = setup.labels[rows], probabilities > 0.5
        score = 2 * (predicted & (labels == 1)).sum() / max((predicted + labels).sum(), 1)
        assert score == pytest.approx(float(best[index]))


def test_a_model_that_stopped_early_is_the_same_alone():
    setup = study(PAIR, epochs=60, stopping=Stopping("f1", patience=5))
    together, _ = trained(setup)
    alone, _ = trained(replace(setup, models=setup.models[3:4]))
    assert largest_difference(together.one(3), alone) < 1e-10


def test_each_model_ends_when_its_patience_does_and_keeps_its_best_state():
    scores = [[0.1, 0.5], [0.3, 0.5], [0.3, 0.4], [0.2, 0.4], [0.9, 0.9]]
    best = Best(Stopping(patience=2), torch.zeros(2), {"weight": torch.zeros(2, 3)})
    ends = []
    for epoch, found in enumerate(scores, start=1):
        state = {"weight": torch.full((2, 3), float(epoch))}
        ends.append(best.update(epoch, torch.tensor(found), state))
    assert ends == [False, False, True, True, False]
    assert best.stopped.tolist() == [4, 3]
    assert best.epochs.tolist() == [2, 1]  # what comes after the end does not count
    assert best.state["weight"][:, 0].tolist() == [2, 1]


def test_a_warm_up_is_not_looked_at():
    scores = [[0.9, 0.9], [0.5, 0.5], [0.4, 0.4], [0.4, 0.4]]
    best = Best(Stopping(patience=2), torch.tensor([2.0, 9.0]), {"weight": torch.zeros(2, 1)})
    for epoch, found in enumerate(scores, start=1):
        best.update(epoch, torch.tensor(found), {"weight": torch.full((2, 1), float(epoch))})
    assert best.epochs.tolist() == [3, 0]
    assert best.stopped.tolist() == [0, 0]
    best.update(5, torch.tensor([0.4, 0.4]), {"weight": torch.full((2, 1), 5.0)})
    assert best.stopped.tolist() == [5, 0]
    last = {"weight": torch.full((2, 1), 6.0)}
    assert best.kept(last)["weight"].flatten().tolist() == [3, 6]


def test_a_training_left_in_its_warm_up_keeps_what_was_trained():
    setup = study(("bce", "anyloss:f1@warm_up=0.9"), epochs=40, stopping=Stopping(patience=40))
    setup = replace(setup, watch=Watch(1, "scores", snapshots=1))
    training = train(setup)
    last = next(event for event in training if event.epoch == 10)
    training.close()
    warming = [i for i, model in enumerate(setup.models) if model.loss.warm_up]
    for model in warming:
        ours, then = training.parameters().one(model), last.parameters.one(model)
        assert largest_difference(ours, then) == 0


def test_a_rise_must_be_large_enough_to_count():
    best = Best(Stopping(patience=2, rise=0.1), torch.zeros(1), {"weight": torch.zeros(1, 1)})
    for epoch, score in enumerate((0.5, 0.55, 0.59), start=1):
        best.update(epoch, torch.tensor([score]), {"weight": torch.ones(1, 1)})
    assert (best.epochs.item(), best.stopped.item()) == (1, 3)


def test_a_training_that_is_left_early_has_its_best_epochs_too():
    setup = study(PAIR, MLP, batch=16, epochs=60, stopping=Stopping("f1", patience=50))
    setup = replace(setup, watch=Watch(1, "scores", snapshots=1))
    training, events = train(setup), []
    for event in training:
        events.append(event)
        if event.epoch == 20:
            break
    training.close()
    scores = torch.stack([event.scores("f1") for event in events])
    for index, first in enumerate(scores.max(0).indices.tolist()):
        kept = events[first].parameters.one(index)
        assert largest_difference(training.parameters().one(index), kept) == 0
