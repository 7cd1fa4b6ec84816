"""What a job is handed to tell about itself, and to hear what the user wants.

JobProgress and events go to the store about four times a second, results and units at once; a
checkpoint costs a microsecond, so a job can call it after every batch.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from anyloss_core.jobs import queue
from anyloss_core.jobs.queue import Control, JobProgress
from anyloss_core.store import payload
from anyloss_core.store.database import StoreUnavailable
from anyloss_core.store.records import STATE, StoredEvent
from anyloss_core.store.store import Store

FLUSH_SECONDS = 0.25  # pages look at most this often
CONTROL_SECONDS = 0.1  # a stop has to be felt within a second
BEAT_SECONDS = 1.0  # sign of life while paused
PATIENCE_SECONDS = 30.0  # how long a job waits for a full disk or a locked store to recover
LINGER_SECONDS = 15.0  # a paused job that can be put away stays so long, ready for a quick step

log = logging.getLogger(__name__)


class Stopped(BaseException):
    """The user stopped the run.

    Not an Exception, so that a job which records the failures of its parts lets it pass.
    """


class PutAway(BaseException):
    """The run is paused for long: its state is kept, and another worker will take it up."""


class Report:
    """What a job tells about itself; all calls from the job's own thread.

    Events and progress are gathered and written about four times a second; results and units
    are on the disk when the call returns.
    """

    def __init__(
        self,
        store: Store,
        run_id: str,
        worker: str,
        patience: float = PATIENCE_SECONDS,
        limit_seconds: float | None = None,
        files: bool = False,
        worked: float = 0.0,
    ) -> None:
        """`worked` are the seconds before the run was put away."""
        self.store = store
        self.run_id = run_id
        self.limit_seconds = limit_seconds  # how long the job may work
        self.files = files  # whether it may open paths; what a page has queued never may
        self._worker = worker
        self._patience = patience
        self._progress = JobProgress()
        self._events: list[tuple[int | None, bytes]] = []
        self.event_bytes = 0  # told since they were packed last
        self._control = Control("run", 0)
        self._stepping = False
        self._written = self._asked = time.monotonic()
        self._begin = self._written - worked
        self._paused = 0.0
        self._save: Callable[[], Any] | None = None  # the state to be kept in a long pause
        self._leaving = False
        self._troubled: float | None = None  # since when the store has refused to be written
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
        blob = payload.to_bytes(value)
        self._events.append((epoch, blob))
        self.event_bytes += len(blob)
        self._flush_when_due()

    def pack_events(self, pack: Callable[[list[StoredEvent]], Any]) -> None:
        """Put one event, packed of all so far, in their place: it takes less room.

        Where the store is out of order they stay as they are.
        """
        self.flush()
        events = [] if self._events else self.store.events(self.run_id)
        if len(events) > 1:
            blob = payload.to_bytes(pack(events), payload.SMALL)
            with suppress(StoreUnavailable):
                queue.replace_events(self.store, self.run_id, self._worker, events[-1].epoch, blob)
                self.event_bytes = 0

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

    def kept_state(self) -> Any:
        """What `can_be_put_away` kept when the run was put away, or None at its beginning."""
        return self.store.get_result(self.run_id, STATE)

    def can_be_put_away(self, save: Callable[[], Any]) -> None:
        """In a long pause keep what `save` gives at the end of a step, and free the worker."""
        self._save = save

    def checkpoint(self, step_end: bool = True) -> None:
        """Call after every epoch, and with step_end=False after every batch.

        Raises Stopped when the user stopped the run and waits while it is paused. A single
        step ends at the next call with step_end=True, and so does the patience of a long pause.
        """
        self._flush_when_due()
        if step_end:
            self._stepping = False
        if self.stopping:
            self.flush()
            raise Stopped
        if self._control.wanted == "pause" and not (self._stepping or self._leaving):
            self._wait_for_user()
        if step_end and self._leaving:
            self._put_away()

    @property
    def stepping(self) -> bool:
        """Whether a single step was asked for and is not over, for jobs that prepare one."""
        return self._stepping

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
            self._control = queue.record(
                self.store, self.run_id, self._worker, progress, self._events
            )
        except StoreUnavailable:
            self._troubled = self._troubled or time.monotonic()
            if time.monotonic() - self._troubled > self._patience:
                raise
            return
        self._events, self._troubled = [], None
        self._written = self._asked = time.monotonic()

    def close(self, status: str, error: str) -> None:
        """Write the end of the run, or that it is put away."""

        def end() -> None:
            shown = "paused" if status == "paused" else "running"
            progress = replace(self._progress, status=shown, seconds=self.seconds)
            queue.record(self.store, self.run_id, self._worker, progress, self._events)
            self._events = []
            if status == "paused":
                queue.put_away(self.store, self.run_id, self._worker)
            else:
                queue.finish(self.store, self.run_id, self._worker, status, error)

        self._insist(end)

    def _flush_when_due(self) -> None:
        if time.monotonic() - self._written >= FLUSH_SECONDS:
            self.flush()

    def _read_control(self) -> None:
        self._asked = time.monotonic()
        try:
            self._control = queue.control(self.store, self.run_id, self._worker)
        except StoreUnavailable:
            log.warning("run %s: the store does not answer; asking again", self.run_id)

    def _wait_for_user(self) -> None:
        active, since = self.seconds, time.monotonic()
        self._progress = replace(self._progress, status="paused")
        self.flush()
        while self._control.wanted == "pause" and not self._stepping:
            time.sleep(CONTROL_SECONDS / 2)
            self._read_control()
            with suppress(StoreUnavailable):  # asked again in a moment
                if self._control.steps > 0:
                    self._stepping = queue.take_step(self.store, self.run_id)
            self._paused = time.monotonic() - self._begin - active  # the clock of work stands
            if time.monotonic() - self._written > BEAT_SECONDS:
                self.flush()
            if self._save and time.monotonic() - since > LINGER_SECONDS and not self._stepping:
                self._leaving = True  # at the end of its step; until then it is shown as paused
                return
        self._progress = replace(self._progress, status="running")
        self.flush()
        if self._control.wanted == "stop":
            raise Stopped

    def _put_away(self) -> None:
        assert self._save is not None
        self.result(STATE, self._save())
        raise PutAway

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
