"""The appendix's closed forms against autograd and finite differences."""

import pytest
import torch

from anyloss_core.losses.gradients import (
    CLOSED_FORMS,
    appendix_sums,
    closed_form_gradient,
    gmean_gradient,
)
from anyloss_core.losses.spelling import get_loss


@pytest.fixture
def perceptron():
    generator = torch.Generator().manual_seed(4)
    x = torch.randn(60, 4, generator=generator, dtype=torch.float64)
    x[:, 0] = 1  # the intercept's input
    labels = (torch.rand(60, generator=generator) < 0.3).double()
    return x, labels, torch.randn(4, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("L", [3.0, 11.0])
@pytest.mark.parametrize("metric", [*CLOSED_FORMS, "f3"])
def test_closed_forms_equal_autograd(perceptron, metric, L):
    x, labels, weights = perceptron
    w = weights.clone().requires_grad_()
    get_loss(f"anyloss:{metric}@L={L}")(x @ w, labels).backward()
    torch.testing.assert_close(closed_form_gradient(metric, x, labels, weights, L), w.grad)


@pytest.mark.parametrize("metric", CLOSED_FORMS)
def test_closed_forms_equal_finite_differences(perceptron, metric):
    x, labels, weights = perceptron
    loss = get_loss(f"anyloss:{metric}@L=8")
    gradient = closed_form_gradient(metric, x, labels, weights, 8.0)
    for place in range(4):
        step = torch.zeros(4, dtype=torch.float64)
        step[place] = 1e-6
        rise = loss(x @ (weights + step), labels) - loss(x @ (weights - step), labels)
        assert gradient[place].item() == pytest.approx(rise.item() / 2e-6, rel=1e-6, abs=1e-10)


def test_the_printed_gmean_derivative_is_four_times_the_true_one(perceptron):
    sums = appendix_sums(*perceptron, L=8.0)
    printed = gmean_gradient(sums, published_factor=True)
    torch.testing.assert_close(printed, 4 * gmean_gradient(sums))


def test_a_metric_without_a_closed_form_is_refused(perceptron):
    with pytest.raises(ValueError, match="no closed form for 'mcc'"):
        closed_form_gradient("mcc", *perceptron)
