"""The losses of a stack, step by step, against autograd through the loss modules."""

import pytest
import torch

from anyloss_core.engine.objective import Objective, order_losses
from anyloss_core.losses.spelling import parse_loss
from tests.engine_studies import LOSSES

ROWS = 40
BALANCED = ("weighted_bce", "lee")  # by the positive weights of each fold


def objective(spellings, folds=2, epochs=10, dtype=torch.float64):
    specs = [parse_loss(spelling) for spelling in spellings]
    specs = [specs[index] for index in order_losses(specs)]
    return Objective(specs, torch.ones(folds, len(specs), dtype=dtype), epochs)


def rows(losses, folds=2, seed=0, dtype=torch.float64):
    """Logits (G, K, B) and labels (G, 1, B)."""
    random = torch.manual_seed(seed)
    logits = 2 * torch.randn(folds, len(losses.specs), ROWS, generator=random, dtype=dtype)
    return logits, (torch.rand(folds, 1, ROWS, generator=random) < 0.3).to(dtype)


def step(losses, logits, labels):
    """Losses (G, K) and d loss/d logits (G, K, B), as a mini-batch finds them."""
    buffers = losses.buffers(len(logits), ROWS)
    buffers.outputs.copy_(logits)
    classes = torch.cat([labels, 1 - labels], 1)  # (G, 2, B)
    sums = losses.soften(buffers, labels, valued=True) @ classes.mT
    values, gradients = losses.class_gradients(sums, classes.sum(-1))
    torch.matmul(gradients, classes, out=buffers.outputs)
    return values.clone(), losses.chain(buffers).clone()


def by_autograd(loss, logits, labels):
    leaf = logits.clone().requires_grad_()
    values = loss.stack()(leaf, labels.expand_as(leaf))
    values.sum().backward()
    return values.detach(), leaf.grad


@pytest.mark.parametrize(
    "spelling", [name for name in LOSSES if parse_loss(name).family not in BALANCED]
)
def test_a_step_has_the_losses_and_gradients_of_the_loss_module(spelling):
    losses = objective([spelling])
    logits, labels = rows(losses)
    values, gradient = step(losses, logits, labels)
    expected = by_autograd(losses.specs[0].build(), logits, labels)
    torch.testing.assert_close(values, expected[0])
    torch.testing.assert_close(gradient, expected[1])


def test_losses_side_by_side_are_those_of_each_alone():
    losses = objective(LOSSES)
    logits, labels = rows(losses)
    values, gradient = step(losses, logits, labels)
    for column, spec in enumerate(losses.specs):
        alone = step(objective([spec]), logits[:, [column]], labels)
        torch.testing.assert_close(values[:, [column]], alone[0])
        torch.testing.assert_close(gradient[:, [column]], alone[1])


@pytest.mark.parametrize(
    "spelling", ["bce", "focal", "anyloss:f1", "anyloss:f1@form=naive", "sol:f1"]
)
def test_slopes_are_the_gradient_of_a_class_gradient_of_one(spelling):
    losses = objective([spelling])
    logits, labels = rows(losses)
    buffers = losses.buffers(2, ROWS)
    buffers.outputs.copy_(logits)
    losses.soften(buffers, labels, valued=False)
    buffers.outputs.fill_(1)
    chained = losses.chain(buffers).clone()
    torch.testing.assert_close(losses.slopes(buffers), chained)


def test_a_positive_row_weighs_more_in_a_mean_if_it_should():
    spec = parse_loss("weighted_bce@pos_weight=3")
    losses = Objective([spec], torch.full((1, 1), 3.0).double(), 10)
    logits, labels = rows(losses, folds=1)
    values, gradient = step(losses, logits, labels)
    expected = by_autograd(spec.build(), logits, labels)
    torch.testing.assert_close(values, expected[0])
    torch.testing.assert_close(gradient, expected[1])


def test_every_epoch_has_its_warm_up_and_its_L():
    spellings = ("anyloss:f1@L=2..32,warm_up=0.5", "anyloss:gmean@L=3..48", "bce", "anyloss:f1@L=7")
    losses = objective(spellings)
    logits, labels = rows(losses)
    for epoch in (0, 4, 5, 9, 3):  # and back again
        losses.begin(epoch)
        values, _ = step(losses, logits, labels)
        for column, spec in enumerate(losses.specs):
            phase = spec.at(epoch, 10)
            metric = spec.name if phase.L is None else f"{spec.name}@L={phase.L!r}"
            loss = parse_loss("bce" if phase.warming_up else metric).build()
            expected, _ = by_autograd(loss, logits[:, column], labels[:, 0])
            torch.testing.assert_close(values[:, column], expected)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_no_sample_dies_in_the_safe_form_at_73(dtype):
    losses = objective(("anyloss:f1", "anyloss:gmean@L=50"), folds=1, dtype=dtype)
    buffers = losses.buffers(1, 1001)
    buffers.outputs.copy_(torch.linspace(-34, 34, 1001, dtype=dtype))
    soft = losses.soften(buffers, torch.zeros(1, dtype=dtype), valued=False)
    assert (soft.diff() >= 0).all()
    assert soft.min() > 0
    assert soft.max() <= 1
    assert (losses.slopes(buffers) > 0).all()


def test_the_time_of_a_kernel_is_shared_by_its_losses():
    losses = objective(("bce", "weighted_bce", "anyloss:f1"))
    step(losses, *rows(losses))
    first, second, third = losses.seconds()
    assert first == second > 0
    assert third > 0
    assert losses.seconds() == [first, second, third]


@pytest.mark.parametrize("part", [None, (1, 2)])
def test_lee_takes_the_balance_of_each_fold(part):
    weights = torch.tensor([[2.0, 2.0], [7.0, 7.0]], dtype=torch.float64)
    specs = [parse_loss("lee:f1"), parse_loss("lee:f2")]
    losses = Objective(specs, weights, 1)
    logits, labels = rows(losses)
    folds = [0, 1] if part is None else [1]
    buffers = losses.buffers(len(folds), ROWS)
    buffers.outputs.copy_(logits[folds])
    values = losses.soften(buffers, labels[folds], True, part).clone()
    for row, fold in enumerate(folds):
        for column, beta in enumerate((1.0, 2.0)):
            p, y = torch.sigmoid(logits[fold, column]), labels[fold].flatten()
            expected = torch.where(y == 1, -p.log(), (beta**2 / weights[fold, 0] + p).log())
            torch.testing.assert_close(values[row, column], expected)
