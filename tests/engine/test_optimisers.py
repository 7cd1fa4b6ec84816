"""The updates against those of torch.optim, with a learning rate per model."""

import math
from dataclasses import replace

import pytest
import torch

from anyloss_core.engine.optimisers import Updater
from anyloss_core.engine.stack import Stack
from anyloss_core.engine.study import Optimiser, Watch
from tests.engine_studies import MLP, PAIR, SLP, largest_difference, study, torch_optimiser, trained

RATES = torch.tensor([[0.1, 0.02], [0.3, 0.0]], dtype=torch.float64)


def make_stack():
    stack = Stack(MLP, 3, (2, 2), torch.float64, torch.device("cpu"))
    stack.start([1, 2], [3, 3])
    return stack


class OneModel(torch.nn.Module):
    """The parameters of one model of a stack."""

    def __init__(self, stack, fold, loss):
        super().__init__()
        own = (view[fold, loss].clone() for view in stack.named.values())
        self.own = torch.nn.ParameterList(own)


@pytest.mark.parametrize(
    "settings",
    [
        Optimiser("gd"),
        Optimiser("gd", weight_decay=0.1),
        Optimiser("momentum", momentum=0.7),
        Optimiser("adam", betas=(0.8, 0.95), epsilon=1e-6, weight_decay=0.2),
        Optimiser("adam", clip=0.5),
    ],
    ids=lambda settings: f"{settings.name} {settings.weight_decay} {settings.clip}",
)
@pytest.mark.parametrize("parts", [(None,), ((0, 1), (1, 2))], ids=["at once", "fold by fold"])
def test_every_model_moves_as_torch_moves_it(settings, parts):
    stack = make_stack()
    updater = Updater(settings, stack, RATES)
    models = {(g, k): OneModel(stack, g, k) for g in range(2) for k in range(2)}
    theirs = {
        key: torch_optimiser(settings, model, float(RATES[key])) for key, model in models.items()
    }
    random = torch.Generator().manual_seed(0)
    for _ in range(6):
        stack.gradients.normal_(generator=random)
        for key, model in models.items():
            for parameter, view in zip(
                model.own, stack.views(stack.gradients).values(), strict=True
            ):
                parameter.grad = view[key].clone()
            if settings.clip:
                torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
            theirs[key].step()
        for part in parts:
            updater.step(part, last=part == parts[-1])
    for key, model in models.items():
        for parameter, view in zip(model.own, stack.named.values(), strict=True):
            assert torch.allclose(view[key], parameter, atol=1e-12)


@pytest.mark.parametrize("name", ["gd", "momentum", "adam"])
@pytest.mark.parametrize(
    ("schedule", "factor"),
    [
        ("linear", lambda step: 1 - step / 8),
        ("cosine", lambda step: (1 + math.cos(math.pi * step / 8)) / 2),
    ],
)
def test_a_schedule_moves_models_as_torchs_lambda_does(name, schedule, factor):
    stack, settings = make_stack(), Optimiser(name)
    updater = Updater(settings, stack, RATES, schedule, total=8)
    model = OneModel(stack, 0, 1)
    theirs = torch_optimiser(settings, model, float(RATES[0, 1]))
    rates = torch.optim.lr_scheduler.LambdaLR(theirs, factor)
    random = torch.Generator().manual_seed(0)
    for _ in range(8):
        stack.gradients.normal_(generator=random)
        views = stack.views(stack.gradients).values()
        for parameter, view in zip(model.own, views, strict=True):
            parameter.grad = view[0, 1].clone()
        theirs.step()
        rates.step()
        updater.step()
    for parameter, view in zip(model.own, stack.named.values(), strict=True):
        assert torch.allclose(view[0, 1], parameter, atol=1e-12)


@pytest.mark.parametrize("batch", [None, 30], ids=["full", "mini"])
def test_models_of_different_schedules_train_side_by_side(batch):
    setup = study(PAIR, batch=batch)
    schedules = ("linear", "constant", "cosine")
    models = [
        replace(model, schedule=schedules[index % 3]) for index, model in enumerate(setup.models)
    ]
    together, _ = trained(replace(setup, models=tuple(models)))
    for index, model in enumerate(models):
        alone, _ = trained(replace(setup, models=(model,)))
        assert largest_difference(together.one(index), alone) < 1e-10


def test_a_model_with_rate_0_stays_where_it_is():
    stack = make_stack()
    before = stack.values.clone()
    updater = Updater(Optimiser("adam"), stack, RATES)
    updater.set_rates(torch.zeros(2, 2, dtype=torch.float64))
    stack.gradients.fill_(1.0)
    updater.step()
    assert torch.equal(stack.values, before)


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
