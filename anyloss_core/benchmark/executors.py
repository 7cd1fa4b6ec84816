"""Where units are worked on: other processes of this machine (joblib's), or a Dask cluster.

Both are `concurrent.futures` executors, so `scatter` is one loop for both: a few units more than
there are workers are under way, outcomes come as they are finished, and a dead process costs at
most the unit that killed it.
"""

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Protocol

import psutil

from anyloss_core.benchmark.units import UnitOutcome, UnitTask, describe, work
from anyloss_core.common.extras import how_to_install
from anyloss_core.common.versions import program
from anyloss_core.comparison.settings import SettingsError
from anyloss_core.jobs.processes import is_child_of
from anyloss_core.jobs.worker_process import ONE_THREAD

POLL_SECONDS = 0.25
SCHEDULER_SECONDS = 5.0  # to answer
WORKERS_SECONDS = 30.0  # to come to a scheduler that has just been started
DIED = (
    "The process that worked on it was ended, most likely because memory ran out: "
    "leave this data set out or give the machine more memory."
)
GONE = (
    "dask: the cluster has gone; finished data sets are kept, and the same command goes on with "
    "the others once the cluster is back"
)


SERVER = "server"  # the address of a run on the server's own cluster
VARIABLE = "ANYLOSS_DASK"  # of the environment: where the scheduler of that cluster listens


class Pool(Protocol):
    """Processes somewhere."""

    @property
    def width(self) -> int:
        """How many units may be under way."""

    @property
    def workers(self) -> int:
        """How many units are worked on at once."""

    def submit(self, task: UnitTask) -> Future:
        """Begin a unit."""

    def close(self) -> None:
        """End all work at once."""


def scatter(
    tasks: Sequence[UnitTask], pool: Pool, on_wait: Callable[[list[str]], None]
) -> Iterator[tuple[UnitTask, UnitOutcome]]:
    """Outcomes in the order in which they come.

    `on_wait` gets the names under way a few times a second; what it raises ends the work.
    """
    waiting = deque(tasks)
    running: dict[Future, UnitTask] = {}
    suspects: set[str] = set()  # were under way when a process died: each is tried again alone
    while waiting or running:
        width = 1 if suspects else pool.width
        while waiting and len(running) < width:
            task = waiting.popleft()
            running[pool.submit(task)] = task
        finished, _ = wait(running, POLL_SECONDS, FIRST_COMPLETED)
        on_wait([task.item.name for task in running.values()])
        died = []
        for future in finished:
            task, outcome = running.pop(future), _outcome(future)
            if outcome is None and task.item.name not in suspects:
                died.append(task)
                continue
            suspects.discard(task.item.name)
            yield task, outcome or UnitOutcome(None, 0.0, DIED)
        waiting.extendleft(reversed(died))
        suspects |= {task.item.name for task in died}


class Processes:
    """Processes of this machine, one thread each."""

    def __init__(self, count: int) -> None:
        self.workers, self.width = count, count
        self._executor = start_processes(count)

    def submit(self, task: UnitTask) -> Future:
        try:
            return self._executor.submit(work, task)
        except BrokenProcessPool:  # a process died since the last unit was begun
            self._executor = start_processes(self.workers)
            return self._executor.submit(work, task)

    def close(self) -> None:
        self._executor.shutdown(wait=True, kill_workers=True)


class Cluster:
    """An existing Dask cluster; Dask itself gives the unit of a dead worker to another."""

    def __init__(self, address: str) -> None:
        self._client = _connect(address)
        self._executor = self._client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        try:
            return max(1, sum(self._client.nthreads().values()))
        except (OSError, RuntimeError):  # also distributed's own errors of a lost connection
            raise SettingsError(GONE) from None

    @property
    def width(self) -> int:
        return 2 * self.workers  # the next unit is there before the last one has gone

    def submit(self, task: UnitTask) -> Future:
        try:
            carried = replace(task, dataset=task.open()) if task.local else task
        except Exception as fault:
            failed: Future = Future()
            failed.set_result(UnitOutcome(None, 0.0, describe(fault)))
            return failed
        return self._executor.submit(work, carried)

    def close(self) -> None:
        self._executor.shutdown(wait=False)
        self._client.close()


def server_cluster() -> str:
    """The address of the server's own cluster, '' if it has none."""
    return os.environ.get(VARIABLE, "").strip()


def resolve(address: str | None) -> str | None:
    """The address of a scheduler; a run on the server's cluster does not tell it to visitors."""
    if address != SERVER:
        return address
    if found := server_cluster():
        return found
    raise SettingsError(
        f"this server has no cluster any more (its setting {VARIABLE} is empty); start the "
        "benchmark again on this machine"
    )


def cluster_threads(address: str) -> int:
    """How many data sets the workers of a cluster can work on at once, at this moment."""
    client = _client(address)
    try:
        return sum(client.nthreads().values())
    finally:
        client.close()


def check_cluster(address: str) -> None:
    """Refuse an address where nobody, or somebody else, answers."""
    _connect(address).close()


def start_processes(count: int) -> Any:
    """An executor of loky: processes of one thread each that end with this one.

    They are started by the first task; `shutdown(kill_workers=True)` ends them in its middle.
    """
    from joblib.externals.loky import ProcessPoolExecutor

    return ProcessPoolExecutor(
        count, env=ONE_THREAD, initializer=stay_with, initargs=(os.getpid(),)
    )


def stay_with(parent: int) -> None:
    """End this process when its parent is gone, in the middle of a unit too."""

    def watch() -> None:
        while is_child_of(starter):
            time.sleep(1.0)
        os._exit(1)

    starter = psutil.Process(parent)

    threading.Thread(target=watch, daemon=True).start()


def _outcome(future: Future) -> UnitOutcome | None:
    """The outcome of a finished unit; None if its process died with others beside it."""
    try:
        return future.result()
    except BrokenProcessPool:
        return None
    except CancelledError:
        raise SettingsError(GONE) from None
    except Exception as fault:
        killed = type(fault).__name__ == "KilledWorker"
        return UnitOutcome(None, 0.0, DIED if killed else describe(fault))


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise SettingsError(f"a Dask cluster needs {how_to_install('dask')}") from None
    try:
        with ThreadPoolExecutor(1) as beside:  # the caller may be in a loop of its own
            beside.submit(asyncio.run, _greet(address)).result()
        return Client(address, timeout=SCHEDULER_SECONDS, set_as_default=False)
    except TimeoutError:
        reason = f"nothing heard for {SCHEDULER_SECONDS:g} seconds"
    except MemoryError:  # the 'HTTP/1.1' of a web server is read as the length of a message
        reason = "what answers is something else"
    except Exception as error:
        reason = str(error)[:200]
    raise SettingsError(
        f"dask: no scheduler answers at {address!r} ({reason}); give the address that "
        "'dask scheduler' printed, such as tcp://10.0.0.1:8786"
    )


async def _greet(address: str) -> None:
    """Hear whether Dask speaks there: a Client without one prints a traceback when it goes."""
    from distributed.comm import connect

    async with asyncio.timeout(SCHEDULER_SECONDS):
        comm = await connect(address)
    await comm.close()


def _connect(address: str) -> Any:
    client = _client(address)
    try:
        trouble = _trouble_with_workers(client)
    except TimeoutError:
        trouble = "none of them answers"
    if trouble:
        client.close()
        raise SettingsError(
            f"dask: the workers at {address!r} cannot work: {trouble}; start them with "
            "'dask worker' where the same package is installed as here"
        )
    return client


def _trouble_with_workers(client: Any) -> str:
    """Why workers would not give the numbers that this process gives, or ''."""
    client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    if not all(client.run(find_spec, "anyloss_core").values()):
        return "they cannot import anyloss_core"
    others = [name for name, theirs in client.run(program).items() if theirs != program()]
    return f"{others[0]} has another version of it or of what it needs" if others else ""
