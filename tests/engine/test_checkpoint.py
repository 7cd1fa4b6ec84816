"""A training that is put away and taken up gives the same bits as one that is not."""

from dataclasses import fields

import numpy as np
import pytest
import torch

from anyloss_core.data.suites.references import open_reference
from anyloss_core.engine import checkpoint
from anyloss_core.engine.checkpoint import CheckpointError
from anyloss_core.engine.loop import train
from anyloss_core.engine.study import Optimiser, Stopping, Watch
from anyloss_core.live.scene import prepare
from anyloss_core.store import payload
from tests.engine_studies import DEEP, MLP, SLP, study
from tests.live_runs import live_settings

FULL = Watch(1, "full", snapshots=1)


def everything(event):
    """All numbers of an event but the time that it took."""
    found = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name == "seconds" or value is None:
            continue
        value = getattr(value, "tensors", value)
        parts = value.values() if isinstance(value, dict) else value
        parts = [parts] if isinstance(parts, int | torch.Tensor) else parts
        found[field.name] = [torch.as_tensor(part) for part in parts]
    return found


def same(first, second):
    return all(
        np.array_equal(own, other, equal_nan=own.is_floating_point())
        for name in first | second
        for own, other in zip(first[name], second[name], strict=True)
    )


@pytest.mark.parametrize("network", [SLP, MLP, DEEP], ids=["slp", "norm", "deep"])
@pytest.mark.parametrize("batch", [None, 16], ids=["full", "mini"])
@pytest.mark.parametrize("name", ["gd", "momentum", "adam"])
def test_putting_away_twice_changes_no_bit(network, batch, name):
    setup = study(network=network, batch=batch, epochs=12, optimiser=Optimiser(name), watch=FULL)
    expected = list(train(setup))
    events, state = [], None
    for stop in (3, 8, 12):
        training = train(setup, state=state)
        while training.epoch < stop:
            events.append(next(training))
        state = payload.from_bytes(payload.to_bytes(checkpoint.save(training)))  # as it is kept
    assert [event.epoch for event in events] == list(range(1, 13))
    for ours, theirs in zip(events, expected, strict=True):
        assert same(everything(ours), everything(theirs)), ours.epoch


def test_ramps_and_warm_ups_go_on_where_they_were():
    settings = live_settings(losses=("anyloss:f1", "bce"), ramp=True, warm_up=0.5, batch=16)
    setup = prepare(settings, open_reference(settings.data)).study
    *_, expected = train(setup)
    training = train(setup)
    while training.epoch < 5:  # in the warm-up
        next(training)
    *_, last = train(setup, state=checkpoint.save(training))
    assert same(everything(last), everything(expected))
    assert last.seconds > training.seconds


def test_a_state_is_a_copy():
    training = train(study(network=MLP, epochs=5, watch=FULL))
    next(training)
    state = checkpoint.save(training)
    before = [array.copy() for array in state["tensors"]]
    next(training)
    for old, kept in zip(before, state["tensors"], strict=True):
        np.testing.assert_array_equal(old, kept)


def test_a_state_of_another_study_is_refused():
    training = train(study(network=MLP, epochs=5, watch=FULL))
    next(training)
    with pytest.raises(CheckpointError, match="start the run anew"):
        train(study(network=SLP, epochs=5), state=checkpoint.save(training))


def test_early_stopping_is_refused_because_its_best_models_are_not_kept():
    training = train(study(epochs=5, stopping=Stopping("f1", patience=2)))
    with pytest.raises(CheckpointError, match="stops early"):
        checkpoint.save(training)
