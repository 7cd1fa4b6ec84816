"""Settings read from a URL: clamped, or the default, and never an exception."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.base.settings import Choice, Flag, Number, Numbers, Several, Text

SETTINGS = [
    Number("L", 73.0, 1.0, 150.0),
    Number("seed", 0, 0, 2**31 - 1),
    Flag("log", True),
    Choice("dtype", "float64", ("float64", "float32")),
    Text("typed", "TP", longest=20),
    Several("losses", ("bce",), at_most=3, valid=lambda text: text != "bad"),
    Numbers("values", (1.0, 5.0), 1.0, 150.0, at_most=4),
]


@given(st.sampled_from(SETTINGS), st.text())
def test_any_text_gives_a_value_that_reads_back_as_itself(setting, text):
    value = setting.read(text)
    assert setting.read(setting.write(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5.0), ("1e9", 150.0), ("-3", 1.0), ("inf", 150.0), ("nan", 73.0), ("<script>", 73.0)],
)
def test_a_number_is_clamped_or_falls_back(text, value):
    assert SETTINGS[0].read(text) == value


def test_a_whole_number_stays_whole():
    seed = SETTINGS[1].read("3.7")
    assert seed == 4
    assert isinstance(seed, int)


def test_lists_drop_what_is_not_allowed_and_what_is_too_many():
    assert SETTINGS[5].read("bad;a;a;b;c;d") == ("a", "b", "c")
    assert SETTINGS[5].read(";;") == ("bce",)
    assert SETTINGS[6].read("10;nan;500;x") == (10.0, 150.0)


def test_a_choice_knows_only_its_choices():
    assert SETTINGS[3].read("float32") == "float32"
    assert SETTINGS[3].read("float128") == "float64"


def test_text_that_is_too_long_is_not_taken():
    assert SETTINGS[4].read("x" * 21) == "TP"


def test_a_validator_may_raise():
    def refuse(text):
        raise ValueError(text)

    assert Text("a", "default", valid=refuse).read("anything") == "default"


def test_numbers_survive_the_url_to_twelve_digits():
    exact = 33.2713912345
    assert math.isclose(SETTINGS[0].read(SETTINGS[0].write(exact)), exact, rel_tol=1e-11)
