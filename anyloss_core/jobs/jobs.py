"""What a job is: a function of (settings, report) known by the kind of its run.

The function works and tells; the `Report` it is handed keeps what it tells in the store, and
brings back what the user wants: pause, one step, stop. `run_job` runs one in this process (the
command line does); `worker` runs them in a process of its own, one after another or, those that
share one, side by side.
"""

import importlib
import logging
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from anyloss_core.common.memory import ran_out
from anyloss_core.jobs import queue
from anyloss_core.jobs.liveness import alive
from anyloss_core.jobs.report import PATIENCE_SECONDS, PutAway, Report, Stopped
from anyloss_core.store.store import Run, Store, StoreError

HOUR = 3600.0
WATCH_SECONDS = 0.5
REFERENCES = ("data", "ref", "reference")  # settings that name a data set, in every kind of run

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Kind:
    """Where the function of a kind lives, and how long one run may work."""

    target: str  # "module:function", imported when first needed
    limit_seconds: float = 2 * HOUR
    long: bool = False  # never takes the last worker, so that short runs need not wait for it
    shared: bool = False  # many of them in one process, taking turns: little work, much watching


KINDS: Mapping[str, Kind] = {
    "train": Kind("anyloss_core.live.job:run", shared=True),
    "compare": Kind("anyloss_core.comparison.job:run"),
    "model": Kind("anyloss_core.export.model_job:run"),
    "importance": Kind("anyloss_core.export.importance_job:run"),
    "sweep": Kind("anyloss_core.sweep.job:run"),
    "benchmark": Kind("anyloss_core.benchmark.benchmark:run", limit_seconds=24 * HOUR, long=True),
    "paper": Kind("anyloss_core.paper.reproduction:run", limit_seconds=6 * HOUR, long=True),
}


def find_job(kind: str, kinds: Mapping[str, Kind] = KINDS) -> Callable[[dict, Report], None]:
    """The function behind a kind."""
    check_kind(kind, kinds)
    module, _, function = kinds[kind].target.partition(":")
    return getattr(importlib.import_module(module), function)


def check_kind(kind: str, kinds: Mapping[str, Kind] = KINDS) -> None:
    """Refuse a kind that nobody can do."""
    if kind not in kinds:
        raise StoreError(f"kind must be one of {', '.join(kinds)}, got {kind!r:.60}")


def check_no_files(settings: Mapping[str, Any]) -> None:
    """Refuse settings that name a file of this machine: only the command line may open those."""
    if _names_files(dict(settings)):
        raise StoreError(
            "files of this machine are opened on the command line only; upload the table instead"
        )


def _names_files(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_names_files, value))
    if not isinstance(value, dict):
        return False
    named = (str(value[key]) for key in REFERENCES if isinstance(value.get(key), str))
    local = any(text.strip().startswith("file:") for text in named)
    return local or bool(value.get("files")) or any(map(_names_files, value.values()))


def run_job(
    store: Store,
    run_id: str,
    kinds: Mapping[str, Kind] = KINDS,
    patience: float = PATIENCE_SECONDS,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> Run:
    """Run a waiting run in this process and return it as it ended.

    Who calls this is the user of this machine, so the job may open files that its settings name.
    `more` are settings of this attempt alone: how the work is done, not what it is. A keyboard
    interrupt leaves the run interrupted, to be resumed, and is raised again.
    """
    worker = secrets.token_hex(16)
    with alive(store.home, worker):
        run = queue.claim(store, worker, run_id)
        if run is None:
            raise StoreError(f"run {run_id} is {store.run(run_id).status}; it cannot start now")
        try:
            settings = {**run.settings, **more}
            perform(store, replace(run, settings=settings), worker, kinds, patience, files=True)
        except (KeyboardInterrupt, SystemExit):
            queue.give_up(store, worker, "It was interrupted. Resume or delete it.")
            raise
    return store.run(run_id)


def perform(
    store: Store,
    run: Run,
    worker: str,
    kinds: Mapping[str, Kind] = KINDS,
    patience: float = PATIENCE_SECONDS,
    files: bool = False,
) -> None:
    """Do a claimed run to its end, whatever that is, and write the end down."""
    limit = kinds[run.kind].limit_seconds if run.kind in kinds else None
    report = Report(store, run.id, worker, patience, limit, files, worked=run.seconds)
    status, error = "done", ""
    try:
        if run.damaged:
            raise StoreError("its settings cannot be read; delete it and start a new one")
        find_job(run.kind, kinds)(run.settings, report)
        report.flush()
        status = "cancelled" if report.stopping else "done"
    except Stopped:
        status = "cancelled"
    except PutAway:
        status = "paused"
    except Exception as fault:
        status, error = "failed", explain(fault, run)
    report.close(status, error)


def explain(fault: Exception, run: Run) -> str:
    """What the user reads; the traceback goes to the log under the same id."""
    number = secrets.token_hex(4)
    log.error("fault %s in run %s (%s)", number, run.id, run.kind, exc_info=fault)
    if ran_out(fault):
        return f"There was not enough memory: reduce rows, models or epochs. (Fault {number}.)"
    if isinstance(fault, ValueError):  # written for the user, throughout the core
        return f"{fault} (Fault {number}.)"
    return f"Something went wrong inside the program. The log has the details under {number}."


@contextmanager
def watched(store: Store, run_id: str, on_progress: Callable[[Run], None] | None) -> Iterator[None]:
    """Show a run to the caller while it works, twice a second, from a thread of its own."""
    if on_progress is None:
        yield
        return
    over = threading.Event()

    def watch() -> None:
        while not over.wait(WATCH_SECONDS):
            with suppress(StoreError):
                on_progress(store.run(run_id))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        on_progress(store.run(run_id))
