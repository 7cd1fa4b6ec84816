"""Who works on a run, and in which order: claims, heartbeats, ends, and runs left behind.

Owners (browser sessions) take turns: the next run is that of the owner with the fewest runs
before it. A worker writes to a run only while the run is its own, so one that was given up
cannot disturb its successor. No decision here looks at the wall clock.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from typing import NamedTuple

from anyloss_core.jobs.liveness import is_alive, lock_path
from anyloss_core.store.records import Run, clean_text, read_run
from anyloss_core.store.store import Store, insert_rows

GONE = (
    "The program was ended while this run was at work. What it had finished is kept: "
    "resume it or delete it."
)

# The turn of a queued run: how many runs of the same owner are at work or queued before it.
# Among equals, the owner who was served longest ago, then the order of arrival.
QUEUE_ORDER = """
    (SELECT count(*) FROM runs AS other WHERE other.owner = runs.owner AND
        (other.status = 'running' OR (other.status = 'queued' AND other.place < runs.place))),
    (SELECT max(other.claimed) FROM runs AS other WHERE other.owner = runs.owner),
    place
"""


class Control(NamedTuple):
    """What the user wants of a run now."""

    wanted: str  # run | pause | stop
    steps: int


LOST = Control("stop", 0)  # the run was deleted or belongs to another worker


@dataclass(frozen=True)
class JobProgress:
    """What a working job writes regularly; the fields in the order in which `record` names them."""

    status: str = "running"
    done: float = 0.0
    total: float = 0.0
    message: str = ""
    eta: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Beat:
    """What the supervisor watches of a run at work; the count grows while the job lives."""

    run_id: str
    kind: str
    worker: str
    status: str
    wanted: str
    count: int


def claim(
    store: Store, worker: str, run_id: str | None = None, avoid: Collection[str] = ()
) -> Run | None:
    """Take the given run, or the next one whose kind is not to be avoided, for this worker.

    None if there is none, or if another worker was faster.
    """
    chosen = run_id or next((run_id for run_id, kind in _waiting(store) if kind not in avoid), None)
    if chosen is None:
        return None
    with store.database.write() as connection:
        row = connection.execute(
            "UPDATE runs SET status = 'running', worker = ?, attempt = attempt + 1,"
            " started = ?, finished = NULL, error = '',"
            " claimed = (SELECT coalesce(max(claimed), 0) + 1 FROM runs)"
            " WHERE id = ? AND status IN ('queued', 'interrupted') AND NOT imported RETURNING *",
            (worker, time.time(), chosen),
        ).fetchone()
    return None if row is None else read_run(row)


def queue_position(store: Store, run_id: str) -> int | None:
    """1 for the run that comes next; None for one that does not wait."""
    waiting = [waiting_id for waiting_id, _ in _waiting(store)]
    return waiting.index(run_id) + 1 if run_id in waiting else None


def _waiting(store: Store) -> list[tuple[str, str]]:
    """(id, kind) of the queued runs in the order of their turns."""
    with store.database.read() as connection:
        rows = connection.execute(
            f"SELECT id, kind FROM runs WHERE status = 'queued' ORDER BY {QUEUE_ORDER}"
        ).fetchall()
    return [tuple(row) for row in rows]


def count_waiting(store: Store, owner: str | None = None) -> int:
    """How many runs wait, of one owner or of all."""
    with store.database.read() as connection:
        return connection.execute(
            "SELECT count(*) FROM runs WHERE status = 'queued' AND (?1 IS NULL OR owner = ?1)",
            (owner,),
        ).fetchone()[0]


def record(
    store: Store, run_id: str, worker: str, progress: JobProgress, events: Sequence[tuple] = ()
) -> Control:
    """Write progress and encoded (epoch, payload) events, beat once, read what is wanted."""
    values = astuple(replace(progress, message=clean_text(progress.message)))
    with store.database.write() as connection:
        row = connection.execute(
            "UPDATE runs SET status = ?, done = ?, total = ?, message = ?, eta = ?, seconds = ?,"
            " beat = beat + 1 WHERE id = ? AND worker = ? AND status IN ('running', 'paused')"
            " RETURNING wanted, steps",
            (*values, run_id, worker),
        ).fetchone()
        if row is None:
            return LOST
        insert_rows(connection, "events", run_id, ("epoch",), events)
    return Control(*row)


def control(store: Store, run_id: str, worker: str) -> Control:
    """What is wanted of a run, without writing."""
    with store.database.read() as connection:
        row = connection.execute(
            "SELECT wanted, steps FROM runs WHERE id = ? AND worker = ?", (run_id, worker)
        ).fetchone()
    return LOST if row is None else Control(*row)


def take_step(store: Store, run_id: str) -> bool:
    """Use up one granted step."""
    with store.database.write() as connection:
        changed = connection.execute(
            "UPDATE runs SET steps = steps - 1 WHERE id = ? AND steps > 0 AND wanted = 'pause'",
            (run_id,),
        )
        return changed.rowcount == 1


def finish(store: Store, run_id: str, worker: str, status: str, error: str = "") -> None:
    """End a run; it does nothing if the run is no longer this worker's."""
    with store.database.write(durable=True) as connection:
        connection.execute(
            "UPDATE runs SET status = ?, error = ?, finished = ?, eta = NULL, worker = NULL"
            " WHERE id = ? AND worker = ? AND status IN ('running', 'paused')",
            (status, clean_text(error), time.time(), run_id, worker),
        )


def give_up(store: Store, worker: str, reason: str, status: str = "interrupted") -> None:
    """End whatever this dead worker had at work; a run that was to stop counts as cancelled."""
    with store.database.write() as connection:
        connection.execute(
            "UPDATE runs SET status = CASE wanted WHEN 'stop' THEN 'cancelled' ELSE ? END,"
            " error = CASE wanted WHEN 'stop' THEN '' ELSE ? END,"
            " finished = ?, eta = NULL, worker = NULL"
            " WHERE worker = ? AND status IN ('running', 'paused')",
            (status, clean_text(reason), time.time(), worker),
        )


def beats(store: Store) -> list[Beat]:
    """All runs at work."""
    with store.database.read() as connection:
        rows = connection.execute(
            "SELECT id, kind, worker, status, wanted, beat FROM runs"
            " WHERE status IN ('running', 'paused')"
        ).fetchall()
    return [Beat(*row) for row in rows]


def mark_lost(store: Store, known: Collection[str] = ()) -> int:
    """Mark runs whose worker is gone as interrupted; returns how many there were.

    Workers that are known are left to their supervisor, who knows why they went.
    """
    others = [beat for beat in beats(store) if beat.worker not in known]
    lost = [beat for beat in others if not is_alive(store.home, beat.worker)]
    for beat in lost:
        give_up(store, beat.worker, GONE)
        lock_path(store.home, beat.worker).unlink(missing_ok=True)
    return len(lost)
