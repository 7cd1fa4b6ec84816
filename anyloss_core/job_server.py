"""The supervisor: keeps worker processes alive, ends those that hang, replaces those that died.

One thread does it all, a few times a second, and everything it knows beyond its children it
reads from the store. It holds one end of each worker's standard input; when this process dies,
even by kill -9, the pipes close and the workers end themselves.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from anyloss_core import job_queue
from anyloss_core.job_queue import Beat
from anyloss_core.jobs import KINDS, Kind, check_kind
from anyloss_core.liveness import lock_path
from anyloss_core.store import Store, StoreError, StoreUnavailable

TICK_SECONDS = 0.2
SWEEP_SECONDS = 5.0  # how often to look for runs that another, dead server left behind
SOON_SECONDS = 2.0  # a worker that dies younger than this is replaced only after a pause
MAX_BACKOFF_SECONDS = 30.0
MAX_LOG_BYTES = 5_000_000
# Each model of a job is tiny: one thread a worker is faster than two workers in each other's way.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """When the supervisor steps in."""

    hang_seconds: float = 300.0  # no sign of life from the job
    stop_seconds: float = 10.0  # a stop that the job does not answer
    pause_seconds: float = 1800.0  # a pause that nobody ends
    spare_workers: int = 8  # paused runs keep their process; up to so many more are started
    waiting_per_owner: int = 20


@dataclass
class _Watch:
    """What the supervisor has seen of the run of one worker, by its own clock."""

    run_id: str = ""
    count: int = -1
    active: float = 0.0
    paused: float = 0.0
    silent: float = 0.0
    stopping: float = 0.0

    def see(self, beat: Beat, elapsed: float) -> None:
        if beat.run_id != self.run_id:
            self.__init__(beat.run_id)
        self.silent = self.silent + elapsed if beat.count == self.count else 0.0
        self.count = beat.count
        self.stopping = self.stopping + elapsed if beat.wanted == "stop" else 0.0
        if beat.status == "paused":
            self.paused += elapsed
        else:
            self.active, self.paused = self.active + elapsed, 0.0


@dataclass
class _Worker:
    """A child process."""

    name: str
    process: subprocess.Popen
    born: float
    watch: _Watch = field(default_factory=_Watch)
    quick: bool = False  # leaves long kinds to others
    retired: bool = False
    verdict: tuple[str, str] | None = None  # (reason, status) if the supervisor ended it


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
        self._pool: list[_Worker] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._failures = 0
        self._next_start = 0.0
        self._last_tick = self._last_sweep = 0.0

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
        waiting = job_queue.count_waiting(self.store, owner)
        if waiting >= self.limits.waiting_per_owner:
            raise StoreError(
                f"{waiting} of your runs are waiting already; stop some or wait for them"
            )
        return self.store.create_run(kind, settings, title, owner)

    def queue_position(self, run_id: str) -> int | None:
        """1 for the run that comes next; None for one that does not wait."""
        return job_queue.queue_position(self.store, run_id)

    @property
    def worker_ids(self) -> list[int]:
        """Process ids of the workers that live."""
        return [worker.process.pid for worker in self._pool if worker.process.poll() is None]

    def _supervise(self) -> None:
        self._last_tick = time.monotonic()
        while not self._ending.is_set():
            try:
                self._tick()
            except StoreUnavailable as fault:
                log.warning("the job server waits: %s", fault)
            except Exception:
                log.exception("the job server met a fault and goes on")
            self._ending.wait(TICK_SECONDS)
        self._end_all()

    def _tick(self) -> None:
        now = time.monotonic()
        elapsed, self._last_tick = now - self._last_tick, now
        if not self._last_sweep or now - self._last_sweep > SWEEP_SECONDS:
            self._last_sweep = now
            job_queue.mark_lost(self.store)
        self._bury()
        beats = {beat.worker: beat for beat in job_queue.beats(self.store)}
        for worker in self._pool:
            beat = beats.get(worker.name)
            if beat and not worker.verdict:
                worker.watch.see(beat, elapsed)
                self._judge(worker, beat)
            else:
                worker.watch = _Watch()
        self._fill(beats)

    def _bury(self) -> None:
        """Write down the runs of workers that died, and take the dead out of the pool."""
        for worker in [worker for worker in self._pool if worker.process.poll() is not None]:
            code = worker.process.returncode
            reason, status = worker.verdict or (describe_death(code), "interrupted")
            job_queue.give_up(self.store, worker.name, reason, status)
            _kill(worker)  # what it had started may still run
            lock_path(self.store.home, worker.name).unlink(missing_ok=True)
            self._pool.remove(worker)
            if worker.retired or worker.verdict:
                continue
            log.warning("worker %d ended with code %s", worker.process.pid, code)
            young = time.monotonic() - worker.born < SOON_SECONDS
            self._failures = self._failures + 1 if young else 0
            pause = min(2.0**self._failures / 2, MAX_BACKOFF_SECONDS) if young else 0.0
            self._next_start = time.monotonic() + pause

    def _judge(self, worker: _Worker, beat: Beat) -> None:
        """End a worker whose run took too long, does not answer or hangs."""
        watch, limits = worker.watch, self.limits
        allowed = self.kinds.get(beat.kind, Kind("")).limit_seconds
        if watch.stopping > limits.stop_seconds:
            self._end_run(worker, "", "cancelled")
        elif watch.active > allowed:
            reason = f"It worked longer than the limit of {_duration(allowed)}: make it smaller."
            self._end_run(worker, reason, "failed")
        elif watch.silent > limits.hang_seconds:
            reason = f"It gave no sign of life for {_duration(limits.hang_seconds)} and was ended."
            self._end_run(worker, reason, "interrupted")
        elif watch.paused > limits.pause_seconds:
            self.store.set_control(beat.run_id, "stop")

    def _end_run(self, worker: _Worker, reason: str, status: str) -> None:
        log.warning("run %s is ended: %s", worker.watch.run_id, reason or "it ignored a stop")
        worker.verdict = (reason, status)  # written down once the process is dead
        _kill(worker)

    def _fill(self, beats: Mapping[str, Beat]) -> None:
        """Start or retire workers, so that paused runs do not keep others from working."""
        own = [worker for worker in self._pool if not worker.retired]
        paused = {name for name, beat in beats.items() if beat.status == "paused"}
        free = [worker for worker in own if worker.name not in paused]
        wanted = self.workers + min(len(own) - len(free), self.limits.spare_workers)
        while len(own) < wanted and time.monotonic() >= self._next_start:
            quick = self.workers > 1 and not any(worker.quick for worker in free)
            worker = self._start_worker(quick)
            own.append(worker)
            free.append(worker)
        idle = [worker for worker in own if worker.name not in beats]
        for worker in idle[: max(len(own) - wanted, 0)]:
            worker.retired = True
            with suppress(OSError):
                worker.process.stdin.write(b"q")

    def _start_worker(self, quick: bool) -> _Worker:
        name = secrets.token_hex(16)
        command = [sys.executable, "-m", "anyloss_core.worker"]
        command += ["--home", str(self.store.home), "--name", name]
        if self.kinds is not KINDS:
            command += [f"--kind={kind}={entry.target}" for kind, entry in self.kinds.items()]
        if quick:
            command += [f"--avoid={kind}" for kind, entry in self.kinds.items() if entry.long]
        with open_log(self.store.home) as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                bufsize=0,
                env=_environment(),
                start_new_session=True,  # a group of its own, to be ended as a whole
            )
        worker = _Worker(name, process, time.monotonic(), quick=quick)
        self._pool.append(worker)
        return worker

    def _end_all(self) -> None:
        for worker in self._pool:
            _kill(worker)
            worker.process.wait()
            with suppress(StoreError):
                job_queue.give_up(self.store, worker.name, job_queue.GONE)
            lock_path(self.store.home, worker.name).unlink(missing_ok=True)
        self._pool.clear()


def _kill(worker: _Worker) -> None:
    """End a worker and all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.process.pid, signal.SIGKILL)
    worker.process.stdin.close()


def open_log(home: Path) -> IO[bytes]:
    """The log of the workers, for the user alone; begun anew when it has grown too long."""
    path = home / "workers.log"
    path.touch(mode=0o600)
    if path.stat().st_size > MAX_LOG_BYTES:
        path.replace(path.with_suffix(".old.log"))
        path.touch(mode=0o600)
    return path.open("ab")


def _environment() -> dict[str, str]:
    root = str(Path(__file__).resolve().parents[1])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(paths)}


def describe_death(code: int) -> str:
    """Why a worker ended, as far as its exit code tells."""
    if code == -signal.SIGKILL:
        return (
            "The system ended the process of this run, most likely because memory ran out: "
            "reduce rows, models or folds. What it had finished is kept."
        )
    return f"The process of this run ended unexpectedly (code {code}). Resume or delete the run."


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:g} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:g} hours"
