"""What the page Approximation says of an L, and which samples learn no more."""

import numpy as np
import pytest

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
