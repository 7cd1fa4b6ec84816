"""The supervisor: keeps worker processes alive, ends those that hang, replaces those that died.

One thread does it all, a few times a second, and everything it knows beyond its children it
reads from the store. It holds one end of each worker's standard input; when this process dies,
even by kill -9, the pipes close and the workers end themselves.

One worker more than the others holds all runs that share one: they need little and are watched. A
run of it that must be ended is taken from it; it leaves when its other runs are over.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import KINDS, Kind, check_kind, check_no_files
from anyloss_core.jobs.liveness import lock_path
from anyloss_core.jobs.queue import Beat
from anyloss_core.jobs.waiting import waiting_seconds
from anyloss_core.jobs.worker_process import (
    WorkerProcess,
    describe_death,
    kill,
    retire,
    start_worker,
)
from anyloss_core.store.database import StoreUnavailable
from anyloss_core.store.store import Store, StoreError

TICK_SECONDS = 0.2
FAULT_SECONDS = 1.0  # until the next try when the store or the system is out of order
SWEEP_SECONDS = 5.0  # how often to look for runs that another, dead server left behind
CLEARING_SECONDS = 3600.0  # how often to look for uploads that nobody uses
SOON_SECONDS = 2.0  # a worker that dies younger than this is replaced only after a pause
MAX_BACKOFF_SECONDS = 30.0
SHARED, QUICK = "shared", "quick"  # lanes of workers

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """When the supervisor steps in."""

    hang_seconds: float = 300.0  # no sign of life from the job
    stop_seconds: float = 10.0  # a stop that the job does not answer
    pause_seconds: float = 1800.0  # a pause that nobody ends
    spare_workers: int = 8  # paused runs keep their process; up to so many more are started
    waiting_per_owner: int = 20
    put_away_per_owner: int = 20  # paused trainings, whose states take room on the disk


class JobServer:
    """Runs the queue of a store with a number of worker processes."""

    def __init__(
        self,
        store: Store,
        workers: int = 2,
        kinds: Mapping[str, Kind] = KINDS,
        limits: Limits | None = None,
    ) -> None:
        self.store = store
        self.workers = workers
        self.kinds = kinds
        self.limits = limits or Limits()
        self._pool: list[WorkerProcess] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._failures = 0
        self._next_start = 0.0
        self._last_tick = self._next_sweep = self._next_clearing = 0.0

    def start(self) -> JobServer:
        """Begin to supervise; a second call does nothing."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._ending.clear()
                self._thread = threading.Thread(
                    target=self._supervise, name="job-server", daemon=True
                )
                self._thread.start()
        return self

    def stop(self) -> None:
        """End all workers; their runs become interrupted."""
        with self._lock:
            if self._thread is not None:
                self._ending.set()
                self._thread.join()
                self._thread = None

    def submit(self, kind: str, settings: dict, title: str = "", owner: str = "") -> str:
        """Put a run into the queue; returns its id."""
        check_kind(kind, self.kinds)
        check_no_files(settings)
        self._check_quota(owner)
        return self.store.create_run(kind, settings, title, owner)

    def resume(self, run_id: str, owners: Collection[str] | None = None) -> None:
        """Let a run of one of the owners go on, with the checks of `submit`."""
        run = self.store.run(run_id)
        check_no_files(run.settings)
        self._check_quota(run.owner)
        self.store.requeue(run_id, owners=owners)

    def _check_quota(self, owner: str) -> None:
        """Refuse one more run of an owner who has many that wait or are put away."""
        waiting = queue.count_waiting(self.store, owner)
        if waiting >= self.limits.waiting_per_owner:
            raise StoreError(
                f"{waiting} of your runs are waiting already; stop some or wait for them"
            )
        paused = queue.count_put_away(self.store, owner)
        if paused >= self.limits.put_away_per_owner:
            raise StoreError(f"{paused} of your trainings are paused; stop some of them first")
        self.store.check_room(owner)

    def queue_position(self, run_id: str) -> int | None:
        """1 for the run that comes next; None for one that does not wait."""
        return queue.queue_position(self.store, run_id)

    def waiting_seconds(self, run_id: str) -> float | None:
        """In how many seconds a waiting run starts, about; None if it does not wait."""
        return waiting_seconds(self.store, run_id, self.workers, self.kinds)

    def _supervise(self) -> None:
        self._last_tick = time.monotonic()
        while not self._ending.is_set():
            pause = TICK_SECONDS
            try:
                self._tick()
            except StoreUnavailable as fault:
                log.warning("the job server waits: %s", fault)
                pause = FAULT_SECONDS
            except Exception:
                log.exception("the job server met a fault and goes on")
                pause = FAULT_SECONDS
            self._ending.wait(pause)
        self._end_all()

    def _tick(self) -> None:
        now = time.monotonic()
        elapsed, self._last_tick = now - self._last_tick, now
        self._tidy(now)
        self._bury()
        beats: dict[str, list[Beat]] = defaultdict(list)
        for beat in queue.beats(self.store):
            beats[beat.worker].append(beat)
        for worker in self._pool:
            own = [] if worker.verdict else beats[worker.name]
            worker.see(own, elapsed)
            for beat in own:
                self._judge(worker, beat)
        self._fill(beats)
        self._fill_shared(beats)

    def _tidy(self, now: float) -> None:
        """Look after what other processes left behind."""
        if now >= self._next_sweep:
            self._next_sweep = now + SWEEP_SECONDS
            queue.mark_lost(self.store, {worker.name for worker in self._pool})
        if now >= self._next_clearing:
            self._next_clearing = now + CLEARING_SECONDS
            self.store.clear_uploads()
            self.store.give_back()

    def _bury(self) -> None:
        """Write down the runs of workers that died, and take the dead out of the pool."""
        for worker in [worker for worker in self._pool if worker.process.poll() is not None]:
            code = worker.process.returncode
            reason, status = worker.verdict or (describe_death(code), "interrupted")
            queue.give_up(self.store, worker.name, reason, status)
            kill(worker)  # what it had started may still run
            lock_path(self.store.home, worker.name).unlink(missing_ok=True)
            self._pool.remove(worker)
            if worker.retired or worker.verdict:
                continue
            log.warning("worker %d ended with code %s", worker.process.pid, code)
            young = time.monotonic() - worker.born < SOON_SECONDS
            self._failures = self._failures + 1 if young else 0
            pause = min(2.0**self._failures / 2, MAX_BACKOFF_SECONDS) if young else 0.0
            self._next_start = time.monotonic() + pause

    def _judge(self, worker: WorkerProcess, beat: Beat) -> None:
        """End a worker whose run took too long, does not answer or hangs."""
        times, limits = worker.times[beat.run_id], self.limits
        allowed = self.kinds.get(beat.kind, Kind("")).limit_seconds
        if times.stopping > limits.stop_seconds:
            self._end_run(worker, beat, "", "cancelled")
        elif times.active > allowed:
            reason = f"It worked longer than the limit of {_duration(allowed)}: make it smaller."
            self._end_run(worker, beat, reason, "failed")
        elif times.silent > limits.hang_seconds:
            reason = f"It gave no sign of life for {_duration(limits.hang_seconds)} and was ended."
            self._end_run(worker, beat, reason, "interrupted")
        elif times.paused > limits.pause_seconds:
            self.store.set_control(beat.run_id, "stop")

    def _end_run(self, worker: WorkerProcess, beat: Beat, reason: str, status: str) -> None:
        log.warning("run %s is ended: %s", beat.run_id, reason or "it ignored a stop")
        if worker.lane == SHARED:  # others work in it: they go on
            queue.finish(self.store, beat.run_id, worker.name, status, reason)
            retire(worker)
            return
        worker.verdict = (reason, status)  # written down once the process is dead
        kill(worker)

    def _fill_shared(self, beats: Mapping[str, Sequence[Beat]]) -> None:
        """Keep one worker for the runs that share one; a retired one ends when it has none."""
        shared = [worker for worker in self._pool if worker.lane == SHARED]
        for worker in shared:
            if worker.retired and not beats.get(worker.name):
                kill(worker)  # what was taken from it may not have noticed
        wanted = self.workers and any(kind.shared for kind in self.kinds.values())
        living = any(not worker.retired for worker in shared)
        if wanted and not living and time.monotonic() >= self._next_start:
            self._start_worker(SHARED)

    def _fill(self, beats: Mapping[str, Sequence[Beat]]) -> None:
        """Start or retire workers, so that paused runs do not keep others from working."""
        own = [worker for worker in self._pool if not worker.retired and worker.lane != SHARED]
        paused = {name for name, runs in beats.items() if any(r.status == "paused" for r in runs)}
        free = [worker for worker in own if worker.name not in paused]
        wanted = self.workers + min(len(own) - len(free), self.limits.spare_workers)
        while len(own) < wanted and time.monotonic() >= self._next_start:
            quick = self.workers > 1 and not any(worker.lane == QUICK for worker in free)
            worker = self._start_worker(QUICK if quick else "")
            own.append(worker)
            free.append(worker)
        idle = [worker for worker in own if not beats.get(worker.name)]
        for worker in idle[: max(len(own) - wanted, 0)]:
            retire(worker)

    def _start_worker(self, lane: str) -> WorkerProcess:
        kinds = {} if self.kinds is KINDS else self.kinds
        avoid = [
            kind
            for kind, entry in self.kinds.items()
            if entry.shared != (lane == SHARED) or (entry.long and lane == QUICK)
        ]
        worker = start_worker(self.store.home, kinds, avoid, lane)
        self._pool.append(worker)
        return worker

    def _end_all(self) -> None:
        for worker in self._pool:
            kill(worker)
            worker.process.wait()
            with suppress(StoreError):
                queue.give_up(self.store, worker.name, queue.GONE)
            lock_path(self.store.home, worker.name).unlink(missing_ok=True)
        self._pool.clear()


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:g} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:g} hours"
