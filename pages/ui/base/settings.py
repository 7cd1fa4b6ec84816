"""What a page can be set to, and how a setting is written in the URL.

A setting is declared once: name, default, limits. `read` takes whatever the URL holds and gives
a value within the limits: out of range is clamped, anything else falls back to the default.
Nothing here can raise on a hostile value, and nothing here knows streamlit.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

LONGEST = 2_000  # characters of one parameter that are looked at


@dataclass(frozen=True)
class Number:
    """A number between two limits; whole if the default is an int."""

    name: str
    default: float
    low: float
    high: float

    def read(self, text: str) -> float:
        try:
            value = float(text[:60])
        except ValueError:
            return self.default
        if math.isnan(value):
            return self.default
        value = min(max(value, self.low), self.high)
        return round(value) if isinstance(self.default, int) else value

    def write(self, value: float) -> str:
        return f"{value:d}" if isinstance(value, int) else f"{value:.12g}"


@dataclass(frozen=True)
class Flag:
    """Yes or no."""

    name: str
    default: bool

    def read(self, text: str) -> bool:
        known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
        return known.get(text[:10].lower(), self.default)

    def write(self, value: bool) -> str:
        return "1" if value else "0"


@dataclass(frozen=True)
class Choice:
    """One of a few values."""

    name: str
    default: str
    choices: tuple[str, ...]
    write = str  # as it is

    def read(self, text: str) -> str:
        return text if text in self.choices else self.default


@dataclass(frozen=True)
class Text:
    """Free text, such as a formula; `valid` refuses by returning False or raising ValueError."""

    name: str
    default: str
    longest: int = 300
    valid: Callable[[str], Any] | None = None
    write = str  # as it is

    def read(self, text: str) -> str:
        known = len(text) <= self.longest and _passes(self.valid, text)
        return text if known else self.default


@dataclass(frozen=True)
class Several:
    """A list of values, each from `choices` or passed by `valid`; written with ';' between."""

    name: str
    default: tuple[str, ...]
    choices: tuple[str, ...] | None = None
    valid: Callable[[str], Any] | None = None
    at_most: int = 12

    def read(self, text: str) -> tuple[str, ...]:
        parts = [part.strip() for part in text[:LONGEST].split(";")]
        kept = tuple(dict.fromkeys(part for part in parts if part and self._allows(part)))
        return kept[: self.at_most] or self.default

    def write(self, value: Sequence[str]) -> str:
        return ";".join(value)

    def _allows(self, part: str) -> bool:
        if self.choices is not None and part not in self.choices:
            return False
        return _passes(self.valid, part)


@dataclass(frozen=True)
class Numbers:
    """A list of numbers within limits, such as values of L; written with ';' between."""

    name: str
    default: tuple[float, ...]
    low: float
    high: float
    at_most: int = 12

    def read(self, text: str) -> tuple[float, ...]:
        one = Number(self.name, math.nan, self.low, self.high)
        values = [one.read(part) for part in text[:LONGEST].split(";")]
        whole = all(isinstance(value, int) for value in self.default)
        kept = [round(value) if whole else value for value in values if not math.isnan(value)]
        return tuple(dict.fromkeys(kept))[: self.at_most] or self.default

    def write(self, value: Sequence[float | str]) -> str:
        """Numbers, and text that somebody typed into a list of numbers."""
        return ";".join(n if isinstance(n, str) else f"{n:.12g}" for n in value)


Setting = Number | Flag | Choice | Text | Several | Numbers


def _passes(valid: Callable[[str], Any] | None, text: str) -> bool:
    if valid is None:
        return True
    try:
        return valid(text) is not False
    except (ValueError, KeyError):
        return False
