"""The page Approximation and what it computes: words, regions, frames that agree with the core."""

import base64

import numpy as np
import pytest

from anyloss_core import amplifier_view
from anyloss_core.amplifier_view import AmplifierView
from anyloss_core.approximation import DTYPES, FORMS, approximate, saturated
from anyloss_core.figures import amplifier_training as training
from anyloss_core.figures import approximation as figures
from anyloss_core.store import Store
from tests.live_runs import train_live


def test_the_papers_examples_are_told_in_words():
    small = amplifier_view.describe(AmplifierView(L=5, t=0.1, form="naive"))
    large = amplifier_view.describe(AmplifierView(L=100, t=0.1, form="naive"))
    assert small[0].text == "L = 5: p = 0.1 becomes 0.12: pulled towards 0.5, not away."
    assert [s.holds for s in small] == [False, True]
    assert large[1].text == "p = 0.9 becomes exactly 1 in float64: no more update."
    assert [s.holds for s in large] == [True, False]


def test_the_safe_form_is_said_to_keep_learning():
    words = amplifier_view.describe(AmplifierView(L=100, t=0.1, form="safe"))
    assert words[1].holds
    assert "still learns" in words[1].text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_dead_regions_on_the_grid_are_those_of_the_core(dtype, form):
    step = 1 / (amplifier_view.POINTS - 1)
    for L in (1.0, 12.0, 33.0, 73.0, 100.0, 150.0):
        view = AmplifierView(L=L, dtype=dtype, form=form)
        seen = amplifier_view.dead_on_grid(amplifier_view.curve(view)[1])
        exact = [part for part in saturated(L, dtype, form) if part.high - part.low > step]
        assert len(seen) == len(exact)
        np.testing.assert_allclose(seen, exact, atol=step)


def names(view):
    """The words in the shaded stretches of A(p), from left to right."""
    notes = figures.amplifier_figure(view).layout.annotations
    return [note.text for note in sorted(notes, key=lambda note: note.x)]


def test_shaded_stretches_say_what_happens_there():
    assert names(AmplifierView(L=5.0, form="naive")) == ["pulled towards 0.5"] * 2
    assert names(AmplifierView(L=100.0, form="naive")) == ["A is exactly 1: no more update"]
    assert names(AmplifierView(L=100.0, form="safe")) == ["A is exactly 1, still learns"]
    assert names(AmplifierView(L=20.0, form="safe")) == []


def test_half_precision_rounds_first_and_dies_later_even_in_the_safe_form():
    view = AmplifierView(L=73.0, dtype="float16", form="safe")
    assert names(view) == [
        "A is exactly 0: no more update",
        "A is exactly 1, still learns",
        "A is exactly 1: no more update",
    ]
    value, slope = amplifier_view.curve(view)
    rounded, dead = amplifier_view.rounded_on_grid(value, slope), amplifier_view.dead_on_grid(slope)
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


def test_a_cross_marks_where_no_more_update_sets_in(tmp_path):
    losses = tuple(f"anyloss:f1@L={L},form=naive" for L in (5, 150))
    _, history = train_live(Store(tmp_path), losses=losses, optimiser="gd", lr=50.0)
    dead = history.column("dead")[:, 1]
    first = int(np.argmax(dead > 0))
    assert dead[first] > 0
    assert list(training.onset(history)) == [150.0]
    for figure, column in ((training.learning_figure, "losses"), (training.dead_figure, "dead")):
        *lines, cross = figure(history).data
        assert [line.name for line in lines] == ["L = 5", "L = 150"]
        assert list(cross.text) == ["no more update"]
        assert list(cross.x) == [history.epochs[first]]
        assert list(cross.y) == [history.column(column)[first, 1]]


def test_no_cross_is_drawn_while_every_sample_learns(tmp_path):
    _, history = train_live(Store(tmp_path), losses=("anyloss:f1@L=5,form=naive",))
    assert [trace.name for trace in training.learning_figure(history).data] == ["L = 5"]


def test_a_preset_sets_the_link(open_page):
    page = open_page("approximation", dtype="float32")
    assert not page.exception
    page.button(key="preset:L = 100: 0.9 becomes 1.0").click().run()
    assert not page.exception
    assert page.query_params["L"] == "100"
    assert "dtype" not in page.query_params


def test_no_preset_moves_an_L_that_is_hidden(open_page):
    page = open_page("approximation", hide="L")
    assert not [button for button in page.button if button.key.startswith("preset:")]


def test_several_L_are_trained_and_the_dead_are_counted(open_page, finished):
    page = open_page("approximation", values="5;100")
    page.button(key="curves.start").click().run()
    page = finished(page)
    words = page.main.markdown[-1].value
    assert not page.exception
    assert "L = 5: loss" in words
    assert "L = 100: loss" in words
    assert "no more update from epoch" in words.split("L = 100")[1]
