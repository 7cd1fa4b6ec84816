"""The engine against plain torch, against itself one by one, and on awkward inputs."""

import gc
import threading
import weakref
from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import confusion_matrix

from anyloss_core import sorted_rows
from anyloss_core.engine import train
from anyloss_core.models import predict
from anyloss_core.spelling import parse_loss
from anyloss_core.study import Optimiser, Recipe, Rows, Stopping, Study, StudyError, Watch
from tests.engine_studies import DEEP, LOSSES, MLP, SLP, study, table, train_in_plain_torch

PAIR = ("bce", "anyloss:f1@L=10")


def trained(setup):
    training = train(setup)
    events = list(training)
    return training.parameters(), events


def largest_difference(ours, theirs):
    return max(
        float((ours.tensors[name] - theirs.tensors[name]).abs().max()) for name in ours.tensors
    )


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
    setup = study(network=network, optimiser=optimiser, batch=batch, epochs=20)
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


def test_relu_and_other_widths_train_like_torch():
    network = replace(DEEP, hidden=(3, 5, 2), activation="relu", batch_norm=True)
    setup = study(("bce", "anyloss:gmean@L=5"), network, batch=25, epochs=10)
    parameters, _ = trained(setup)
    for place in range(2):
        net = train_in_plain_torch(setup, place)
        for index, layer in ((0, 0), (1, 3), (2, 6), (3, 9)):
            ours = parameters.tensors[f"weight{index}"][place]
            assert torch.allclose(ours, net[layer].weight, rtol=0, atol=1e-8)


@pytest.mark.parametrize("network", [SLP, MLP], ids=["slp", "mlp"])
def test_the_same_seed_gives_the_same_bits(network):
    setup = study(network=network, batch=16, epochs=5)
    assert largest_difference(trained(setup)[0], trained(setup)[0]) == 0


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


def test_a_ramp_of_L_grows_geometrically_from_its_start_to_its_end():
    training = train(study(("anyloss:f1@L=5..80",), epochs=5, watch=Watch()))
    kernel = training.blocks[0].objective.kernels[0][1]
    seen = [float(kernel.L[0]) for _ in training]
    assert seen == pytest.approx([5, 10, 20, 40, 80])


def test_float32_in_the_safe_form_reaches_the_same_scores_at_73():
    losses = ("anyloss:f1", "anyloss:gmean", "anyloss:accuracy", "bce")
    setup = study(losses, data=table(900), epochs=200, watch=Watch(every=200))
    _, [*_, exact] = trained(setup)
    _, [*_, single] = trained(replace(setup, dtype=torch.float32))
    assert single.losses.dtype == torch.float32
    assert torch.allclose(single.scores("f1").double(), exact.scores("f1"), atol=0.01)
    assert single.dead_share.max() == 0


def test_stratified_batches_hold_both_classes():
    setup = study(PAIR, batch=8, epochs=3, stratified=True)
    batches = train(setup).groups[0].batches
    for _ in range(3):
        for batch in batches:
            assert (batch.totals > 0).all()
    seen = torch.cat([batch.rows[:, :, 0] for batch in batches if batch.part is None], 1)
    assert len(seen[0].unique()) == seen.shape[1]  # no row twice


@pytest.mark.parametrize(
    ("rows", "positives", "batch"),
    [(100, 10, 16), (100, 90, 16), (200, 10, 64), (103, 11, 10), (1000, 50, 32)],
)
def test_a_short_last_batch_holds_both_classes_too(rows, positives, batch):
    labels = (np.arange(rows) < positives).astype(np.int8)
    whole = (Rows(np.arange(rows), np.arange(5)),)
    data = (table(rows)[0], labels)
    batches = train(study(PAIR, data=data, rows=whole, batch=batch, stratified=True)).groups[0]
    for _ in range(5):
        seen = list(batches.batches)
        assert all((part.totals > 0).all() for part in seen)
        assert sum(part.totals for part in seen).tolist() == [[positives, rows - positives]]


def test_the_last_partial_batch_is_kept_or_dropped():
    kept = train(study(PAIR, batch=30)).groups[0].batches
    dropped = train(study(PAIR, batch=30, drop_last=True)).groups[0].batches
    folds = [64, 65, 65]
    assert [sum(b.rows.shape[1] for b in kept if b.part in (None, (0, 1)))] == folds[:1]
    assert sum(b.rows.shape[1] for b in dropped) == 60


def test_mini_batches_are_reshuffled_every_epoch():
    batches = train(study(PAIR, batch=30)).groups[0].batches
    first, second = (torch.cat([b.rows[0, :, 0] for b in batches if b.part is None]) for _ in "ab")
    assert not torch.equal(first, second)


def test_a_diverging_model_is_reported_and_leaves_its_neighbours_alone():
    setup = study(("bce", "linear_mse", "anyloss:f1@L=10"), MLP, "gd", batch=16, epochs=40)
    wild = list(setup.models)
    wild[1] = replace(wild[1], lr=1e200)
    parameters, events = trained(replace(setup, models=tuple(wild)))
    calm, _ = trained(setup)
    assert events[-1].status[1] == "diverged"
    for place in (0, 2, 3, 4, 5):
        assert largest_difference(parameters.one(place), calm.one(place)) == 0


def test_a_collapsed_model_is_reported():
    x, y = table()
    setup = study(("anyloss:accuracy@L=300",), data=(x, np.sort(y)), epochs=60, optimiser="gd")
    setup = replace(setup, models=tuple(replace(m, lr=50.0) for m in setup.models))
    _, events = trained(replace(setup, watch=Watch(every=5)))
    assert "collapsed" in events[-1].status


def test_early_stopping_keeps_the_best_epoch_of_each_model():
    setup = study(PAIR, MLP, batch=16, epochs=200, stopping=Stopping("f1", patience=8))
    setup = replace(setup, watch=Watch(1, "scores"))
    training = train(setup)
    events = list(training)
    assert events[-1].epoch < 200
    assert (events[-1].stopped > 0).all()
    best = torch.stack([event.scores("f1") for event in events]).max(0).values
    again = train(replace(setup, start=training.parameters(), stopping=None, epochs=1))
    for place, probabilities in enumerate(again.probabilities()):
        rows = setup.rows[setup.models[place].rows].valid
        labels, predicted = setup.labels[rows], probabilities > 0.5
        score = 2 * (predicted & (labels == 1)).sum() / max((predicted + labels).sum(), 1)
        assert score == pytest.approx(float(best[place]))


def test_a_model_that_stopped_early_is_the_same_alone():
    setup = study(PAIR, epochs=60, stopping=Stopping("f1", patience=5))
    together, _ = trained(setup)
    alone, _ = trained(replace(setup, models=setup.models[3:4]))
    assert largest_difference(together.one(3), alone) < 1e-10


def test_events_hold_the_counts_of_sklearn_on_both_sets_of_rows():
    setup = study(network=MLP, batch=16, epochs=4, watch=Watch(every=2, snapshots=2))
    training = train(setup)
    events = list(training)
    assert [event.epoch for event in events] == [1, 2, 4]
    event = events[-1]
    features = torch.as_tensor(setup.features)
    logits = predict(event.parameters, features)
    for place, recipe in enumerate(setup.models):
        if recipe.loss.family != "bce":
            continue
        for rows, counts in (("train", event.train_hard), ("valid", event.valid_hard)):
            chosen = getattr(setup.rows[recipe.rows], rows)
            expected = confusion_matrix(setup.labels[chosen], logits[place, chosen] > 0)
            ours = [[counts.tn[place], counts.fp[place]], [counts.fn[place], counts.tp[place]]]
            assert np.array_equal(expected, np.array(ours))
        rows = setup.rows[recipe.rows].train
        soft = torch.sigmoid(logits[place, rows]) * torch.as_tensor(setup.labels[rows])
        assert float(event.train_soft.tp[place]) == pytest.approx(float(soft.sum()))
    assert event.gradient_norms.shape == event.dead_share.shape == (len(setup.models),)


def test_gradient_norms_are_those_of_autograd():
    setup = study(PAIR, optimiser="gd", epochs=1, watch=Watch())
    _, [event] = trained(setup)
    for place in range(2):
        rows = setup.rows[0].train
        weights = torch.zeros(5, dtype=torch.float64, requires_grad=True)
        logits = torch.as_tensor(setup.features[rows]) @ weights[:4] + weights[4]
        setup.models[place].loss.build()(logits, torch.as_tensor(setup.labels[rows])).backward()
        assert float(event.gradient_norms[place]) == pytest.approx(float(weights.grad.norm()))


@pytest.mark.parametrize("batch", [None, 30], ids=["full", "mini"])
def test_gradient_norms_are_those_before_clipping_and_decay(batch):
    setup = study(PAIR, MLP if batch else SLP, batch=batch, epochs=1, watch=Watch())
    _, [plain] = trained(setup)
    for change in ({"clip": 0.01}, {"weight_decay": 0.5}):
        _, [event] = trained(replace(setup, optimiser=Optimiser(**change)))
        if batch is None:  # later batches meet other weights
            assert torch.equal(event.gradient_norms, plain.gradient_norms)
        else:
            assert (event.gradient_norms > 0.011).any()


def test_a_model_that_diverges_in_its_last_step_is_reported():
    setup = study(PAIR, optimiser="gd", epochs=1)
    wild = replace(setup.models[0], lr=1e308)
    data = (setup.features * 1e10, setup.labels)
    _, [event] = trained(study(PAIR, optimiser="gd", epochs=1, data=data))
    assert set(event.status) == {"training"}
    models = (wild, *setup.models[1:])
    _, [event] = trained(replace(setup, features=data[0], models=models))
    assert event.status[:2] == ("diverged", "training")


def test_naive_float64_at_large_L_counts_its_dead_samples():
    x = np.repeat([[-8.0], [8.0]], 20, axis=0)
    y = np.repeat([0, 1], 20)
    rows = (Rows(np.arange(40), np.arange(4)),)
    setup = study(
        ("anyloss:f1@L=200,form=naive", "anyloss:f1@L=200"), data=(x, y), rows=rows, epochs=150
    )
    _, [*_, event] = trained(replace(setup, watch=Watch(every=150)))
    assert event.dead_share.tolist() == [0.5, 0.0]  # only the side near 1 saturates


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
        group.epoch(0, True, lambda: None)
    assert training.parameters().tensors["weight0"].device.type == "meta"


@pytest.mark.parametrize("network", [SLP, MLP], ids=["slp", "mlp"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
@pytest.mark.parametrize(
    "case", ["one row a batch", "one row", "one class", "constant", "wide", "huge"]
)
def test_awkward_data_gives_finite_parameters(network, dtype, case):
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
    setup = study(data=(x, y), rows=rows, network=network, batch=batch, epochs=8, dtype=dtype)
    parameters, [*_, event] = trained(setup)
    assert all(tensor.isfinite().all() for tensor in parameters.tensors.values())
    assert event.losses.isfinite().all()
    assert event.scores("f1").isfinite().all()


def test_padding_columns_of_a_wider_fold_change_nothing():
    x, y = table()
    wide = np.hstack([x, np.zeros((len(x), 3))])
    rows = tuple(replace(part, columns=4) for part in study(PAIR).rows)
    narrow, _ = trained(study(PAIR, MLP, batch=16))
    padded, _ = trained(study(PAIR, MLP, batch=16, data=(wide, y), rows=rows))
    assert (padded.tensors["weight0"][..., 4:] == 0).all()
    found = padded.tensors["weight0"][..., :4]
    assert torch.allclose(found, narrow.tensors["weight0"], atol=1e-10)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"labels": np.full(97, 2)}, "labels"),
        ({"features": np.full((97, 4), np.nan)}, "features"),
        ({"epochs": 0}, "epochs"),
        ({"optimiser": Optimiser("lbfgs")}, "optimiser"),
        ({"device": "abacus"}, "device"),
        ({"weights": -np.ones(97)}, "weights"),
        ({"models": ()}, "models"),
        ({"rows": (Rows(np.array([200]), np.array([1])),)}, "rows"),
    ],
)
def test_wrong_settings_are_named(change, word):
    setup = study(PAIR)
    with pytest.raises(StudyError, match=word):
        train(replace(setup, **change))


def test_a_learning_rate_must_be_positive():
    x, y = table()
    with pytest.raises(StudyError, match="lr"):
        Study(x, y, (Rows(np.arange(9), np.arange(3)),), (Recipe(parse_loss("bce"), 0, 0.0),))
