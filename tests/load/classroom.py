"""A class of forty: twenty train live, ten compare, ten follow the lessons, for ten minutes.

    python -m tests.load.classroom --minutes 10 --out class.json

Prints what `tests.load.run` prints, and the longest time that a small run stood in the queue.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from tests.load.run import Visitor, measure

LESSONS = 7


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
        self.session.open("lessons", step=self.chance.randint(1, LESSONS - 1)).press("Next")


def roles(students: int) -> list[type[Visitor]]:
    """Half of the class trains, a quarter compares, a quarter reads."""
    return [(Trainer, Comparer, Trainer, Reader)[number % 4] for number in range(students)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    found = json.dumps(measure(roles(chosen.students), 60 * chosen.minutes), indent=1)
    print(found)
    if chosen.out:
        chosen.out.write_text(found, encoding="utf-8")


if __name__ == "__main__":
    main()
