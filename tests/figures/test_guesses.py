"""Guesses drawn: the difference to the answer, and the counts of a class without the answer."""

import numpy as np
import pytest

from anyloss_core.figures import guesses as figures
from anyloss_core.teaching.guesses import ChoiceGuess, CurveGuess, NumberGuess

NUMBER = NumberGuess("How many?", 0.0, 60.0, 1.0, 16.0, "Counted.", unit=" rows")
CHOICE = ChoiceGuess("Which?", ("one", "<b>two", "three"), 2, "Because.")
CURVE = CurveGuess("Sketch", (0.0, 0.5, 1.0), 0.0, 1.0, (0.0, 0.5, 1.0), "Why", "p", "x", "y")
CLASS = {
    "number": (NUMBER, [3.0, 16.0, 59.0]),
    "choice": (CHOICE, [0, 2, 2]),
    "curve": (CURVE, [(0.0, 0.5, 1.0), (0.0, 0.9, 0.2)]),
}


def test_the_difference_of_a_number_is_a_line_between_both():
    difference, yours, answer = figures.own_figure(NUMBER, 20.0).data
    assert list(difference.x) == [20, 16]
    assert (yours.x[0], answer.x[0]) == (20, 16)
    table = figures.own_table(NUMBER, 20.0)
    assert table.to_dict("records") == [
        {"your guess": 20, "the answer": 16, "difference": 4},
    ]


def test_the_difference_of_a_curve_is_the_area_between_both():
    yours, answer = figures.own_figure(CURVE, (0.0, 0.0, 1.0)).data
    assert list(yours.y) == [0, 0, 1]
    assert answer.fill == "tonexty"
    assert figures.own_table(CURVE, (0.0, 0.0, 1.0))["difference"].tolist() == [0, -0.5, 0]


@pytest.mark.parametrize("kind", CLASS)
def test_the_answer_is_not_in_the_figure_before_it_is_revealed(kind):
    guess, values = CLASS[kind]
    before, after = (drawn(figures.class_figure(guess, values, revealed=r)) for r in (False, True))
    assert len(after) > len(before)
    for said in ("answer", figures.GOOD, figures.BAD):
        assert said not in before


def drawn(figure):
    """Its text without the template, which names every colour."""
    return figure.update_layout(template=None).to_json()


def test_bars_are_the_counts_of_the_class():
    assert sum(figures.class_figure(NUMBER, CLASS["number"][1], False).data[0].y) == 3
    bars = figures.class_figure(CHOICE, CLASS["choice"][1], False)
    assert list(bars.data[0].x) == [1, 0, 2]
    assert "&lt;b&gt;two" in [note.text for note in bars.layout.annotations]


def test_curves_of_a_class_become_counts_at_each_place():
    cells = figures.class_figure(CURVE, CLASS["curve"][1], False).data[0]
    assert np.nansum(cells.z, axis=0).tolist() == [2, 2, 2]
    assert np.isnan(cells.z[0, 1])  # nobody there
    assert cells.y[0] == pytest.approx(0.05)


def test_curves_of_a_class_keep_their_scales_while_the_first_ones_come_in():
    """Counts are whole, and p ends where it ends."""
    for curves in ([], CLASS["curve"][1]):
        figure = figures.class_figure(CURVE, curves, False)
        assert figure.data[0].zmax == 4
        assert figure.data[0].colorbar.dtick == 1
        assert list(figure.layout.xaxis.range) == [-0.25, 1.25]


@pytest.mark.parametrize("kind", CLASS)
def test_a_class_without_guesses_is_drawn(kind):
    assert figures.class_figure(CLASS[kind][0], [], revealed=True).data
