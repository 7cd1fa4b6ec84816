"""A class of forty: twenty train live, ten compare, ten follow the lessons, for ten minutes.

    python -m tests.load.classroom --minutes 10 --out class.json
    python -m tests.load.classroom --guess --minutes 5

With --guess all of them guess together in one class, lesson after lesson, and a teacher reveals.
Prints what `tests.load.run` prints, and the longest time that a small run stood in the queue.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from tests.load.run import LESSONS, Visitor, measure

NUMBERS = (1, 4, 5, 6)  # lessons that ask for a number
GUESSING = 6.0  # seconds until the teacher reveals


class Trainer(Visitor):
    """A student who trains live, watches, and sometimes stops."""

    @property
    def acts(self) -> tuple[Callable[[], None], ...]:
        return (self.train,)


class Comparer(Visitor):
    """A student who compares losses, now and then on a table of their own."""

    @property
    def acts(self) -> tuple[Callable[[], None], ...]:
        return (self.compare, self.compare, self.upload)


class Reader(Visitor):
    """A student who walks through the lessons."""

    @property
    def acts(self) -> tuple[Callable[[], None], ...]:
        return (self.lesson, self.lesson, self.read)

    def lesson(self) -> None:
        step = self.chance.randint(1, LESSONS - 1)
        self.session.open("lessons", step=step, hide="guess").press("Next")


class Teacher(Visitor):
    """Who opens a class, asks, waits for the guesses and reveals."""

    @property
    def acts(self) -> tuple[Callable[[], None], ...]:
        return (self.teach,)

    def teach(self) -> None:
        self.session.open("lessons").press("Start a class")
        for step in NUMBERS:
            asked = {"class": self.session.setting("class"), "step": step}
            self.session.open("lessons", **asked)
            self.book.asked = asked
            reveal = time.monotonic() + GUESSING
            self.session.follow(lambda page, reveal=reveal: time.monotonic() > reveal)
            self.session.press("Reveal")
        self.session.press("Close the class")


class Guesser(Visitor):
    """A student of the class: guesses, waits for the answer, moves on."""

    @property
    def acts(self) -> tuple[Callable[[], None], ...]:
        return (self.guess,)

    def guess(self) -> None:
        while not self.book.asked:
            time.sleep(0.1)
        self.session.open("lessons", **self.book.asked)
        if self.session.has("This is my guess"):
            self.session.press("This is my guess")
        self.session.follow(lambda page: not page.alive)


def guessing(students: int) -> list[type[Visitor]]:
    """A class that guesses together, and its teacher."""
    return [Teacher, *[Guesser] * students]


def roles(students: int) -> list[type[Visitor]]:
    """Half of the class trains, a quarter compares, a quarter reads."""
    return [(Trainer, Comparer, Trainer, Reader)[number % 4] for number in range(students)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--guess", action="store_true")
    chosen = parser.parse_args()
    visitors = (guessing if chosen.guess else roles)(chosen.students)
    found = json.dumps(measure(visitors, 60 * chosen.minutes), indent=1)
    print(found)
    if chosen.out:
        chosen.out.write_text(found, encoding="utf-8")


if __name__ == "__main__":
    main()
