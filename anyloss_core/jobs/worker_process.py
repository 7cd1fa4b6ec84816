"""A worker process as its supervisor sees it: how it is started, watched and ended."""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from anyloss_core.jobs.jobs import Kind
from anyloss_core.jobs.processes import KILLED, end_tree, spawn
from anyloss_core.jobs.queue import Beat
from anyloss_core.jobs.worker import STORE_FAULT
from anyloss_core.store.database import private_file

MAX_LOG_BYTES = 5_000_000
LONGEST_LOOK = 2.0  # seconds that count between two looks, which are 0.2 apart
# Each model of a job is tiny: one thread a worker is faster than two workers in each other's way.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


@dataclass
class RunTimes:
    """What the supervisor has seen of a run at work, by its own clock."""

    count: int = -1
    active: float = 0.0
    paused: float = 0.0
    silent: float = 0.0
    stopping: float = 0.0

    def see(self, beat: Beat, elapsed: float) -> None:
        """Take in what the store says now, this long after the last look.

        A look that comes late says that the machine was asleep or paused, not that time was spent.
        """
        elapsed = min(elapsed, LONGEST_LOOK)
        self.silent = self.silent + elapsed if beat.count == self.count else 0.0
        self.count = beat.count
        self.stopping = self.stopping + elapsed if beat.wanted == "stop" else 0.0
        if beat.status == "paused":
            self.paused += elapsed
        else:
            self.active, self.paused = self.active + elapsed, 0.0


@dataclass
class WorkerProcess:
    """A child process."""

    name: str
    process: subprocess.Popen
    born: float
    times: dict[str, RunTimes] = field(default_factory=dict)  # by run
    lane: str = ""  # shared: runs side by side; quick: leaves long kinds to others
    retired: bool = False
    verdict: tuple[str, str] | None = None  # (reason, status) if the supervisor ended it

    @property
    def pipe(self) -> IO[bytes]:
        """The standard input of the process."""
        assert self.process.stdin is not None  # it was started with a pipe
        return self.process.stdin

    def see(self, beats: Sequence[Beat], elapsed: float) -> None:
        """Take in how its runs are doing; another run begins at nothing."""
        self.times = {beat.run_id: self.times.get(beat.run_id, RunTimes()) for beat in beats}
        for beat in beats:
            self.times[beat.run_id].see(beat, elapsed)


def start_worker(
    home: Path, kinds: Mapping[str, Kind], avoid: Sequence[str] = (), lane: str = ""
) -> WorkerProcess:
    """Start one that does these kinds (none: the built-in ones) and avoids some."""
    name = secrets.token_hex(16)
    command = [sys.executable, "-m", "anyloss_core.jobs.worker"]
    command += ["--home", str(home), "--name", name]
    command += [f"--kind={kind}={entry.target}" for kind, entry in kinds.items()]
    command += [f"--share={kind}" for kind, entry in kinds.items() if entry.shared]
    command += [f"--avoid={kind}" for kind in avoid]
    with open_log(home) as output:
        process = spawn(
            command, env=environment(), stdin=subprocess.PIPE, stdout=output, stderr=output
        )
    return WorkerProcess(name, process, time.monotonic(), lane=lane)


def kill(worker: WorkerProcess) -> None:
    """End a worker and all that it started."""
    end_tree(worker.process)
    worker.pipe.close()


def retire(worker: WorkerProcess) -> None:
    """Ask a worker to leave after the run at hand."""
    worker.retired = True
    with suppress(OSError):
        os.write(worker.pipe.fileno(), b"q")


def open_log(home: Path) -> IO[bytes]:
    """The log of the workers, for the user alone; begun anew when it has grown too long."""
    path = home / "workers.log"
    private_file(path)
    if path.stat().st_size > MAX_LOG_BYTES:
        with suppress(OSError):  # Windows keeps a file in its place while a worker writes it
            path.replace(path.with_suffix(".old.log"))
        private_file(path)
    return path.open("ab")


def environment() -> dict[str, str]:
    """That of this process, with one thread each and this program to import."""
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(paths)}


def describe_death(code: int) -> str:
    """Why a worker ended, as far as its exit code tells."""
    if code == KILLED:
        return (
            "The system ended the process of this run, most likely because memory ran out: "
            "reduce rows, models or folds. What it had finished is kept."
        )
    if code == STORE_FAULT:
        return "The disk was full or the store locked when the run ended. Resume or delete the run."
    return f"The process of this run ended unexpectedly (code {code}). Resume or delete the run."
