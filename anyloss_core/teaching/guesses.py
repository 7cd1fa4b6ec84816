"""A guess before a lesson shows its answer: what is asked, what counts as a guess, how far it was.

Three kinds: a number on a scale, one of a few options, a sketched curve. All are plain data (the
answers are figures that tests recompute), so that a page, a class and a file without a server ask
the same. What comes from outside passes `read`; nothing here can raise on a hostile guess.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

BINS = 10  # of the distribution of a class's numbers, and of its curves at each x
LONGEST = 1_000  # characters of a guess as text


@dataclass(frozen=True)
class NumberGuess:
    """A number between two limits."""

    kind: ClassVar[str] = "number"
    question: str
    low: float
    high: float
    step: float
    answer: float
    because: str
    unit: str = ""  # what follows the number

    def read(self, given: object) -> float | None:
        """A guess from outside, or None if it is none."""
        return _within(given, self.low, self.high)

    def write(self, value: float) -> str:
        """A number with its unit."""
        return f"{value:.6g}{self.unit}"

    def verdict(self, guess: float) -> str:
        """How far it was, in a sentence."""
        off, said, answer = guess - self.answer, self.write(guess), self.write(self.answer)
        if said == answer:
            return f"You said {said}, and that is it."
        if abs(off) <= self.step / 2:
            return f"You said {said}, and it is {answer}: nobody comes closer."
        way = "too high" if off > 0 else "too low"
        return f"You said {said}, it is {answer}: {self._distance(abs(off))} {way}."

    def _distance(self, off: float) -> str:
        """Two shares differ by percentage points, not by per cent."""
        return f"{off:.6g} percentage points" if self.unit == " %" else self.write(off)

    @property
    def right(self) -> str:
        """The answer in words."""
        return f"It is {self.write(self.answer)}."

    def tally(self, guesses: Sequence[float]) -> pd.DataFrame:
        """How many of a class guessed in each tenth of the scale: low, high, count."""
        count, edges = np.histogram(guesses, BINS, (self.low, self.high))
        return pd.DataFrame({"from": edges[:-1], "to": edges[1:], "count": count})


@dataclass(frozen=True)
class ChoiceGuess:
    """One of a few options; a guess is its place, counted from 0."""

    kind: ClassVar[str] = "choice"
    question: str
    options: tuple[str, ...]
    answer: int
    because: str

    def read(self, given: object) -> int | None:
        """A guess from outside, or None if it is none."""
        number = _within(given, 0, len(self.options) - 1)
        return int(number) if number is not None and number == int(number) else None

    def verdict(self, guess: int) -> str:
        """Whether it was right, in a sentence."""
        said = f"You said: {self.options[guess]}."
        return f"{said} That is it." if guess == self.answer else f"{said} {self.right}"

    @property
    def right(self) -> str:
        """The answer in words."""
        return f"The answer: {self.options[self.answer]}."

    def tally(self, guesses: Sequence[int]) -> pd.DataFrame:
        """How many of a class chose each option: option, count."""
        count = np.bincount(np.array(guesses, dtype=int), minlength=len(self.options))
        return pd.DataFrame({"option": self.options, "count": count})


@dataclass(frozen=True)
class CurveGuess:
    """A curve, sketched as one value at each x."""

    kind: ClassVar[str] = "curve"
    question: str
    x: tuple[float, ...]
    low: float
    high: float
    answer: tuple[float, ...]
    because: str
    name: str  # of the answer, in a legend
    x_title: str
    y_title: str

    def read(self, given: object) -> tuple[float, ...] | None:
        """A guess from outside, or None if it is none."""
        if not isinstance(given, list | tuple) or len(given) != len(self.x):
            return None
        values = [_within(value, self.low, self.high) for value in given]
        return None if None in values else tuple(float(value) for value in values)  # type: ignore[arg-type]

    def verdict(self, guess: Sequence[float]) -> str:
        """How far it was, in a sentence."""
        off = np.abs(np.subtract(guess, self.answer))
        worst = self.x[int(np.argmax(off))]
        return (
            f"Your curve is {off.mean():.2f} away from {self.name} on average, and at most "
            f"{off.max():.2f}, at {self.x_title} = {worst:g}."
        )

    @property
    def right(self) -> str:
        """The answer in words."""
        return f"The answer is {self.name}."

    def tally(self, guesses: Sequence[Sequence[float]]) -> pd.DataFrame:
        """How many curves of a class pass each tenth of the height at each x."""
        edges = np.linspace(self.low, self.high, BINS + 1)
        heights = np.array(guesses).reshape(-1, len(self.x))
        counts = [np.histogram(heights[:, place], edges)[0] for place in range(len(self.x))]
        return pd.DataFrame(
            {
                "x": np.repeat(self.x, BINS),
                "from": np.tile(edges[:-1], len(self.x)),
                "to": np.tile(edges[1:], len(self.x)),
                "count": np.concatenate(counts),
            }
        )


Guess = NumberGuess | ChoiceGuess | CurveGuess


def to_text(guess: Guess, value: object) -> str | None:
    """A guess as text to be kept, or None if it is none."""
    known = guess.read(value)
    return None if known is None else json.dumps(known)


def from_text(guess: Guess, text: str) -> Any:
    """A kept guess, or None if the text holds none."""
    with suppress(ValueError, RecursionError):
        return guess.read(json.loads(text[:LONGEST]))
    return None


def from_texts(guess: Guess, texts: Iterable[str]) -> list:
    """The guesses of a class, without what is none."""
    values = (from_text(guess, text) for text in texts)
    return [value for value in values if value is not None]


def _within(given: object, low: float, high: float) -> float | None:
    """A finite number between the limits; true and false are none."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    return given if low <= given <= high else None
