"""Foreign text is shown as it is: no Markdown, no control characters, no markup in figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anyloss_core.figures.style import plain
from anyloss_core.store.store import Store, StoreError
from pages.ui.base.text import duration, in_markdown, literal


@given(st.text())
def test_a_literal_is_one_code_span_that_its_content_cannot_close(text):
    span = literal(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    inside = span[len(fence) : -len(fence)]
    assert span.endswith(fence)
    assert fence not in inside
    assert "\n" not in inside


@pytest.mark.parametrize(
    "text",
    [
        "Tuned thresholds are tuned for precision at recall ≥ 0.9, on inner folds.",
        "'customer' was dropped: looks like an identifier, it would only be memorised.",
        "No column can be the target. The target 'note' holds one class only ('of 2024').",
    ],
)
def test_a_plain_sentence_is_shown_as_one(text):
    assert in_markdown(text, 300) == text


@pytest.mark.parametrize(
    "text",
    [
        *("1. a", "www.x.org", "see www.x.org", ":100:", ":red[x]", "a :smile: b", "<b>"),
        *("a*b*", "[x](http://y)", "a_b_", "$x$", "http://x.org", "# a", "a@b.org", "~~a~~"),
    ],
)
def test_what_means_something_in_markdown_is_shown_as_it_is(text):
    assert in_markdown(text) == literal(text)


def test_control_and_direction_characters_are_spelled_out():
    assert literal("a\u202eb\x00") == "`a\\u202eb\\u0000`"


def test_long_text_is_cut():
    assert len(literal("x" * 500)) == 82


def test_plotly_sees_no_markup():
    assert plain("<b onclick=x>&amp;") == "&lt;b onclick=x&gt;&amp;amp;"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.42, "0.4 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (3900, "1 h 5 min")],
)
def test_durations_read_well(seconds, words):
    assert duration(seconds) == words


def test_a_fault_of_the_store_does_not_tell_where_it_is(tmp_path, monkeypatch):
    home = tmp_path / "some where" / "home"
    home.mkdir(parents=True)
    (home / "lab.sqlite3").write_bytes(b"this is no database" * 100)
    monkeypatch.setenv("ANYLOSS_HOME", str(home))
    with pytest.raises(StoreError, match="some where") as fault:
        Store()
    shown = literal(fault.value, 300)
    assert str(tmp_path) not in shown
    assert "the Lab's folder/lab.sqlite3 is not a store" in shown
