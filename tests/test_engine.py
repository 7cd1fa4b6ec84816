"""The engine against plain torch, against itself one by one, and on awkward inputs."""

import gc
import threading
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core.engine import train
from anyloss_core.models import Network, predict
from anyloss_core.spelling import parse_loss
from anyloss_core.study import Optimiser, Recipe, Rows, Stopping, Study, Watch
from tests.engine_studies import (
    DEEP,
    LOSSES,
    MLP,
    SLP,
    study,
    table,
    train_in_plain_torch,
)


def trained(setup):
    training = train(setup)
    events = list(training)
    return training.parameters(), events


def largest_difference(ours, theirs):
    return max(
        float((ours.tensors[name] - theirs.tensors[name]).abs().max()) for name in ours.tensors
    )


@pytest.mark.parametrize("network", [SLP, MLP, DEEP], ids=["slp", "mlp", "deep"])
@pytest.mark.parametrize("batch", [None, 16], ids=["full", "mini"])
def test_a_stack_equals_its_models_trained_one_by_one(network, batch):
    setup = study(network=network, batch=batch, epochs=50)
    stacked, _ = trained(setup)
    for place in range(0, len(setup.models), 2):
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
        assert torch.allclose(ours, expected, atol=1e-8), setup.models[place].loss.spelling
        weight = net[0].weight.detach()
        assert torch.allclose(parameters.tensors["weight0"][place], weight, atol=1e-8)
