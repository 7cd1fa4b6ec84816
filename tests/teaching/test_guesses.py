"""Guesses: what counts as one, how far it was, and how often a class made it."""

import json

import pytest

from anyloss_core.teaching.guesses import (
    ChoiceGuess,
    CurveGuess,
    NumberGuess,
    from_text,
    from_texts,
    to_text,
)
from tests.hostile_text import VALUES

NUMBER = NumberGuess("How many?", 0.0, 60.0, 1.0, 16.0, "Counted.", unit=" rows")
CHOICE = ChoiceGuess("Which?", ("one", "two", "three"), 2, "Because.")
CURVE = CurveGuess("Sketch", (0.0, 0.5, 1.0), 0.0, 1.0, (0.0, 0.5, 1.0), "Why", "p", "x", "y")
KINDS = {"number": (NUMBER, 20.0), "choice": (CHOICE, 1), "curve": (CURVE, (0.1, 0.2, 0.3))}


@pytest.mark.parametrize("kind", KINDS)
def test_a_guess_survives_being_written_and_read(kind):
    guess, value = KINDS[kind]
    assert guess.kind == kind
    assert from_text(guess, to_text(guess, value)) == value


ODD = ["", "x", "null", "true", "[]", "{}", "NaN", "1e999", "-1", "61", "1.5", "[0,0]", "[" * 900]
ODD += ["[0,0,2]", '[0,0,"1"]', "[0,0,NaN]", "[0,0,null]", "9" * 900, *map(json.dumps, VALUES)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ODD)
def test_what_is_no_guess_is_none(kind, text):
    guess, _ = KINDS[kind]
    fine = {("number", "1.5"): 1.5}
    assert from_text(guess, text) == fine.get((kind, text))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [None, True, "1", float("nan"), -1, 1e9, [1], [0, 0, True], b"1"])
def test_what_a_browser_may_send_instead_is_not_kept(kind, value):
    assert to_text(KINDS[kind][0], value) is None


def test_a_number_is_told_how_far_it_was():
    assert NUMBER.verdict(20) == "You said 20 rows, it is 16 rows: 4 rows too high."
    assert NUMBER.verdict(1) == "You said 1 rows, it is 16 rows: 15 rows too low."
    assert NUMBER.verdict(16) == "You said 16 rows, and that is it."
    assert NumberGuess("", 0, 1, 0.01, 0.38, "").verdict(0.5).endswith("0.38: 0.12 too high.")


def test_a_number_beside_the_scale_is_shown_with_its_own_digits():
    exact = NumberGuess("", 0.0, 100.0, 1.0, 93.75, "", unit=" %")
    assert exact.right == "It is 93.75 %."
    assert exact.verdict(80) == "You said 80 %, it is 93.75 %: 13.75 percentage points too low."
    assert exact.verdict(94) == "You said 94 %, and it is 93.75 %: nobody comes closer."


def test_a_choice_is_right_or_told_what_is():
    assert CHOICE.verdict(2) == "You said: three. That is it."
    assert CHOICE.verdict(0) == "You said: one. The answer: three."


def test_a_curve_is_told_how_far_it_was_and_where_most():
    assert CURVE.verdict((0.0, 0.5, 0.4)) == (
        "Your curve is 0.20 away from p on average, and at most 0.60, at x = 1."
    )


def test_a_class_is_counted():
    assert NUMBER.tally([0, 5.9, 6, 60]).query("count > 0")["count"].tolist() == [2, 1, 1]
    assert CHOICE.tally([2, 2, 0])["count"].tolist() == [1, 0, 2]
    table = CURVE.tally([(0, 0.5, 1), (0, 0.55, 0.2)])
    assert table.groupby("x")["count"].sum().tolist() == [2, 2, 2]
    assert table.query("x == 0.5 and `from` == 0.5")["count"].tolist() == [2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_without_guesses_has_a_table_of_zeros(kind):
    table = KINDS[kind][0].tally([])
    assert len(table) >= 3
    assert (table["count"] == 0).all()


def test_what_is_no_guess_does_not_count():
    assert from_texts(CHOICE, ["1", "nonsense", "7"]) == [1]
