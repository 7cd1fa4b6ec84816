"""Text that came from a user, made safe to look at: nothing hidden, nothing endless.

What becomes of it in Markdown, HTML or plotly's markup is left to those who write these.
"""

import unicodedata
from collections.abc import Iterable

NAME_SHOWN = 60  # characters of the name of a column, class or file in a sentence
# Control, direction and private characters, separators of lines, lone surrogates.
UNSEEN = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}


def visible(text: str, longest: int = 80) -> str:
    """Text with control and direction characters spelled out, cut at `longest` characters."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(_visible_character(character) for character in cut)


def display_name(name: object) -> str:
    """A name in a sentence, as one short line."""
    return visible(str(name), NAME_SHOWN)


def display_names(names: Iterable[object], most: int = 8) -> str:
    """Several names in one line: 'a', 'b', 'c' and 5 more."""
    names = list(names)
    shown = ", ".join(f"'{display_name(name)}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def distinct(names: Iterable[str]) -> list[str]:
    """The names in their order; one that repeats gets a number: 'a', 'b', 'a (2)'."""
    numbers: dict[str, int] = {}
    found: dict[str, None] = {}
    for name in names:
        unique = name
        while unique in found:
            numbers[name] = numbers.get(name, 1) + 1
            unique = f"{name} ({numbers[name]})"
        found[unique] = None
    return list(found)


def _visible_character(character: str) -> str:
    if character != " " and unicodedata.category(character) in UNSEEN:
        return f"\\u{ord(character):04x}"
    return character
