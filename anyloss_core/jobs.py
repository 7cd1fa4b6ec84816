"""What a job is: a function of (settings, report) known by the kind of its run.

The function works and tells; the `Report` it is handed keeps what it tells in the store, and
brings back what the user wants: pause, one step, stop. `run_job` runs one in this process (the
command line does); `worker` runs them one after another in a process of its own.
"""

from __future__ import annotations

import importlib
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from anyloss_core import job_queue, payload
from anyloss_core.job_queue import Control, Progress
from anyloss_core.liveness import alive
from anyloss_core.store import Run, Store, StoreError, StoreUnavailable

FLUSH_SECONDS = 0.25  # pages look at most this often
CONTROL_SECONDS = 0.1  # a stop has to be felt within a second
PATIENCE_SECONDS = 30.0  # how long a job waits for a full disk or a locked store to recover
HOUR = 3600.0

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Kind:
    """Where the function of a kind lives, and how long one run may work."""

    target: str  # "module:function", imported when first needed
    limit_seconds: float = 2 * HOUR
    long: bool = False  # never takes the last worker, so that short runs need not wait for it


KINDS: Mapping[str, Kind] = {
    "train": Kind("anyloss_core.live:run"),
    "compare": Kind("anyloss_core.comparison_job:run"),
    "sweep": Kind("anyloss_core.sweep:run"),
    "benchmark": Kind("anyloss_core.benchmark:run", limit_seconds=24 * HOUR, long=True),
    "paper": Kind("anyloss_core.published.reproduction:run", limit_seconds=6 * HOUR, long=True),
}


class Stopped(BaseException):
    """The user stopped the run.

    Not an Exception, so that a job which records the failures of its parts lets it pass.
    """


def find_job(kind: str, kinds: Mapping[str, Kind] = KINDS) -> Callable[[dict, Report], None]:
    """The function behind a kind."""
    check_kind(kind, kinds)
    module, _, function = kinds[kind].target.partition(":")
    return getattr(importlib.import_module(module), function)


def check_kind(kind: str, kinds: Mapping[str, Kind] = KINDS) -> None:
    """Refuse a kind that nobody can do."""
    if kind not in kinds:
        raise StoreError(f"kind must be one of {', '.join(kinds)}, got {kind!r:.60}")


def run_job(
    store: Store, run_id: str, kinds: Mapping[str, Kind] = KINDS, patience: float = PATIENCE_SECONDS
) -> Run:
    """Run a waiting run in this process and return it as it ended.

    A keyboard interrupt leaves it interrupted, to be resumed, and is raised again.
    """
    worker = secrets.token_hex(16)
    with alive(store.home, worker):
        run = job_queue.claim(store, worker, run_id)
        if run is None:
            raise StoreError(f"run {run_id} is {store.run(run_id).status}; it cannot start now")
        try:
            perform(store, run, worker, kinds, patience)
        except KeyboardInterrupt:
            job_queue.give_up(store, worker, "Interrupted at the keyboard.")
            raise
    return store.run(run_id)


def perform(
    store: Store,
    run: Run,
    worker: str,
    kinds: Mapping[str, Kind] = KINDS,
    patience: float = PATIENCE_SECONDS,
) -> None:
    """Do a claimed run to its end, whatever that is, and write the end down."""
    report = Report(store, run.id, worker, patience)
    status, error = "done", ""
    try:
        find_job(run.kind, kinds)(run.settings, report)
        report.flush()
        status = "cancelled" if report.stopping else "done"
    except Stopped:
        status = "cancelled"
    except Exception as fault:
        status, error = "failed", explain(fault, run)
    report.close(status, error)


def explain(fault: Exception, run: Run) -> str:
    """What the user reads; the traceback goes to the log under the same id."""
    number = secrets.token_hex(4)
    log.error("fault %s in run %s (%s)", number, run.id, run.kind, exc_info=fault)
    if isinstance(fault, MemoryError):
        return f"There was not enough memory: reduce rows, models or epochs. (Fault {number}.)"
    if isinstance(fault, ValueError):  # written for the user, throughout the core
        return f"{fault} (Fault {number}.)"
    return f"Something went wrong inside the program. The log has the details under {number}."


class Report:
    """What a job tells about itself; all calls from the job's own thread.

    Events and progress are gathered and written about four times a second; results and units
    are on the disk when the call returns.
    """

    def __init__(
        self, store: Store, run_id: str, worker: str, patience: float = PATIENCE_SECONDS
    ) -> None:
        self.store = store
        self.run_id = run_id
        self._worker = worker
        self._patience = patience
        self._progress = Progress()
        self._events: list[tuple[int | None, bytes]] = []
        self._control = Control("run", 0)
        self._stepping = False
        self._begin = self._written = self._asked = time.monotonic()
        self._paused = 0.0
        self._origin: tuple[float, float] | None = None  # first progress: (seconds, done)

    def progress(
        self, done: float, total: float, message: str = "", eta: float | None = None
    ) -> None:
        """How far the job is; time left is worked out unless the job knows better (eta)."""
        seconds = self.seconds
        if self._origin is None or done < self._origin[1]:
            self._origin = (seconds, float(done))
        if eta is None and done > self._origin[1]:
            eta = (seconds - self._origin[0]) / (done - self._origin[1]) * max(total - done, 0)
        self._progress = replace(
            self._progress, done=float(done), total=float(total), message=message, eta=eta
        )
        self._flush_when_due()

    def event(self, value: Any, epoch: int | None = None) -> None:
        """One thing to show: a dictionary of numbers, text, arrays."""
        self._events.append((epoch, payload.to_bytes(value)))
        self._flush_when_due()

    def result(self, key: str, value: Any) -> None:
        """Keep a result under a key."""
        self._insist(lambda: self.store.put_result(self.run_id, key, value))

    def unit(
        self,
        key: str,
        value: Any = None,
        seconds: float = 0.0,
        status: str = "done",
        reason: str = "",
    ) -> None:
        """Keep one unit of work, done or failed with a reason."""
        self._insist(lambda: self.store.put_unit(self.run_id, key, value, seconds, status, reason))

    def finished_units(self) -> set[str]:
        """Units that an earlier attempt has done."""
        return self.store.finished_unit_keys(self.run_id)

    def checkpoint(self, step_end: bool = True) -> None:
        """Call after every epoch, and with step_end=False after every batch.

        Raises Stopped when the user stopped the run and waits while it is paused. A single
        step ends at the next call with step_end=True.
        """
        self._flush_when_due()
        if step_end:
            self._stepping = False
        if self.stopping:
            self.flush()
            raise Stopped
        if self._control.wanted == "pause" and not self._stepping:
            self._wait_for_user()

    @property
    def stopping(self) -> bool:
        """Whether the user stopped the run, for jobs that round off what they have."""
        now = time.monotonic()
        if now - self._asked >= CONTROL_SECONDS:
            self._read_control()
        return self._control.wanted == "stop"

    @property
    def seconds(self) -> float:
        """Time at work, without pauses."""
        return time.monotonic() - self._begin - self._paused

    def flush(self) -> None:
        """Write what was gathered; a store that is out of order for long ends the job."""
        progress = replace(self._progress, seconds=self.seconds)
        try:
            self._control = job_queue.record(
                self.store, self.run_id, self._worker, progress, self._events
            )
        except StoreUnavailable:
            if time.monotonic() - self._written > self._patience + FLUSH_SECONDS:
                raise
            return
        self._events = []
        self._written = self._asked = time.monotonic()

    def close(self, status: str, error: str) -> None:
        """Write the end of the run."""

        def end() -> None:
            progress = replace(self._progress, status="running", seconds=self.seconds)
            job_queue.record(self.store, self.run_id, self._worker, progress, self._events)
            self._events = []
            job_queue.finish(self.store, self.run_id, self._worker, status, error)

        self._insist(end)

    def _flush_when_due(self) -> None:
        if time.monotonic() - self._written >= FLUSH_SECONDS:
            self.flush()

    def _read_control(self) -> None:
        self._asked = time.monotonic()
        try:
            self._control = job_queue.control(self.store, self.run_id, self._worker)
        except StoreUnavailable:
            log.warning("run %s: the store does not answer; asking again", self.run_id)

    def _wait_for_user(self) -> None:
        active = self.seconds
        self._progress = replace(self._progress, status="paused")
        self.flush()
        while self._control.wanted == "pause" and not self._stepping:
            time.sleep(CONTROL_SECONDS / 2)
            self._read_control()
            self._stepping = self._control.steps > 0 and job_queue.take_step(
                self.store, self.run_id
            )
            self._paused = time.monotonic() - self._begin - active  # the clock of work stands
            if time.monotonic() - self._written > 1.0:
                self.flush()
        self._progress = replace(self._progress, status="running")
        self.flush()
        if self._control.wanted == "stop":
            raise Stopped

    def _insist(self, write: Callable[[], None]) -> None:
        """Try again while the store is out of order, until patience ends."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return write()
            except StoreUnavailable:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
