"""A process that takes queued runs: one after another, or side by side those that share it.

    python -m anyloss_core.jobs.worker --home DIR

It imports what its jobs need before the first run, and every later run starts warm. Runs that
share a worker have a thread each and take turns as the interpreter hands out its lock. Its
standard input is a pipe held by the server: "q" asks it to leave after the run at hand, the end
of the pipe means that the server is gone, and then it ends at once with all that it started.
"""

import argparse
import importlib
import logging
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path

from anyloss_core.common.memory import give_back
from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import KINDS, Kind, perform
from anyloss_core.jobs.liveness import alive, lock_path
from anyloss_core.jobs.processes import (
    end_own_tree,
    end_when_stuck,
    stand_behind,
    volunteer_for_oom,
)
from anyloss_core.store.database import StoreUnavailable
from anyloss_core.store.store import Run, Store

POLL_SECONDS = 0.1
STUCK_SECONDS = 300.0  # code that holds the interpreter this long (no thread can run) ends it
MOST_SHARED = 24  # runs side by side in one process; each has a thread and its data
SHARED_PER_OWNER = 2  # of them that belong to one owner
STORE_FAULT = 74  # exit code (EX_IOERR): the end of a run could not be written

log = logging.getLogger(__name__)


def main(arguments: list[str] | None = None) -> None:
    """Work until the server goes or asks."""
    options = _parser().parse_args(arguments)
    stand_behind()  # a visitor who clicks waits for the server
    given = (text.partition("=") for text in options.kind)
    kinds = {name: Kind(target, shared=name in options.share) for name, _, target in given} or KINDS
    logging.basicConfig(format="%(asctime)s %(process)d %(levelname)s %(message)s")
    store = Store(options.home)
    name = options.name or secrets.token_hex(16)
    leave = threading.Event()
    volunteer_for_oom()
    with alive(store.home, name):
        _thread(_watch_server, leave, lock_path(store.home, name))
        _thread(_stay_responsive)
        _warm_up(kinds)  # not in a thread: imports that cross in two threads can fail
        work(store, name, kinds, leave, options.avoid)


def work(
    store: Store,
    name: str,
    kinds: Mapping[str, Kind],
    leave: threading.Event,
    avoid: Collection[str] = (),
) -> None:
    """Claim and perform until asked to leave; what is at work then comes to its end."""
    per_owner = {kind: SHARED_PER_OWNER for kind, entry in kinds.items() if entry.shared}
    failed = threading.Event()
    threads: list[threading.Thread] = []
    while threads or not leave.is_set():
        threads = [thread for thread in threads if thread.is_alive()]
        run = None
        if not leave.is_set() and len(threads) < MOST_SHARED:
            with suppress(StoreUnavailable):  # nothing was claimed: ask again
                run = queue.claim(store, name, avoid=avoid, per_owner=per_owner)
        if failed.is_set():
            sys.exit(STORE_FAULT)
        if run is None:
            time.sleep(POLL_SECONDS)
        elif run.kind in per_owner:
            threads.append(_thread(_perform, store, run, name, kinds, failed))
        else:
            _perform(store, run, name, kinds, failed)


def _perform(
    store: Store, run: Run, name: str, kinds: Mapping[str, Kind], failed: threading.Event
) -> None:
    try:
        perform(store, run, name, kinds)
    except StoreUnavailable as fault:
        # The end of the run could not be written. Leaving frees the lock, and the supervisor
        # marks the run as soon as the store can be written again.
        log.error("run %s cannot be closed: %s", run.id, fault)
        failed.set()
    give_back()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m anyloss_core.jobs.worker", description=__doc__)
    parser.add_argument("--home", type=Path, help="folder of the store")
    parser.add_argument("--name", help="name under which it claims runs (default: random)")
    parser.add_argument(
        "--kind", action="append", default=[], metavar="NAME=MODULE:FUNCTION",
        help="a kind of job it can do, instead of the built-in ones",
    )  # fmt: skip
    parser.add_argument("--share", action="append", default=[], help="a kind that shares a worker")
    parser.add_argument("--avoid", action="append", default=[], help="a kind to leave to others")
    return parser


def _thread(target: Callable[..., None], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread


def _watch_server(leave: threading.Event, lock: Path) -> None:
    pipe = sys.stdin.fileno()
    while True:
        heard = os.read(pipe, 1)
        if not heard:
            break
        leave.set()
    with suppress(OSError):  # Windows keeps a file that is open; the next server clears it away
        lock.unlink(missing_ok=True)
    end_own_tree()


def _stay_responsive() -> None:
    """Arm, again and again, a watchdog that needs no interpreter to act."""
    while True:
        end_when_stuck(STUCK_SECONDS)
        time.sleep(STUCK_SECONDS / 4)


def _warm_up(kinds: Mapping[str, Kind]) -> None:
    for kind in kinds.values():
        # A missing module is the concern of the run that needs it.
        with suppress(Exception):
            importlib.import_module(kind.target.partition(":")[0])


if __name__ == "__main__":
    main()
