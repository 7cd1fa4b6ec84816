"""The amplifier drawn: shaded stretches, and frames that agree with the core."""

import base64

import numpy as np
import pytest

from anyloss_core.figures import approximation as figures
from anyloss_core.losses.approximation import DTYPES, approximate, valid_range
from anyloss_core.teaching import amplifier
from anyloss_core.teaching.amplifier import AmplifierView


def names(view):
    """The words in the shaded stretches of A(p), from left to right."""
    notes = figures.amplifier_figure(view).layout.annotations
    return [note.text for note in sorted(notes, key=lambda note: note.x)]


def test_shaded_stretches_say_what_happens_there():
    assert names(AmplifierView(L=5.0, form="naive")) == ["pulled towards 0.5"] * 2
    assert names(AmplifierView(L=100.0, form="naive")) == ["A is exactly 1: no more update"]
    assert names(AmplifierView(L=100.0, form="safe")) == ["A is exactly 1, still learns"]
    assert names(AmplifierView(L=20.0, form="safe")) == []


def test_names_that_stand_upright_fit_into_the_height_of_the_curve():
    room = figures.HEIGHT - 110  # without legend and axis
    for L in (5.0, 100.0):
        for note in figures.amplifier_figure(AmplifierView(L=L, form="naive")).layout.annotations:
            assert 0.5 * note.font.size * len(note.text) < room


def test_half_precision_rounds_first_and_dies_later_even_in_the_safe_form():
    view = AmplifierView(L=73.0, dtype="float16", form="safe")
    assert names(view) == [
        "A is exactly 0: no more update",
        "A is exactly 1, still learns",
        "A is exactly 1: no more update",
    ]
    value, slope = amplifier.curve(view)
    rounded, dead = amplifier.rounded_on_grid(value, slope), amplifier.dead_on_grid(slope)
    assert 0.5 < rounded[-1].low < rounded[-1].high < dead[-1].low < dead[-1].high == 1


def test_a_frame_holds_the_curve_of_the_core():
    view = AmplifierView(L=12.0, threshold=0.3)
    frame = figures.amplifier_frame(view)
    drawn = np.frombuffer(base64.b64decode(frame["data"][0]["y"]["bdata"]), "<f4")
    p = figures.drawn_probabilities(0.3)
    np.testing.assert_allclose(drawn, approximate(p, 12.0, 0.3), rtol=1e-6)


def test_a_frame_and_a_figure_of_the_same_view_show_the_same():
    view = AmplifierView(L=100.0, form="naive")
    figure = figures.amplifier_figure(view)
    frame = figures.frames(view, [50.0, 100.0])["amplifier"][1]
    assert len(figure.layout.shapes) == len(frame["layout"]["shapes"]) > 0
    assert figure.layout.shapes[0].x0 == frame["layout"]["shapes"][0]["x0"]


def test_the_range_figure_knows_where_the_point_lies():
    assert figures.range_figure(AmplifierView(L=73.0, t=1e-15)).data[4].marker.symbol == "circle"
    late = AmplifierView(L=73.0, t=1e-15, dtype="float32")
    assert figures.range_figure(late).data[4].marker.symbol == "x"


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_click_into_the_valid_range_names_a_level_and_an_L(dtype):
    choices = figures.range_figure(AmplifierView(dtype=dtype)).data[5]
    assert set(choices.x) == set(amplifier.LEVELS)
    for t, L, said in zip(choices.x, choices.y, choices.text, strict=True):
        low, high = valid_range(t, dtype)
        assert (said == "valid") == (low <= L <= high), (t, L)
