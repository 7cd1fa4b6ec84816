"""What all losses share."""

import pytest
import torch

from anyloss_core.losses.counts_loss import AnyLoss
from anyloss_core.losses.spelling import get_loss


def test_the_way_back_can_be_gone_more_than_once():
    logits = torch.randn(50, dtype=torch.float64, requires_grad=True)
    loss = AnyLoss("f1")(logits, (torch.arange(50) % 3 == 0).double())
    (first,) = torch.autograd.grad(loss, logits, retain_graph=True)
    kept = first.clone()
    (second,) = torch.autograd.grad(loss, logits)
    assert torch.equal(first, kept)
    assert torch.equal(first, second)


def test_a_second_derivative_of_a_mean_is_refused_and_not_taken_for_0():
    logits = torch.randn(9, requires_grad=True)
    loss = get_loss("bce")(logits, torch.ones(9))
    with pytest.raises(RuntimeError, match="create_graph"):
        torch.autograd.grad(loss, logits, create_graph=True)


@pytest.mark.parametrize("spelling", ["bce", "focal"])
def test_a_mean_has_one_output_per_row_or_is_stacked(spelling):
    logits, labels = torch.randn(4, 3), torch.ones(4, 3)
    with pytest.raises(ValueError, match=r"one output per row: .* stacked=True for stacked"):
        get_loss(spelling)(logits, labels)
    assert get_loss(spelling, stacked=True)(logits, labels).shape == (4,)


@pytest.mark.parametrize("spelling", ["bce", "anyloss:f1", "weighted_bce", "sol:mcc"])
def test_a_column_of_outputs_is_one_model(spelling):
    logits = torch.randn(30, 1, generator=torch.Generator().manual_seed(1)).requires_grad_()
    labels = (torch.arange(30)[:, None] % 3 == 0).float()
    loss = get_loss(spelling)
    assert torch.equal(loss(logits, labels), loss(logits[:, 0], labels[:, 0]))
    loss(logits, labels).backward()
    assert logits.grad.shape == (30, 1)
