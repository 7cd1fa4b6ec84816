"""Several tasks at once, in processes of one thread each, with one progress for all of them.

The longest task begins first. What a process does is told through a small file that both sides map
into memory; a task that needs the machine to itself comes after the others, in this process.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np

from anyloss_core.executors import stay_with
from anyloss_core.published.cells import Progress, Result
from anyloss_core.published.parts import PARTS, Files, Task, perform
from anyloss_core.worker_process import ONE_THREAD

POLL_SECONDS = 0.2
MOST_PROCESSES = 4  # each has torch in it
TOLD = np.dtype([("share", np.float64), ("message", "S200")])  # what a process tells of its task


def perform_all(
    tasks: Sequence[Task],
    csv: Files,
    progress: Progress,
    options: Mapping[str, Any],
    workers: int | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Tasks with their results, as they are finished; what `progress` raises ends all work."""
    workers = min(workers or os.cpu_count() or 1, MOST_PROCESSES)
    shared = sorted((t for t in tasks if not PARTS[t.part].alone), key=lambda task: -task.weight)
    if workers < 2 or len(shared) < 2:
        shared = []
    rest = [task for task in tasks if task not in shared]
    done, total = 0.0, sum(task.weight for task in tasks)
    if shared:
        yield from _in_processes(shared, csv, _part_of(progress, 0.0, total), options, workers)
        done = sum(task.weight for task in shared)
    for task in rest:
        own = _part_of(progress, done, total, task.weight)
        yield task, perform(task, csv, own, options)
        done += task.weight


def _part_of(progress: Progress, done: float, total: float, own: float = 1.0) -> Progress:
    """Progress of what takes `own` seconds (or is told in seconds), after `done` of `total`."""
    return lambda share, message: progress(min((done + share * own) / total, 1.0), message)


def _in_processes(
    tasks: Sequence[Task],
    csv: Files,
    progress: Progress,
    options: Mapping[str, Any],
    workers: int,
) -> Iterator[tuple[Task, Result]]:
    weights = np.array([task.weight for task in tasks])
    pool = _pool(min(workers, len(tasks)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "told"
        told = np.memmap(path, TOLD, "w+", shape=len(tasks))
        running = {
            pool.submit(_work, task, dict(csv), dict(options), str(path), place): task
            for place, task in enumerate(tasks)
        }
        try:
            while running:
                finished, _ = wait(running, POLL_SECONDS, FIRST_COMPLETED)
                progress(float(told["share"] @ weights), _doing(told))
                for future in finished:
                    yield running.pop(future), future.result()
        except BrokenProcessPool as fault:
            raise MemoryError("a process of the reproduction was ended") from fault
        finally:
            pool.shutdown(wait=True, kill_workers=True)
            del told


def _pool(workers: int) -> Executor:
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(
        workers, env=ONE_THREAD, initializer=stay_with, initargs=(os.getpid(),)
    )


def _work(
    task: Task, csv: dict[int | str, Any], options: dict[str, Any], path: str, place: int
) -> Result:
    """In the other process: one task with one thread, telling how far it is."""
    import torch

    torch.set_num_threads(1)
    told = np.memmap(path, TOLD, "r+")

    def progress(share: float, message: str) -> None:
        told[place] = (share, message.encode())

    result = perform(task, csv, progress, options)
    progress(1.0, "")
    return result


def _doing(told: np.ndarray) -> str:
    """What the processes do now: those that have begun and are not through."""
    messages = [text.decode(errors="replace") for text in told["message"]]
    return "; ".join(message for message in messages if message)
