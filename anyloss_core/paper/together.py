"""Several tasks at once, in processes of one thread each, with one progress for all of them.

The longest task begins first. How far a process is stands in a small file that both sides map
into memory; a task that needs the machine to itself comes after the others, in this process.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np

from anyloss_core.benchmark.executors import start_processes
from anyloss_core.paper.cells import OnProgress, Result
from anyloss_core.paper.parts import PARTS, Files, Task, perform

POLL_SECONDS = 0.2
MOST_PROCESSES = 4  # each has torch in it
STATE = np.dtype([("share", np.float64), ("message", "S200")])  # how far a process is


def perform_all(
    tasks: Sequence[Task],
    csv: Files,
    progress: OnProgress,
    options: Mapping[str, Any],
    workers: int | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Tasks with their results, as they are finished; what `progress` raises ends all work."""
    workers = min(workers or os.cpu_count() or 1, MOST_PROCESSES)
    shared = sorted((t for t in tasks if not PARTS[t.part].alone), key=lambda task: -task.seconds)
    if workers < 2 or len(shared) < 2:
        shared = []
    rest = [task for task in tasks if task not in shared]
    done, total = 0.0, sum(task.seconds for task in tasks)
    if shared:
        yield from _in_processes(shared, csv, _part_of(progress, 0.0, total), options, workers)
        done = sum(task.seconds for task in shared)
    for task in rest:
        own = _part_of(progress, done, total, task.seconds)
        yield task, perform(task, csv, own, options)
        done += task.seconds


def _part_of(progress: OnProgress, done: float, total: float, own: float = 1.0) -> OnProgress:
    """OnProgress of what takes `own` seconds (or comes in seconds), after `done` of `total`."""
    return lambda share, message: progress(min((done + share * own) / total, 1.0), message)


def _in_processes(
    tasks: Sequence[Task],
    csv: Files,
    progress: OnProgress,
    options: Mapping[str, Any],
    workers: int,
) -> Iterator[tuple[Task, Result]]:
    weights = np.array([task.seconds for task in tasks])
    pool = start_processes(min(workers, len(tasks)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "states"
        states = np.memmap(path, STATE, "w+", shape=len(tasks))
        running = {
            pool.submit(_work, task, dict(csv), dict(options), str(path), number): task
            for number, task in enumerate(tasks)
        }
        try:
            while running:
                finished, _ = wait(running, POLL_SECONDS, FIRST_COMPLETED)
                progress(float(states["share"] @ weights), _doing(states))
                for future in finished:
                    yield running.pop(future), future.result()
        except BrokenProcessPool as fault:
            raise MemoryError("a process of the reproduction was ended") from fault
        finally:
            pool.shutdown(wait=True, kill_workers=True)
            del states


def _work(
    task: Task, csv: dict[int | str, Any], options: dict[str, Any], path: str, number: int
) -> Result:
    """In the other process: one task with one thread, telling how far it is."""
    import torch

    torch.set_num_threads(1)
    states = np.memmap(path, STATE, "r+")

    def progress(share: float, message: str) -> None:
        states[number] = (share, message.encode())

    result = perform(task, csv, progress, options)
    progress(1.0, "")
    return result


def _doing(states: np.ndarray) -> str:
    """What the processes do now: those that have begun and are not through."""
    messages = [text.decode(errors="replace") for text in states["message"]]
    return "; ".join(message for message in messages if message)
