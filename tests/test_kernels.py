"""Kernels against autograd through the loss modules, and at the edges of the numbers."""

import pytest
import torch

from anyloss_core.kernels import SafeAmplifier, build_kernel
from anyloss_core.losses import CountsLoss
from anyloss_core.softening import Amplifier
from anyloss_core.spelling import parse_loss
from tests.engine_studies import LOSSES


def run(spec, logits, labels):
    kernel = build_kernel(spec)
    if kernel.amplified:
        kernel.amplify([spec.L], logits)
    soft, slope = torch.empty_like(logits), torch.empty_like(logits)
    kernel.run(logits.clone(), labels, soft, slope, True)
    return soft, slope


@pytest.mark.parametrize("spelling", [name for name in LOSSES if name != "weighted_bce"])
def test_soft_labels_and_slopes_equal_those_of_the_loss(spelling):
    spec = parse_loss(spelling)
    loss = spec.build()
    logits = torch.linspace(-12, 12, 101, dtype=torch.float64)[None, None]  # (G, K, B)
    labels = (torch.arange(101) % 2).double()[None, None]
    soft, slope = run(spec, logits, labels)
    leaf = logits.clone().requires_grad_()
    counted = isinstance(loss, CountsLoss)
    expected = loss.softening(leaf) if counted else loss.values(leaf, labels)
    expected.sum().backward()
    assert torch.allclose(soft, expected.detach(), atol=1e-14)
    assert torch.allclose(slope, leaf.grad, rtol=1e-9, atol=1e-16)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_no_sample_dies_in_the_safe_form_at_73(dtype):
    logits = torch.linspace(-34, 34, 1001, dtype=dtype)[None, None]
    soft, slope = run(parse_loss("anyloss:f1"), logits, torch.zeros(1))
    assert (slope > 0).all()
    assert (soft.diff() >= 0).all()
    assert soft.min() >= 0
    assert soft.max() <= 1


def test_the_common_amplifier_takes_the_fast_road():
    assert isinstance(build_kernel(parse_loss("anyloss:f1")), SafeAmplifier)
    for other in ("anyloss:f1@form=naive", "anyloss:f1@threshold=0.4", "sol:f1"):
        assert not isinstance(build_kernel(parse_loss(other)), SafeAmplifier)


def test_each_model_has_its_own_L():
    kernel = SafeAmplifier()
    kernel.amplify([5.0, 73.0], torch.zeros(1, dtype=torch.float64))
    logits = torch.full((1, 2, 1), 0.5, dtype=torch.float64)
    soft, slope = torch.empty_like(logits), torch.empty_like(logits)
    kernel.run(logits, torch.zeros(1), soft, slope, False)
    p = torch.sigmoid(torch.tensor(0.5, dtype=torch.float64))
    expected = torch.sigmoid(torch.tensor([5.0, 73.0], dtype=torch.float64) * (p - 0.5))
    assert torch.allclose(soft.flatten(), expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_amplifier_keeps_the_digits_of_a_small_soft_label(dtype):
    logits = torch.tensor([[[-30.0, -3.0, -0.0, 0.0, 2.0, 30.0]]], dtype=dtype)
    kernel = build_kernel(parse_loss("anyloss:f1"))
    kernel.amplify([73.0], torch.zeros(1, dtype=dtype))
    soft, slope = torch.empty_like(logits), torch.empty_like(logits)
    kernel.run(logits.clone(), torch.zeros_like(logits), soft, slope, valued=False)
    expected, steepness = Amplifier(73.0).soft_and_slope(logits)
    torch.testing.assert_close(soft, expected)
    torch.testing.assert_close(slope, steepness)
    assert (soft > 0).all()
