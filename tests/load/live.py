"""Everybody trains live at once: how soon a click is answered while the curves of all grow.

    python -m tests.load.live --sessions 10 --seconds 60

A server of its own on loopback; each visitor starts a long training, watches it, pauses, goes on.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.server import running_process
from tests.load.run import quantiles
from tests.load.session import Session

DATA = "synthetic:rows=500,features=5,imbalance=5,seed={seed}"
WATCHING = (2.0, 5.0)  # seconds between Go on and Pause
PAUSING = 1.0


@dataclass
class Book:
    """What all visitors wrote down."""

    clicks: list[float] = field(default_factory=list)
    redraws: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def stay(address: str, seed: int, book: Book, until: float) -> None:
    """One visitor: start, then pause and go on until the time is over."""
    try:
        chance, session = random.Random(seed), Session(address)
        session.open("train", epochs=5000, pace="watch", seed=seed, data=DATA.format(seed=seed))
        session.press("Start")
        while True:  # at least once, however slowly the machine has brought us here
            watch(session, chance.uniform(*WATCHING))
            session.press("Pause")
            watch(session, PAUSING)
            session.press("Go on")
            if time.monotonic() > until:
                break
        session.press("Stop").follow(lambda page: not page.alive)
        book.clicks += session.clicks
        book.redraws += session.redraws
        book.faults += session.exceptions
        session.leave()
    except Exception as fault:
        book.faults.append(f"{type(fault).__name__}: {str(fault)[-600:]}")


def watch(session: Session, seconds: float) -> None:
    until = time.monotonic() + seconds
    session.follow(lambda page: time.monotonic() > until)


def measure(sessions: int, seconds: float) -> dict:
    """Seconds until the page answers a click, and until it has redrawn what has grown."""
    with (
        tempfile.TemporaryDirectory(prefix="anyloss-live-") as home,
        running_process(Path(home)) as (_, address),
    ):
        Session(address).open("train").leave()  # what is loaded at the first visit
        book, until = Book(), time.monotonic() + seconds
        threads = [
            threading.Thread(target=stay, args=(address, seed, book, until))
            for seed in range(sessions)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return {
        "sessions": sessions,
        "clicks": quantiles(book.clicks),
        "redraws": quantiles(book.redraws),
        "faults": book.faults,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60.0)
    chosen = parser.parse_args()
    print(json.dumps(measure(chosen.sessions, chosen.seconds), indent=1))


if __name__ == "__main__":
    main()
