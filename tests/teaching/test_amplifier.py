"""What the page Approximation says of an L, and which samples learn no more."""

import numpy as np
import pytest
import torch

from anyloss_core.losses.approximation import DTYPES, FORMS
from anyloss_core.teaching import amplifier
from anyloss_core.teaching.amplifier import AmplifierView
from tests.support.saturation import saturated


def test_the_papers_examples_are_told_in_words():
    small = amplifier.describe(AmplifierView(L=5, t=0.1, form="naive"))
    large = amplifier.describe(AmplifierView(L=100, t=0.1, form="naive"))
    assert small[0].text == "L = 5: p = 0.1 becomes 0.12: pulled towards 0.5, not away."
    assert [s.holds for s in small] == [False, True]
    assert large[1].text == "p = 0.9 becomes exactly 1 in float64: no more update."
    assert [s.holds for s in large] == [True, False]


def test_the_safe_form_is_said_to_keep_learning():
    words = amplifier.describe(AmplifierView(L=100, t=0.1, form="safe"))
    assert words[1].holds
    assert "still learns" in words[1].text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_dead_regions_on_the_grid_are_those_of_the_core(dtype, form):
    step = 1 / (amplifier.POINTS - 1)
    for L in (1.0, 12.0, 33.0, 73.0, 100.0, 150.0):
        view = AmplifierView(L=L, dtype=dtype, form=form)
        seen = amplifier.dead_on_grid(amplifier.curve(view)[1])
        exact = [part for part in saturated(L, dtype, form) if part[1] - part[0] > step]
        assert len(seen) == len(exact)
        np.testing.assert_allclose(seen, exact, atol=step)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("t", [0.1, 0.01])
def test_the_sentences_say_what_the_chart_of_this_precision_shades(dtype, form, t):
    for L in (1.0, 12.0, 20.0, 40.0, 73.0, 100.0, 150.0):
        view = AmplifierView(L=L, t=t, dtype=dtype, form=form)
        value, slope = amplifier.curve(view)
        for p, said in zip((t, 1 - t), amplifier.describe(view), strict=True):
            place = round(p * (amplifier.POINTS - 1))
            dead = f"exactly {value[place]:g} in {dtype}: no more update"
            assert (dead in said.text) == (slope[place] == 0), said.text
            assert said.holds or slope[place] == 0 or "0.5" in said.text


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_short_formats_are_rounded_after_every_step(dtype):
    """The paper's form by hand: each operation in float32, its result rounded to the format."""
    short = DTYPES[dtype]

    def rounded(exact):
        return exact.float().to(short).float()

    for L in (5.0, 20.0, 73.0):
        p = torch.tensor(amplifier.probabilities()).to(short).float()
        power = rounded(torch.exp(rounded(-L * rounded(p - 0.5))))
        expected = rounded(1 / rounded(1 + power))
        value, _ = amplifier.curve(AmplifierView(L=L, dtype=dtype, form="naive"))
        np.testing.assert_array_equal(value, expected.double().numpy())


def test_in_float16_the_small_end_dies_too():
    low, high = amplifier.describe(AmplifierView(L=100, t=0.1, dtype="float16", form="safe"))
    assert low.text == "L = 100: p = 0.1 becomes exactly 0 in float16: no more update."
    assert high.text == "p = 0.9 becomes exactly 1 in float16: no more update."
    assert not low.holds


def test_the_rest_to_one_is_that_of_the_precision():
    words = amplifier.describe(AmplifierView(L=18, t=0.1, dtype="float16", form="naive"))
    assert "becomes 1 - 9.8e-04" in words[1].text  # two steps of float16; really 7.5e-04
