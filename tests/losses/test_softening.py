"""Soft labels and their slopes, in both precisions and at the ends."""

import pytest
import torch
from scipy.integrate import quad
from scipy.stats import cosine

from anyloss_core.losses.softening import Amplifier, RaisedCosine, SigmoidF1, SigmoidTwice, Uniform

ALL = [
    Amplifier(10.0),
    Amplifier(7.0, threshold=0.3),
    Amplifier(10.0, form="naive"),
    RaisedCosine(),
    RaisedCosine(0.4, 0.35),
    Uniform(),
    SigmoidF1(),
    SigmoidF1(beta=3.0, eta=-0.5),
    SigmoidTwice(),
]


def soft_and_slope(softening, logits):
    """As training asks for them, the logits overwritten."""
    logits = logits.clone()
    buffer = (torch.empty_like(logits), torch.empty_like(logits))
    soft = softening.soften(logits, buffer, out=logits)
    return soft, softening.chain(None, buffer) * softening.scale


@pytest.mark.parametrize("softening", ALL, ids=str)
def test_gradients_from_logits_and_from_probabilities_are_right(softening):
    logits = torch.linspace(-4, 4, 33, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(softening, logits)
    p = torch.linspace(0.01, 0.99, 33, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(softening.from_probabilities, p)


@pytest.mark.parametrize("softening", ALL, ids=str)
def test_both_doors_lead_to_the_same_soft_labels(softening):
    logits = torch.linspace(-5, 5, 41, dtype=torch.float64)
    soft = softening.from_probabilities(torch.sigmoid(logits))
    torch.testing.assert_close(softening(logits), soft, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("softening", ALL, ids=str)
def test_the_chain_rule_multiplies_what_it_is_given_by_the_slope(softening):
    logits = torch.linspace(-4, 4, 33, dtype=torch.float64, requires_grad=True)
    x = torch.linspace(-2, 3, 33, dtype=torch.float64)
    (expected,) = torch.autograd.grad((softening(logits) * x).sum(), logits)
    buffer = (torch.empty_like(x), torch.empty_like(x))
    with torch.no_grad():
        softening.soften(logits, buffer, torch.empty_like(x))
        found = softening.chain(x, buffer) * softening.scale
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("softening", ALL, ids=str)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_soft_labels_stay_in_range_and_finite_at_the_ends(softening, dtype):
    for soft, slope in (
        soft_and_slope(softening, torch.tensor([-1e30, -800, -90, 0, 90, 800, 1e30], dtype=dtype)),
        softening.at(torch.tensor([0.0, 1.0], dtype=dtype)),
    ):
        assert torch.isfinite(soft).all()
        assert torch.isfinite(slope).all()
        assert ((soft >= 0) & (soft <= 1)).all()


def test_the_raised_cosine_is_the_distribution_function_of_its_density():
    softening = RaisedCosine(0.5, 0.1)
    p = torch.tensor([0.35, 0.4, 0.43, 0.5, 0.58, 0.6, 0.7], dtype=torch.float64)
    soft, slope = softening.at(p)
    # scipy's cosine density lives on [-pi, pi]; SOL's on [mu - delta, mu + delta].
    scale = 0.1 / torch.pi
    assert soft.tolist() == pytest.approx(cosine.cdf(p, 0.5, scale).tolist(), abs=1e-12)
    assert slope.tolist() == pytest.approx(cosine.pdf(p, 0.5, scale).tolist(), abs=1e-9)
    area, _ = quad(lambda x: softening.at(torch.tensor([x]).double())[1].item(), 0.4, 0.6)
    assert area == pytest.approx(1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_no_sample_dies_in_the_safe_form(dtype):
    logits = torch.linspace(-34, 34, 4001, dtype=dtype)
    _, slope = soft_and_slope(Amplifier(73.0), logits)
    assert (slope > 0).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_small_A_keeps_its_digits(dtype):
    logits = torch.tensor([-34.0, -8.0, -1.0, -0.0, 0.0, 2.0], dtype=dtype)
    exact = torch.sigmoid(73 * (torch.sigmoid(logits.double()) - 0.5))
    torch.testing.assert_close(Amplifier()(logits), exact.to(dtype), rtol=1e-4, atol=0)


def test_samples_die_in_the_naive_form_and_earlier_in_float32():
    dead = {}
    for dtype in (torch.float32, torch.float64):
        _, slope = Amplifier(73.0, form="naive").at(torch.linspace(0, 1, 1001, dtype=dtype))
        dead[dtype] = int((slope == 0).sum())
    assert dead == {torch.float32: 273, torch.float64: 0}


def test_L_may_differ_from_model_to_model():
    logits = torch.randn(3, 8, dtype=torch.float64)
    scales = torch.tensor([[5.0], [10.0], [73.0]], dtype=torch.float64)
    together = Amplifier(scales)(logits)
    for place, L in enumerate((5.0, 10.0, 73.0)):
        torch.testing.assert_close(together[place], Amplifier(L)(logits[place]))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Amplifier(-1.0), "L must be a positive number"),
        (lambda: Amplifier(threshold=1.5), "threshold must lie between 0 and 1"),
        (lambda: Amplifier(form="fast"), "form must be one of safe, naive"),
        (lambda: RaisedCosine(delta=0.0), "delta must be above 0"),
        (lambda: SigmoidF1(beta=0.0), "beta must be a positive number"),
        (lambda: SigmoidF1(eta=float("nan")), "eta must be a finite number"),
    ],
)
def test_impossible_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
