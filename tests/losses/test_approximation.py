"""A(p), its slope, the two conditions and the valid range of L."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from anyloss_core.losses.approximation import (
    amplifier_failures,
    approximate,
    approximation_slope,
    naive_amplifier,
    valid_range,
)
from tests.support.saturation import saturated

TABLE_1 = [  # accuracy level, published minimum and maximum
    (0.1, 5.50, 91.84),
    (0.01, 9.38, 74.97),
    (0.001, 13.85, 73.62),
    (1e-14, 64.48, 73.47),
    (1e-15, 69.08, 73.47),
    (1e-16, 73.69, 73.47),
]


@pytest.mark.parametrize(("t", "low", "high"), TABLE_1)
def test_float64_gives_the_published_table(t, low, high):
    assert valid_range(t).as_published() == (low, high)


@pytest.mark.parametrize(
    ("t", "high"), [(0.1, 41.58), (0.01, 33.95), (0.001, 33.33), (1e-7, 33.27), (1e-12, 33.27)]
)
def test_float32_ends_where_its_24_digits_end(t, high):
    assert valid_range(t, "float32").as_published()[1] == high


def test_the_finest_level_of_float32_is_1e_7():
    assert valid_range(1e-7, "float32").as_published() == (32.24, 33.27)
    assert valid_range(1e-8, "float32").empty


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_the_maximum_is_the_last_L_whose_A_is_below_one(dtype):
    high = valid_range(0.01, dtype).maximum
    p = torch.tensor(0.99, dtype=torch.float64).to(getattr(torch, dtype))
    assert naive_amplifier(p, high) < 1
    assert naive_amplifier(p, high * 1.05) == 1


@pytest.mark.parametrize("t", [0.0, 0.5, -1.0, 0.7, float("nan")])
def test_an_accuracy_level_outside_its_range_is_refused(t):
    with pytest.raises(ValueError, match=r"t must lie between 0 and 0\.5"):
        valid_range(t)


def test_an_unknown_precision_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="float64, float32"):
        valid_range(0.1, "float8")


def test_a_precision_may_be_given_as_a_type():
    expected = valid_range(0.1, "float32")
    assert valid_range(0.1, torch.float32) == valid_range(0.1, np.float32) == expected


def test_the_papers_examples():
    assert approximate(0.1, 5) == pytest.approx(0.1192029220221175)  # its figure's (0.1, 0.12)
    assert approximate(0.9, 100) == 1.0  # its figure's (0.9, 1.0)


def test_floats_arrays_and_tensors_agree_and_keep_their_precision():
    p = np.array([0.1, 0.5, 0.93])
    by_formula = 1 / (1 + np.exp(-20 * (p - 0.5)))
    np.testing.assert_allclose(approximate(p, 20), by_formula, rtol=1e-15)
    assert approximate(torch.tensor(p), 20).tolist() == pytest.approx(by_formula)
    assert isinstance(approximate(0.1, 20), float)
    assert approximate(p.astype(np.float32), 20).dtype == np.float32
    assert approximate(torch.tensor(p, dtype=torch.float32), 20).dtype == torch.float32


def test_the_slope_is_the_derivative_and_does_not_vanish_where_A_is_one():
    p = torch.linspace(0, 1, 21, dtype=torch.float64, requires_grad=True)
    approximate(p, 12.0).sum().backward()
    assert approximation_slope(p.detach(), 12.0) == pytest.approx(p.grad, rel=1e-9)
    assert approximate(1.0, 100) == 1.0
    assert approximation_slope(1.0, 100) == pytest.approx(100 * np.exp(-50), rel=1e-9)


@pytest.mark.parametrize(("L", "threshold"), [(1, 0.5), (5, 0.5), (10, 0.5), (20, 0.3), (8, 0.1)])
def test_failing_intervals_agree_with_the_condition_on_a_grid(L, threshold):
    p = np.linspace(1e-4, 1 - 1e-4, 9974)  # even: 0.5, where both sides are equal, is left out
    inside = np.zeros_like(p, dtype=bool)
    for low, high in amplifier_failures(L, threshold):
        inside |= (p > low) & (p < high)
    holds = abs(approximate(p, L, threshold) - 0.5) >= abs(p - 0.5)
    np.testing.assert_array_equal(inside, ~holds)


@pytest.mark.parametrize("L", [4.5, 5, 10, 30, 73])
def test_failing_intervals_end_at_the_root_not_at_a_grid_step(L):
    low, *_ = amplifier_failures(L)
    assert low.low == 0
    assert approximate(low.high, L) == pytest.approx(low.high, rel=1e-12)


def test_up_to_L_4_nothing_is_amplified():
    assert amplifier_failures(4) == ((0.0, 1.0),)


def test_float32_saturates_much_earlier_than_float64():
    assert saturated(73, "float64") == ()
    ((low, high),) = saturated(73, "float32")
    assert high == 1.0
    assert low == pytest.approx(0.5 + 24 * np.log(2) / 73, abs=1e-6)


def test_saturation_starts_at_the_first_p_whose_A_is_one():
    ((low, _),) = saturated(100, "float64")
    assert naive_amplifier(torch.tensor(low, dtype=torch.float64), 100.0) == 1
    below = torch.tensor(low - 1e-12, dtype=torch.float64)
    assert naive_amplifier(below, 100.0) < 1


def test_the_lower_side_saturates_only_beyond_about_1419():
    assert len(saturated(1410)) == 1
    assert saturated(1430)[0][0] == 0.0
    assert len(saturated(176, "float32")) == 1
    assert saturated(180, "float32")[0][0] == 0.0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_safe_form_has_no_dead_p_at_the_papers_L(dtype):
    assert saturated(73, dtype, form="safe") == ()


@given(p=st.floats(0, 1), L=st.floats(0.1, 500))
def test_A_is_a_probability_and_symmetric(p, L):
    a = approximate(p, L)
    assert 0 <= a <= 1
    assert a + approximate(1 - p, L) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("L", [0, -3, float("nan"), float("inf"), "73", None])
def test_an_impossible_L_is_refused(L):
    with pytest.raises(ValueError, match="L must be a positive number"):
        amplifier_failures(L)
