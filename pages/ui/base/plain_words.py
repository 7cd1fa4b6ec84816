"""Sentences that hold foreign words, shown as they are: no Markdown, no markup."""

import html

import streamlit as st

from anyloss_core.common.text import visible

LONGEST = 1500


def lead(text: str) -> None:
    """The sentence that a page is about, in large letters."""
    words = html.escape(visible(text, LONGEST))
    st.html(f'<p style="font-size:1.3rem;line-height:1.45;margin:0.2rem 0">{words}</p>')


def below(text: str) -> None:
    """What stands behind the leading sentence, in letters of the page."""
    words = html.escape(visible(text, LONGEST))
    st.html(f'<p style="line-height:1.45;margin:0;opacity:0.85">{words}</p>')


def titled(title: str, facts: str) -> None:
    """A title in bold with small facts below."""
    title, facts = html.escape(visible(title, 160)), html.escape(visible(facts, 300))
    st.html(
        f'<p style="margin:0;line-height:1.5"><strong>{title}</strong><br>'
        f'<span style="opacity:0.7;font-size:0.875rem">{facts}</span></p>'
    )
