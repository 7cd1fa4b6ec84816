"""Who works on a run, and in which order: claims, heartbeats, ends, and runs left behind.

Owners (browser sessions) take turns: the next run is that of the owner with the fewest runs
before it. A worker writes to a run only while the run is its own, so one that was given up
cannot disturb its successor. A run that was put away in a pause has no worker, and waits again as
soon as it is to go on. No decision here looks at the wall clock.
"""

import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from anyloss_core.jobs.liveness import is_alive, lock_path
from anyloss_core.store.records import STATE, Run, clean_text, read_run
from anyloss_core.store.rows import delete_state, insert_rows
from anyloss_core.store.store import Store

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


class Waiting(NamedTuple):
    """A queued run."""

    id: str
    kind: str
    owner: str


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
    store: Store,
    worker: str,
    run_id: str | None = None,
    avoid: Collection[str] = (),
    per_owner: Mapping[str, int] = MappingProxyType({}),
) -> Run | None:
    """Take the given run, or the next one whose kind is not to be avoided, for this worker.

    Of the kinds in `per_owner`, no owner has more than so many at work. None if there is no run, or
    if another worker was faster.
    """
    chosen = run_id or _next(store, avoid, per_owner)
    if chosen is None:
        return None
    with store.database.write() as connection:
        row = connection.execute(
            "UPDATE runs SET status = 'running', worker = ?, attempt = attempt + (started IS NULL),"
            " started = coalesce(started, ?), finished = NULL, error = '',"
            " claimed = (SELECT coalesce(max(claimed), 0) + 1 FROM runs)"
            " WHERE id = ? AND status IN ('queued', 'interrupted') AND NOT imported RETURNING *",
            (worker, time.time(), chosen),
        ).fetchone()
    return None if row is None else read_run(row)


def queue_position(store: Store, run_id: str) -> int | None:
    """1 for the run that comes next; None for one that does not wait."""
    ids = [run.id for run in waiting(store)]
    return ids.index(run_id) + 1 if run_id in ids else None


def waiting(store: Store) -> list[Waiting]:
    """The queued runs in the order of their turns."""
    with store.database.read() as connection:
        rows = connection.execute(
            f"SELECT id, kind, owner FROM runs WHERE status = 'queued' ORDER BY {QUEUE_ORDER}"
        ).fetchall()
    return [Waiting(*row) for row in rows]


def _next(store: Store, avoid: Collection[str], per_owner: Mapping[str, int]) -> str | None:
    allowed = (run for run in waiting(store) if run.kind not in avoid)
    if not per_owner:
        return next((run.id for run in allowed), None)
    busy = Counter((run.kind, run.owner) for run in at_work(store) if run.status == "running")
    free = (run.id for run in allowed if busy[run.kind, run.owner] < per_owner.get(run.kind, 10**9))
    return next(free, None)


def count_waiting(store: Store, owner: str | None = None) -> int:
    """How many runs wait, of one owner or of all."""
    with store.database.read() as connection:
        return connection.execute(
            "SELECT count(*) FROM runs WHERE status = 'queued' AND (?1 IS NULL OR owner = ?1)",
            (owner,),
        ).fetchone()[0]


def count_put_away(store: Store, owner: str) -> int:
    """How many paused runs of an owner wait without a worker, their state on the disk."""
    with store.database.read() as connection:
        return connection.execute(
            "SELECT count(*) FROM runs WHERE status = 'paused' AND worker IS NULL AND owner = ?",
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


def replace_events(store: Store, run_id: str, worker: str, epoch: int | None, blob: bytes) -> None:
    """Put one event in the place of all that a run of this worker has."""
    with store.database.write() as connection:
        gone = connection.execute(
            "DELETE FROM events WHERE run_id IN (SELECT id FROM runs WHERE id = ? AND worker = ?)",
            (run_id, worker),
        )
        if gone.rowcount:
            insert_rows(connection, "events", run_id, ("epoch",), [(epoch, blob)])


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
        ended = connection.execute(
            "UPDATE runs SET status = ?, error = ?, finished = ?, eta = NULL, worker = NULL"
            " WHERE id = ? AND worker = ? AND status IN ('running', 'paused')",
            (status, clean_text(error), time.time(), run_id, worker),
        )
        if ended.rowcount:
            delete_state(connection, run_id)


def put_away(store: Store, run_id: str, worker: str) -> None:
    """Free the worker of a paused run whose state is kept; it waits if it is to go on by now."""
    with store.database.write(durable=True) as connection:
        connection.execute(
            "UPDATE runs SET worker = NULL, eta = NULL, status ="
            " CASE WHEN wanted = 'pause' AND steps = 0 THEN 'paused' ELSE 'queued' END"
            " WHERE id = ? AND worker = ? AND status IN ('running', 'paused')",
            (run_id, worker),
        )


def give_up(store: Store, worker: str, reason: str, status: str = "interrupted") -> None:
    """End whatever this dead worker had at work; a run that was to stop counts as cancelled."""
    with store.database.write() as connection:
        connection.execute(
            "DELETE FROM results WHERE key = ? AND run_id IN"
            " (SELECT id FROM runs WHERE worker = ?)",
            (STATE, worker),
        )
        connection.execute(
            "UPDATE runs SET status = CASE wanted WHEN 'stop' THEN 'cancelled' ELSE ? END,"
            " error = CASE wanted WHEN 'stop' THEN '' ELSE ? END,"
            " finished = ?, eta = NULL, worker = NULL"
            " WHERE worker = ? AND status IN ('running', 'paused')",
            (status, clean_text(reason), time.time(), worker),
        )


def beats(store: Store) -> list[Beat]:
    """What is to be watched of the runs that a worker has."""
    with store.database.read() as connection:
        rows = connection.execute(
            "SELECT id, kind, worker, status, wanted, beat FROM runs"
            " WHERE status IN ('running', 'paused') AND worker IS NOT NULL"
        ).fetchall()
    return [Beat(*row) for row in rows]


def at_work(store: Store) -> list[Run]:
    """The runs that a worker has."""
    with store.database.read() as connection:
        rows = connection.execute(
            "SELECT * FROM runs WHERE status IN ('running', 'paused') AND worker IS NOT NULL"
        ).fetchall()
    return [read_run(row) for row in rows]


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
