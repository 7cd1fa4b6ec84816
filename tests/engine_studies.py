"""Small studies for the engine's tests, and the same training in plain torch.nn + autograd."""

import warnings

import numpy as np
import torch

from anyloss_core.engine.batches import Batches, Table
from anyloss_core.engine.loop import train
from anyloss_core.engine.models import Network, initial_parameters
from anyloss_core.engine.study import Optimiser, Recipe, Rows, Study, Watch
from anyloss_core.losses.messages import LossWarning
from anyloss_core.losses.spelling import parse_loss

LOSSES = (
    "mse",
    "adaline",
    "linear_mse",
    "bce",
    "weighted_bce",
    "focal",
    "lee:f1",
    "lee:f2@pos_weight=3",
    "anyloss:accuracy",
    "anyloss:f1",
    "anyloss:f0.5@L=20",
    "anyloss:f2@threshold=0.3",
    "anyloss:gmean",
    "anyloss:balanced_accuracy",
    "anyloss:mcc@L=10",
    "anyloss:f1@form=naive,L=30",
    "anyloss:TP / (TP + FP + 2 * FN)@L=8",
    "sol:f1",
    "sol:gmean@distribution=uniform",
    "soft:jaccard",
    "sigmoid_f1",
)
SLP = Network()
MLP = Network(hidden=(2,), batch_norm=True, initial="he", momentum=0.01, epsilon=1e-3)
DEEP = Network(hidden=(4, 3), activation="tanh", initial="glorot")
PAIR = ("bce", "anyloss:f1@L=10")


def table(rows=97, features=4, seed=0):
    """Overlapping classes, one in four positive."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, features))
    y = (x[:, 0] + 0.5 * x[:, 1] + random.normal(size=rows) > 1.0).astype(np.int8)
    return x, y


def folds(rows, k=3, seed=0):
    """k folds whose sizes differ by a row."""
    order = np.random.default_rng(seed).permutation(rows)
    parts = np.array_split(order, k)
    return tuple(
        Rows(np.sort(np.concatenate(parts[:i] + parts[i + 1 :])), np.sort(part), seed=i, shuffle=7)
        for i, part in enumerate(parts)
    )


def study(losses=LOSSES, network=SLP, optimiser="adam", batch=None, epochs=20, **settings):
    """Every loss on every fold, with a different learning rate for each loss."""
    x, y = settings.pop("data", None) or table()
    rows = settings.pop("rows", None) or folds(len(x))
    models = tuple(
        Recipe(parse_loss(loss), fold, 0.02 + 0.01 * (place % 3), batch)
        for fold in range(len(rows))
        for place, loss in enumerate(losses)
    )
    settings.setdefault("watch", Watch(every=epochs, detail="scores"))
    if isinstance(optimiser, str):
        optimiser = Optimiser(optimiser)
    return Study(x, y, rows, models, network, optimiser, epochs, **settings)


def trained(setup):
    """The parameters at the end, and all events."""
    training = train(setup)
    events = list(training)
    return training.parameters(), events


def largest_difference(ours, theirs):
    """Between the parameters of the same models."""
    return max(
        float((ours.tensors[name] - theirs.tensors[name]).abs().max()) for name in ours.tensors
    )


def train_in_plain_torch(setup, model, epochs=None):
    """The weights of one model of a study after torch.nn, autograd and torch.optim."""
    recipe = setup.models[model]
    rows = setup.rows[recipe.rows]
    net = torch_network(setup.network, setup.features.shape[1], rows.seed)
    optimiser = torch_optimiser(setup.optimiser, net, recipe.lr)
    loss = recipe.loss.build()
    if recipe.loss.family in ("weighted_bce", "lee") and loss.pos_weight is None:
        labels = setup.labels[rows.train]
        loss.pos_weight = float((labels == 0).sum() / (labels == 1).sum())
    batches = Batches(setup, Table(setup), [rows], recipe.batch)
    for _ in range(epochs or setup.epochs):
        for batch in batches:
            optimiser.zero_grad()
            with warnings.catch_warnings():  # of batches of one class; the engine says nothing
                warnings.simplefilter("ignore", LossWarning)
                loss(net(batch.rows[0])[:, 0], batch.labels[0, 0]).backward()
            if setup.optimiser.clip:
                torch.nn.utils.clip_grad_norm_(net.parameters(), setup.optimiser.clip)
            optimiser.step()
    return net


def torch_network(network, features, seed):
    start = initial_parameters(network, features, seed)
    layers, width = [], features
    activations = {"sigmoid": torch.nn.Sigmoid, "tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}
    for index, hidden in enumerate((*network.hidden, 1)):
        inner = index < len(network.hidden)
        normed = inner and network.batch_norm
        dense = torch.nn.Linear(width, hidden, bias=not normed, dtype=torch.float64)
        dense.weight.data = start[f"weight{index}"].clone()
        layers.append(dense)
        if not normed:
            dense.bias.data.zero_()
        if normed:
            settings = {"eps": network.epsilon, "momentum": network.momentum}
            layers.append(torch.nn.BatchNorm1d(hidden, dtype=torch.float64, **settings))
        if inner:
            layers.append(activations[network.activation]())
        width = hidden
    return torch.nn.Sequential(*layers)


def torch_optimiser(settings, net, lr):
    shared = {"lr": lr, "weight_decay": settings.weight_decay}
    if settings.name == "adam":
        return torch.optim.Adam(
            net.parameters(), betas=settings.betas, eps=settings.epsilon, **shared
        )
    momentum = settings.momentum if settings.name == "momentum" else 0.0
    return torch.optim.SGD(net.parameters(), momentum=momentum, **shared)
