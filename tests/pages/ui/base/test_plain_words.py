"""Sentences with foreign words: nothing in them is markup, and none is endless."""

from pages.ui.base import plain_words
from tests.pages.conftest import drawn


def sentences(text):
    from pages.ui.base import plain_words

    plain_words.lead(text)
    plain_words.titled(text, f"{text} fact")
    plain_words.below(text)


def bodies(text):
    return [part.proto.body for part in drawn(sentences, text=text).get("html")]


def test_markup_in_foreign_words_is_shown_and_not_followed():
    lead, titled, below = bodies("<b onclick='x'>F1 & more</b> **y**")
    spelled = "&lt;b onclick=&#x27;x&#x27;&gt;F1 &amp; more&lt;/b&gt; **y**"
    assert f">{spelled}</p>" in lead
    assert f">{spelled}</p>" in below
    assert f"<strong>{spelled}</strong>" in titled
    assert f">{spelled} fact</span>" in titled


def test_long_and_invisible_text_is_cut_and_spelled_out():
    lead, titled, _ = bodies("a\u202e" + "x" * 5000)
    assert "a\\u202ex" in lead
    assert plain_words.LONGEST - 20 < lead.count("x") <= plain_words.LONGEST
    assert 400 < titled.count("x") <= 160 + 300  # a title and its facts
