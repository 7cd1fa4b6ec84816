"""When a waiting run will start, about: the queue played through with the times that are known.

A run at work says itself how long it still needs; one that does not, and one that waits, counts as
its kind usually takes. Long runs wait for long ones, those that share a worker for their owner's.
"""

from collections.abc import Iterable, Mapping
from statistics import median

from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import Kind
from anyloss_core.jobs.queue import Waiting
from anyloss_core.jobs.worker import MOST_SHARED, SHARED_PER_OWNER
from anyloss_core.store.records import Run
from anyloss_core.store.store import Store

UNKNOWN_SECONDS = 20.0  # of a kind of which no run has ended yet
REMEMBERED = 15  # ended runs that tell how long a kind takes


def waiting_seconds(
    store: Store, run_id: str, workers: int, kinds: Mapping[str, Kind]
) -> float | None:
    """In how many seconds a waiting run starts; None for one that does not wait."""
    line = queue.waiting(store)
    asked = next((run for run in line if run.id == run_id), None)
    if asked is None:
        return None

    def lane(run: Run | Waiting) -> str:
        kind = kinds.get(run.kind, Kind(""))
        return "shared" if kind.shared else "long" if kind.long and workers > 1 else "short"

    own = lane(asked)
    busy = [run for run in queue.at_work(store) if run.status == "running"]
    ahead = [run for run in line[: line.index(asked)] if lane(run) == own]
    if own == "short":  # a long run may have a worker, but never the last one
        rivals = [run for run in busy if lane(run) != "shared"]
        return _start(store, rivals, ahead, workers)
    rivals = [run for run in busy if lane(run) == own]
    if own == "long":
        return _start(store, rivals, ahead, workers - 1)
    mine = [run for run in rivals if run.owner == asked.owner]
    before = [run for run in ahead if run.owner == asked.owner]
    return max(
        _start(store, rivals, ahead, MOST_SHARED), _start(store, mine, before, SHARED_PER_OWNER)
    )


def _start(store: Store, busy: Iterable[Run], ahead: Iterable[Waiting], places: int) -> float:
    """When one of so many places is free for the run that comes after those ahead."""
    left = sorted(_left(store, run) for run in busy)
    places = max(places, 1)
    free = [0.0] * (places - len(left)) + left[max(len(left) - places, 0) :]
    for run in ahead:
        free = sorted([free[0] + _typical(store, run.kind), *free[1:]])
    return free[0]


def _left(store: Store, run: Run) -> float:
    return max(_typical(store, run.kind) - run.seconds, 1.0) if run.eta is None else run.eta


def _typical(store: Store, kind: str) -> float:
    """How long the newest runs of a kind took."""
    ended = store.runs(kind, REMEMBERED, status="done")
    return median([run.seconds for run in ended] or [UNKNOWN_SECONDS])
