"""Many visitors at once: each uploads, trains live, compares, cancels at random.

    python -m tests.load.run --sessions 20 --minutes 10 --out load.json

A server of its own on loopback, visitors that speak its websocket, everything bounded in time.
Prints response times, memory of the server's processes before and after, jobs lost, exceptions.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import psutil

from anyloss_core.store.store import Store
from pages.ui.base.server_start import TIDY_EVERY
from tests.browser.server import running_process, server_log, tracebacks
from tests.load.session import Session

FORGOTTEN_SECONDS = 40.0  # the server keeps a closed session for a while, to be reconnected
LOOK_SECONDS = 0.25
TIDIED_SECONDS = TIDY_EVERY + 5.0  # until the server has collected what they left
THINKING = (1.0, 4.0)  # seconds that a visitor pauses between two things
ENDED_WELL = ("done", "cancelled")
PAGES = ("", "approximation", "metric", "lessons", "runs")
LESSONS = 8


@dataclass
class Book:
    """What all visitors wrote down."""

    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    runs: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    actions: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    asked: dict[str, object] = field(default_factory=dict)  # step and class of a lesson


class Visitor:
    """Somebody who does one thing after another until the time is over."""

    def __init__(self, address: str, number: int, book: Book, until: float) -> None:
        self.address, self.book, self.until = address, book, until
        self.chance = random.Random(number)
        self.session = Session(address)

    @property
    def acts(self) -> tuple[Callable[[], None], ...]:
        """What this visitor does, one of them at a time."""
        return (self.upload, self.train, self.compare, self.read)

    def stay(self) -> None:
        """Do things at random; whatever goes wrong is written down."""
        try:
            while time.monotonic() < self.until:
                act = self.chance.choice(self.acts)
                act()
                self.book.actions[act.__name__] += 1
                time.sleep(self.chance.uniform(*THINKING))
                if self.chance.random() < 0.1:
                    self.come_again()
            self.leave()
        except Exception as fault:
            self.book.faults.append(f"{type(fault).__name__}: {str(fault)[-600:]}")

    def upload(self) -> None:
        self.session.open("compare").press("Change").choose("Source", "Upload")
        self.session.upload("Table", "own.csv", table(self.chance)).press("Use this table")
        assert self.session.setting("data").startswith("upload:"), self.session.text()

    def train(self) -> None:
        self.session.open("train", epochs=150, data=self.data()).press("Start")
        self.watch(cancel=self.chance.random() < 0.5)

    def compare(self) -> None:
        settings = {"epochs": 60, "folds": 5, "seed": self.chance.randrange(10**6)}
        self.session.open("compare", data=self.data(), **settings).press("Compare")
        self.watch(cancel=self.chance.random() < 0.3)

    def read(self) -> None:
        for page in self.chance.sample(PAGES, 2):
            self.session.open(page)

    def watch(self, cancel: bool) -> None:
        """Follow the run on the page to its end, or stop it after a while."""
        self.book.runs.add(self.session.setting("run"))
        leave = time.monotonic() + self.chance.uniform(0.5, 6.0)
        if cancel:
            self.session.follow(lambda page: time.monotonic() > leave or not page.alive)
            if self.session.has("Stop"):
                self.session.press("Stop")
        self.session.follow(lambda page: not page.alive, seconds=300)

    def data(self) -> str:
        known = self.session.setting("data")
        return known or f"synthetic:rows=500,features=5,seed={self.chance.randrange(8)}"

    def come_again(self) -> None:
        """Close the browser and open another."""
        self.leave()
        self.session = Session(self.address)

    def leave(self) -> None:
        self.session.leave()
        self.book.waits["click"] += self.session.clicks
        self.book.waits["redraw"] += self.session.redraws
        self.book.faults += self.session.exceptions


def table(chance: random.Random) -> bytes:
    """A small CSV of random numbers."""
    lines = ["a,b,c,answer"]
    for _ in range(300):
        label = chance.random() < 0.2
        lines.append(",".join(f"{chance.gauss(label, 1):.4f}" for _ in range(3)) + f",{label}")
    return "\n".join(lines).encode()


def measure(
    sessions: int | Sequence[type[Visitor]],
    seconds: float,
    forget: float = FORGOTTEN_SECONDS,
    tidy: float = TIDIED_SECONDS,
) -> dict:
    """Run the load and sum it up; memory at the end when the visitors are forgotten."""
    roles = [Visitor] * sessions if isinstance(sessions, int) else list(sessions)
    with tempfile.TemporaryDirectory(prefix="anyloss-load-") as folder:
        home = Path(folder)
        with running_process(home) as (process, address):
            warm_up(address)
            before, beside = memory(process.pid), os.getloadavg()[0]
            with waiting_watched(home) as waits:
                book = visit(address, roles, seconds)
            peak, spent = memory(process.pid), cpu_seconds(process.pid)
            time.sleep(forget)
            Visitor(address, 0, Book(), 0.0).stay()  # a session's end is noticed by the next one
            time.sleep(tidy)
            after = memory(process.pid)
        return summary(book, home, before, peak, after) | {
            "sessions": len(roles),
            "waited": quantiles([*waits.values(), 0.0]),
            "seconds": seconds,
            "cpu": spent,
            "load_before": beside,  # of what else works on this machine
            "cores": os.cpu_count(),
            "date": str(date.today()),
        }


def warm_up(address: str) -> None:
    """One visitor does everything and sees every page: what is loaded then stays loaded."""
    visitor = Visitor(address, 1, Book(), time.monotonic())
    for page in PAGES:
        visitor.session.open(page)
    for step in range(1, LESSONS):
        visitor.session.open("lessons", step=step, hide="guess").press("Next")
    for act in (visitor.upload, visitor.train, visitor.compare):
        act()
    visitor.leave()


def visit(address: str, roles: Sequence[type[Visitor]], seconds: float) -> Book:
    """All visitors at once."""
    book, until = Book(), time.monotonic() + seconds
    visitors = [role(address, 100 + n, book, until) for n, role in enumerate(roles)]
    threads = [threading.Thread(target=visitor.stay) for visitor in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return book


@contextmanager
def waiting_watched(home: Path) -> Iterator[dict[str, float]]:
    """Seconds that each run stood in the queue, as the store shows them four times a second."""
    waits: dict[str, float] = {}
    over = threading.Event()

    def watch() -> None:
        store = Store(home)
        while not over.wait(LOOK_SECONDS):
            for run in store.runs(status=("queued",), limit=500):
                waits[run.id] = waits.get(run.id, 0.0) + LOOK_SECONDS
        store.close()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield waits
    finally:
        over.set()
        thread.join()


def memory(pid: int) -> dict[str, float]:
    """Megabytes that the server and its workers hold for themselves."""
    server = psutil.Process(pid)
    workers = server.children(recursive=True)
    own = lambda process: process.memory_full_info().uss / 1e6  # noqa: E731
    return {"server": own(server), "workers": sum(map(own, workers)), "processes": len(workers)}


def cpu_seconds(pid: int) -> dict[str, float]:
    """Seconds of a core that the server and its living workers took since they began."""
    server = psutil.Process(pid)
    used = lambda process: sum(process.cpu_times()[:2])  # noqa: E731
    return {"server": used(server), "workers": sum(map(used, server.children(recursive=True)))}


def summary(book: Book, home: Path, before: dict, peak: dict, after: dict) -> dict:
    store = Store(home)
    states = {run.id: run.status for run in store.runs(limit=500)}
    for run_id in book.runs - set(states):
        states[run_id] = store.run(run_id).status
    lost = [run_id for run_id in book.runs if states.get(run_id) not in ENDED_WELL]
    logs = server_log(home) + (home / "workers.log").read_text(errors="replace")
    store.close()
    return {
        "actions": dict(book.actions),
        "runs": len(book.runs),
        "lost": lost,
        "faults": book.faults,
        "tracebacks": tracebacks(logs),
        "log": logs[-3000:] if tracebacks(logs) else "",
        "response": {kind: quantiles(waits) for kind, waits in book.waits.items()},
        "memory": {"before": before, "during": peak, "after": after},
        "growth": after["server"] / before["server"] - 1,
    }


def quantiles(waits: list[float]) -> dict[str, float]:
    """Seconds from a click to the finished page."""
    cuts = statistics.quantiles(waits, n=100) if len(waits) > 1 else waits * 99
    return {"count": len(waits), "p50": cuts[49], "p95": cuts[94], "longest": max(waits)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    found = json.dumps(measure(chosen.sessions, 60 * chosen.minutes), indent=1)
    print(found)
    if chosen.out:
        chosen.out.write_text(found)


if __name__ == "__main__":
    main()
