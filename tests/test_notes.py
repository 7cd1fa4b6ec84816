"""Epochs that are judged together against the same epochs judged one by one."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core import notes
from anyloss_core.engine import train
from anyloss_core.estimates import estimate
from anyloss_core.models import predict
from anyloss_core.study import Rows, Stopping, Watch
from tests.engine_studies import MLP, SLP, study, table

EVERY = Watch(1, "scores", snapshots=1)
PAIR = ("bce", "anyloss:f1@L=10")


def told(setup):
    return list(train(setup))


def sizes(setup):
    """How many events were judged together, page by page."""
    pages: dict[int, int] = {}
    for event in told(setup):
        pages[id(event.judged)] = len(event.judged.hard)
    return list(pages.values())


@pytest.mark.parametrize("batch", [None, 16], ids=["full", "mini"])
@pytest.mark.parametrize("network", [SLP, MLP], ids=["slp", "mlp"])
def test_judged_together_or_one_by_one_events_are_the_same(monkeypatch, network, batch):
    setup = study(network=network, batch=batch, epochs=30, watch=EVERY)
    monkeypatch.setattr(notes, "AHEAD", 60.0)
    together = told(setup)
    monkeypatch.setattr(notes, "MOST", 1)
    for ours, alone in zip(together, told(setup), strict=True):
        assert ours.epoch == alone.epoch
        assert torch.equal(torch.stack([*ours.valid_hard]), torch.stack([*alone.valid_hard]))
        assert torch.equal(ours.scores("gmean"), alone.scores("gmean"))
        assert torch.allclose(ours.losses, alone.losses, atol=1e-12)
        for name, tensor in ours.parameters.tensors.items():
            assert torch.equal(tensor, alone.parameters.tensors[name]), name
        if ours.epoch == 1:
            assert ours.previous is alone.previous is None
        else:
            assert torch.allclose(ours.previous, alone.previous, atol=1e-12)


def test_pages_hold_what_is_estimated_to_take_a_tenth_of_a_second(monkeypatch):
    setup = study(epochs=200, watch=Watch(1, "scores"))
    seconds = estimate(setup).seconds / 200
    assert sizes(setup) == [1, 64, 64, 64, 7]
    monkeypatch.setattr(notes, "AHEAD", 8.5 * seconds)
    assert sizes(replace(setup, epochs=18)) == [1, 8, 8, 1]
    assert sizes(replace(setup, epochs=18, watch=Watch(3, "scores"))) == [1, 2, 2, 2]
    monkeypatch.setattr(notes, "AHEAD", 0.0)
    assert sizes(replace(setup, epochs=9)) == [1] * 9


@pytest.mark.parametrize(
    "setting",
    [{"watch": Watch(1, "full")}, {"watch": EVERY, "stopping": Stopping("f1", patience=50)}],
    ids=["full", "stopping"],
)
def test_what_needs_the_epoch_itself_is_judged_at_once(setting):
    assert sizes(study(epochs=12, **setting)) == [1] * 12


@pytest.mark.parametrize("network", [SLP, MLP], ids=["slp", "mlp"])
def test_to_the_caller_the_training_is_where_the_last_event_was(monkeypatch, network):
    monkeypatch.setattr(notes, "AHEAD", 60.0)
    setup = study(network=network, batch=16 if network is MLP else None, epochs=60, watch=EVERY)
    training = train(setup)
    for event in training:
        if event.epoch in (3, 12, 40):
            now = training.parameters()
            for name, tensor in event.parameters.tensors.items():
                assert torch.equal(now.tensors[name], tensor)
            outputs = predict(event.parameters, torch.as_tensor(setup.features))
            place = next(i for i, m in enumerate(setup.models) if m.loss.family == "bce")
            valid = setup.rows[setup.models[place].rows].valid
            expected = torch.sigmoid(outputs[place, valid]).numpy()
            assert np.allclose(training.probabilities()[place], expected)
    undisturbed = [event.parameters for event in told(setup)][-1]
    assert all(
        torch.equal(tensor, training.parameters().tensors[name])
        for name, tensor in undisturbed.tensors.items()
    )


def test_a_training_is_left_where_its_last_event_was():
    training = train(study(epochs=100, watch=EVERY))
    event = next(event for event in training if event.epoch == 30)
    for _ in ("left", "closed"):
        assert (training.epoch, training.seconds) == (30, event.seconds)
        for name, tensor in training.parameters().tensors.items():
            assert torch.equal(tensor, event.parameters.tensors[name])
        training.close()
    assert list(training) == []


def test_samples_die_by_the_L_of_the_last_event(monkeypatch):
    losses = ("anyloss:f1@L=1..2000,form=naive,warm_up=0.2",)
    setup = study(losses, data=table(400), epochs=50, watch=Watch(1, "scores"))
    setup = replace(setup, models=tuple(replace(model, lr=0.5) for model in setup.models))
    shares = []
    for most in (64, 1):
        monkeypatch.setattr(notes, "MOST", most)
        training = train(setup)
        for event in training:
            if event.epoch in (5, 20, 40):
                shares.append(training.dead_share())
    assert all(torch.equal(ours, alone) for ours, alone in zip(shares[:3], shares[3:], strict=True))
    assert (shares[0] == 0).all()
    assert (shares[2] > 0).any()


def test_a_stop_tells_what_is_known_before_it_ends():
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 30:
            raise KeyboardInterrupt

    setup = study(epochs=100, watch=EVERY)
    training, events = train(setup, stop), []
    with pytest.raises(KeyboardInterrupt):
        events.extend(training)
    assert [event.epoch for event in events] == list(range(1, 30))
    assert training.epoch == 29
    for ours, expected in zip(events, told(setup), strict=False):
        for name, tensor in expected.parameters.tensors.items():
            assert torch.equal(ours.parameters.tensors[name], tensor)


def test_the_event_of_an_early_end_has_the_losses_of_its_epoch():
    stopping = Stopping("f1", patience=3)
    setup = study(PAIR, epochs=200, stopping=stopping, watch=Watch(1, "scores"))
    *_, every = told(setup)
    *_, last = told(replace(setup, watch=Watch(150, "scores")))
    assert last.epoch == every.epoch < 150
    assert torch.equal(last.losses, every.losses)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("every", [1, 7])
def test_losses_are_those_of_the_rows_before_the_step(weighted, every):
    weights = np.linspace(0.5, 2, 97) if weighted else None
    setup = study(epochs=15, watch=Watch(every, "scores"), weights=weights)
    kept = {e.epoch: e.parameters for e in told(replace(setup, watch=EVERY))}
    features, labels = torch.as_tensor(setup.features), torch.as_tensor(setup.labels).double()
    for event in told(setup):
        if event.epoch == 1:
            continue
        outputs = predict(kept[event.epoch - 1], features)
        for place, recipe in enumerate(setup.models):
            if recipe.loss.family == "weighted_bce":
                continue  # a mean over rows here, over weights in the loss
            rows = torch.as_tensor(setup.rows[recipe.rows].train)
            sample = None if weights is None else torch.as_tensor(weights)[rows]
            expected = recipe.loss.build()(outputs[place, rows], labels[rows], sample)
            assert float(event.losses[place]) == pytest.approx(float(expected), abs=1e-12)


def test_losses_asked_for_late_are_the_same():
    setup = study(epochs=100, watch=Watch(1, "scores"))
    at_once = [event.losses for event in train(setup)]
    late = [event.losses for event in reversed(told(setup))][::-1]
    assert all(torch.equal(*pair) for pair in zip(at_once, late, strict=True))
    assert all(torch.equal(event.previous, at_once[event.epoch - 2]) for event in told(setup)[1:])


def test_losses_of_a_warm_up_are_those_of_bce_until_it_ends(monkeypatch):
    monkeypatch.setattr(notes, "AHEAD", 60.0)
    losses = ("bce", "anyloss:f1@L=10,warm_up=0.5")
    setup = study(
        losses, epochs=20, watch=Watch(1, "scores"), rows=(Rows(np.arange(97), np.arange(9)),)
    )
    setup = replace(setup, models=tuple(replace(model, lr=0.02) for model in setup.models))
    for event in told(setup):
        same = torch.allclose(event.losses[0], event.losses[1], atol=1e-14)
        assert same == (event.epoch <= 10)


def test_folds_without_validation_rows_are_judged_too():
    rows = (Rows(np.arange(60), np.arange(0)), Rows(np.arange(30, 97), np.arange(30)))
    events = told(study(rows=rows, data=table(), epochs=10, watch=EVERY))
    empty = [count[0] for count in events[-1].valid_hard]
    assert sum(empty) == 0
    alone = train(study(rows=rows[:1], epochs=2))
    assert [len(found) for found in alone.probabilities()] == [0] * len(alone.study.models)
