"""Text of users: one short line in which nothing hides."""

import pytest

from anyloss_core.common.text import display_name, display_names, distinct, visible


@pytest.mark.parametrize(
    "character", ["\n", "\x00", "\x1b", "\u202e", "\u200b", "\u2028", "\ud800"]
)
def test_what_would_hide_or_turn_text_around_is_spelled_out(character):
    assert visible(f"a{character}b") == f"a\\u{ord(character):04x}b"


@pytest.mark.parametrize("text", ["plain words", "naïve 日本語 🙂", "<b>**x**</b>", ""])
def test_what_can_be_seen_stays_as_it_is(text):
    assert visible(text) == text


def test_a_long_text_is_cut_before_it_is_spelled_out():
    assert visible("abcdef", 4) == "abc…"
    assert visible("\n" * 10, 3) == "\\u000a\\u000a…"


def test_a_long_or_unprintable_name_is_shown_short_and_plain():
    assert display_name("n" * 100_000) == "n" * 59 + "…"
    assert display_name("a\x1b[31m\u202eb") == "a\\u001b[31m\\u202eb"


def test_several_names_are_shown_in_one_short_line():
    assert display_names("abc") == "'a', 'b', 'c'"
    assert display_names(range(20), most=2) == "'0', '1' and 18 more"


def test_a_name_that_repeats_gets_a_number_that_is_not_taken():
    assert distinct(["a", "b", "a", "a (2)", "a"]) == ["a", "b", "a (2)", "a (2) (2)", "a (3)"]
    assert distinct([]) == []
