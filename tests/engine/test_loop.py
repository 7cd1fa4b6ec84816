"""The loop against plain torch, against its models one by one, and on awkward inputs."""

import gc
import threading
import weakref
from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core.engine.loop import train
from anyloss_core.engine.models import predict
from anyloss_core.engine.study import Optimiser, Rows, Stopping, Watch
from tests.engine_studies import (
    DEEP,
    LOSSES,
    MLP,
    PAIR,
    SLP,
    largest_difference,
    study,
    table,
    train_in_plain_torch,
    trained,
)

EVERY = Watch(1, "scores", snapshots=1)


@pytest.mark.parametrize("network", [SLP, MLP], ids=["slp", "mlp"])
@pytest.mark.parametrize("batch", [None, 16], ids=["full", "mini"])
def test_a_stack_equals_its_models_trained_one_by_one(network, batch):
    setup = study(network=network, batch=batch, epochs=50)
    stacked, _ = trained(setup)
    for place in range(len(LOSSES), 2 * len(LOSSES)):  # every loss on the second fold
        alone, _ = trained(replace(setup, models=setup.models[place : place + 1]))
        assert largest_difference(stacked.one(place), alone) < 1e-10, setup.models[place].loss


@pytest.mark.parametrize("network", [SLP, MLP, DEEP], ids=["slp", "mlp", "deep"])
@pytest.mark.parametrize(
    ("optimiser", "batch"),
    [
        (Optimiser("gd"), None),
        (Optimiser("momentum", weight_decay=0.01), 20),
        (Optimiser("adam", epsilon=1e-7, clip=0.3), 16),
    ],
    ids=["gd", "momentum", "adam"],
)
def test_plain_torch_gives_the_same_weights(network, optimiser, batch):
    # Momentum in a deep network lets a rounding error grow: 1e-15 after one epoch, 1e-11 after ten,
    # 2e-8 after twenty on one kind of processor.
    setup = study(network=network, optimiser=optimiser, batch=batch, epochs=10)
    parameters, _ = trained(setup)
    features = torch.as_tensor(setup.features)
    for place in range(len(LOSSES)):  # every loss on the first fold
        net = train_in_plain_torch(setup, place).eval()
        with torch.no_grad():
            expected = net(features)[:, 0]
        ours = predict(parameters.one(place), features)[0]
        assert torch.allclose(ours, expected, rtol=0, atol=1e-8), setup.models[place].loss.spelling
        weight = net[0].weight.detach()
        assert torch.allclose(parameters.tensors["weight0"][place], weight, rtol=0, atol=1e-8)


@pytest.mark.parametrize("network", [SLP, MLP], ids=["slp", "mlp"])
def test_the_same_seed_gives_the_same_bits(network):
    setup = study(network=network, batch=16, epochs=5)
    assert largest_difference(trained(setup)[0], trained(setup)[0]) == 0


def test_a_warm_up_over_all_epochs_is_bce():
    setup = study(("bce", "anyloss:f1@warm_up=1", "anyloss:mcc@L=5..50,warm_up=0.5"), epochs=12)
    setup = replace(setup, models=tuple(replace(model, lr=0.05) for model in setup.models))
    parameters, _ = trained(setup)
    assert largest_difference(parameters.one(0), parameters.one(1)) < 1e-12
    assert largest_difference(parameters.one(0), parameters.one(2)) > 1e-3
    half, _ = trained(replace(setup, epochs=6))
    warming, _ = trained(replace(setup, models=setup.models[2:3]))
    again = train(replace(setup, models=setup.models[2:3], watch=Watch(1, "scores", 1)))
    sixth = next(event.parameters for event in again if event.epoch == 6)
    assert largest_difference(sixth, half.one(0)) < 1e-12
    assert largest_difference(warming, parameters.one(2)) < 1e-10


def test_float32_in_the_safe_form_reaches_the_same_scores_at_73():
    losses = ("anyloss:f1", "anyloss:gmean", "anyloss:accuracy", "bce")
    setup = study(losses, data=table(900), epochs=200, watch=Watch(every=200))
    _, [*_, exact] = trained(setup)
    _, [*_, single] = trained(replace(setup, dtype=torch.float32))
    assert single.losses.dtype == torch.float32
    assert torch.allclose(single.scores("f1").double(), exact.scores("f1"), atol=0.01)
    assert single.dead_share.max() == 0


def test_a_diverging_model_is_reported_and_leaves_its_neighbours_alone():
    setup = study(("bce", "linear_mse", "anyloss:f1@L=10"), MLP, "gd", batch=16, epochs=40)
    wild = list(setup.models)
    wild[1] = replace(wild[1], lr=1e200)
    parameters, events = trained(replace(setup, models=tuple(wild)))
    calm, _ = trained(setup)
    assert events[-1].status[1] == "diverged"
    for place in (0, 2, 3, 4, 5):
        assert largest_difference(parameters.one(place), calm.one(place)) == 0


def test_closing_in_the_middle_keeps_what_was_trained_and_leaves_nothing_behind():
    before = threading.active_count()
    setup = study(network=MLP, batch=16, epochs=100, watch=Watch(1, "scores"))
    sizes = []
    for _ in range(6):
        training = train(setup)
        for event in training:
            if event.epoch == 3:
                break
        training.close()
        assert list(training) == []
        assert len(training.parameters()) == len(setup.models)
        del training, event
        gc.collect()
        sizes.append(sum(type(thing) is torch.Tensor for thing in gc.get_objects()))
    assert threading.active_count() == before
    assert sizes[-1] == sizes[1]


@pytest.mark.parametrize(("network", "batch"), [(SLP, None), (MLP, 16)], ids=["slp", "mlp"])
def test_a_closed_training_is_freed_at_once(network, batch):
    setup = study(network=network, batch=batch, epochs=50, watch=Watch(1, "scores"))
    gc.collect()
    gc.disable()
    try:
        training = train(setup)
        next(training)
        event = next(training)
        alive = weakref.ref(training)
        training.close()
        del training
        assert alive() is None
        assert event.losses.isfinite().all()
    finally:
        gc.enable()


def test_what_a_batch_callback_raises_reaches_the_caller():
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 12:  # nine an epoch: folds of 64, 65 and 65 rows
            raise KeyboardInterrupt

    training = train(study(PAIR, MLP, batch=16, epochs=50), stop)
    with pytest.raises(KeyboardInterrupt):
        list(training)
    assert training.epoch == 1
    assert all(t.isfinite().all() for t in training.parameters().tensors.values())


def test_training_goes_on_from_given_parameters():
    setup = study(optimiser="gd", epochs=6)
    whole, _ = trained(setup)
    half, _ = trained(replace(setup, epochs=3))
    rest, _ = trained(replace(setup, epochs=3, start=half))
    assert largest_difference(whole, rest) < 1e-12


@pytest.mark.parametrize("network", [SLP, MLP, DEEP], ids=["slp", "mlp", "deep"])
@pytest.mark.parametrize("batch", [None, 16], ids=["full", "mini"])
def test_no_tensor_of_the_loop_is_tied_to_the_cpu(network, batch):
    setup = study(network=network, batch=batch, device="meta")
    training = train(setup)
    for group in training.groups:
        for _ in group.steps(0, True):
            pass
    assert training.parameters().tensors["weight0"].device.type == "meta"


@pytest.mark.parametrize("network", [SLP, MLP], ids=["slp", "mlp"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
@pytest.mark.parametrize(
    "case", ["one row a batch", "one row", "one class", "constant", "wide", "huge"]
)
def test_awkward_data_is_trained_on_and_told_as_it_is(network, dtype, case):
    x, y = table(50, 500 if case == "wide" else 4)
    rows, batch = (Rows(np.arange(40), np.arange(40, 50)),), None
    if case == "one row a batch":
        batch = 1
    elif case == "one row":
        rows = (Rows(np.array([3]), np.arange(40, 50)),)
    elif case == "one class":
        y, batch = np.zeros_like(y), 7
    elif case == "constant":
        x = np.ones_like(x)
    elif case == "huge":
        x = x * 1e6
    setup = study(
        data=(x, y), rows=rows, network=network, batch=batch, epochs=8, dtype=dtype, watch=EVERY
    )
    parameters, [*_, before, event] = trained(setup)
    assert all(tensor.isfinite().all() for tensor in parameters.tensors.values())
    assert event.losses.isfinite().all()
    assert event.valid_hard.total.tolist() == [10] * len(setup.models)
    if batch is None and network is SLP:  # losses are those of the parameters before the epoch
        outputs = predict(before.parameters, torch.as_tensor(x[rows[0].train], dtype=dtype))
        labels = torch.as_tensor(y[rows[0].train], dtype=dtype)
        close = 1e-9 if dtype == torch.float64 else 1e-3
        for index, model in enumerate(setup.models):
            own = model.loss.build()(outputs[index], labels)
            same = torch.allclose(event.losses[index], own, rtol=close, atol=close)
            assert same, (model.loss, float(event.losses[index]), float(own))


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("every", [1, 7])
def test_losses_are_those_of_the_rows_before_the_step(weighted, every):
    weights = np.linspace(0.5, 2, 97) if weighted else None
    setup = study(epochs=15, watch=Watch(every, "scores"), weights=weights)
    kept = {e.epoch: e.parameters for e in train(replace(setup, watch=EVERY))}
    features, labels = torch.as_tensor(setup.features), torch.as_tensor(setup.labels).double()
    for event in train(setup):
        if event.epoch == 1:
            continue
        outputs = predict(kept[event.epoch - 1], features)
        for index, recipe in enumerate(setup.models):
            if recipe.loss.family == "weighted_bce":
                continue  # a mean over rows here, over weights in the loss
            rows = torch.as_tensor(setup.rows[recipe.rows].train)
            sample = None if weights is None else torch.as_tensor(weights)[rows]
            expected = recipe.loss.build()(outputs[index, rows], labels[rows], sample)
            assert float(event.losses[index]) == pytest.approx(float(expected), abs=1e-12)


def test_a_ramp_of_L_grows_geometrically_from_its_start_to_its_end():
    setup = study(("anyloss:f1@L=5..80",), epochs=5, watch=EVERY)
    features, labels = torch.as_tensor(setup.features), torch.as_tensor(setup.labels).double()
    rows, before = setup.rows[0].train, torch.zeros(97, dtype=torch.float64)
    for event, L in zip(train(setup), (5, 10, 20, 40, 80), strict=True):
        loss = replace(setup.models[0].loss, L=float(L)).build()
        assert float(event.losses[0]) == pytest.approx(float(loss(before[rows], labels[rows])))
        before = predict(event.parameters, features)[0]


def test_losses_of_a_warm_up_are_those_of_bce_until_it_ends():
    losses, rows = ("bce", "anyloss:f1@L=10,warm_up=0.5"), (Rows(np.arange(97), np.arange(9)),)
    setup = study(losses, epochs=20, watch=Watch(1, "scores"), rows=rows)
    setup = replace(setup, models=tuple(replace(model, lr=0.02) for model in setup.models))
    for event in train(setup):
        same = torch.allclose(event.losses[0], event.losses[1], atol=1e-14)
        assert same == (event.epoch <= 10)


@pytest.mark.parametrize(("network", "batch"), [(SLP, None), (MLP, 16)], ids=["slp", "mlp"])
def test_to_the_caller_the_training_is_where_the_last_event_was(network, batch):
    setup = study(network=network, batch=batch, epochs=30, watch=Watch(4, "scores", snapshots=4))
    bce = next(index for index, m in enumerate(setup.models) if m.loss.family == "bce")
    valid = setup.rows[setup.models[bce].rows].valid
    training = train(setup)
    for event in training:
        assert (training.epoch, training.seconds) == (event.epoch, event.seconds)
        assert largest_difference(training.parameters(), event.parameters) == 0
        outputs = predict(event.parameters, torch.as_tensor(setup.features))
        expected = torch.sigmoid(outputs[bce, valid]).numpy()
        assert np.allclose(training.probabilities()[bce], expected)
    assert largest_difference(trained(setup)[0], training.parameters()) == 0


def test_who_looks_changes_nothing():
    setup = study(network=MLP, batch=16, epochs=12)
    silent, _ = trained(replace(setup, watch=Watch(12, "scores")))
    told, _ = trained(replace(setup, watch=Watch(1, "full", snapshots=2)))
    assert largest_difference(silent, told) == 0


def test_samples_die_by_the_L_of_the_last_event():
    losses = ("anyloss:f1@L=1..2000,form=naive,warm_up=0.2",)
    setup = study(losses, data=table(400), epochs=50, watch=Watch(5, "scores"))
    setup = replace(setup, models=tuple(replace(model, lr=0.5) for model in setup.models))
    training = train(setup)
    shares = {event.epoch: training.dead_share() for event in training}
    assert (shares[5] == 0).all()
    assert (shares[40] > 0).any()


def test_a_stop_comes_after_all_events_until_then():
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
    assert list(training) == []
    thirty, _ = trained(replace(setup, epochs=30))  # the step of the broken epoch was made
    assert largest_difference(training.parameters(), thirty) < 1e-12


def test_the_event_of_an_early_end_has_the_losses_of_its_epoch():
    setup = study(PAIR, epochs=200, stopping=Stopping("f1", patience=3), watch=Watch(1, "scores"))
    *_, every = train(setup)
    *_, last = train(replace(setup, watch=Watch(150, "scores")))
    assert last.epoch == every.epoch < 150
    assert torch.equal(last.losses, every.losses)
    assert last.status == every.status


def test_folds_without_validation_rows_are_trained_too():
    rows = (Rows(np.arange(60), np.arange(0)), Rows(np.arange(30, 97), np.arange(30)))
    _, events = trained(study(rows=rows, epochs=10, watch=EVERY))
    assert sum(count[0] for count in events[-1].valid_hard) == 0
    assert not events[-1].collapsed[0]  # nobody knows
    alone = train(study(rows=rows[:1], epochs=2))
    assert [len(found) for found in alone.probabilities()] == [0] * len(alone.study.models)
