"""Rows of the SQLite tables, inside the caller's transaction: find one, put some in, filter.

What the store, the queue and the bundle share of SQL.
"""

import secrets
import sqlite3
import time
from collections.abc import Collection, Iterable
from typing import Any

from anyloss_core.store.database import StoreError
from anyloss_core.store.records import MAX_TITLE, STATE, clean_text

QUOTA_BYTES = 2_000_000_000  # of all runs of one owner


class UnknownRun(StoreError):
    """No run has this id (any more)."""


class Working(StoreError):
    """The run is at work, and this has to wait until it is not."""


class NotOwner(StoreError):
    """The run is somebody else's."""


def insert_run(
    connection: sqlite3.Connection, kind: str, settings: str, title: str, owner: str, **more: Any
) -> str:
    """A new run at the end of the queue, inside the caller's transaction; returns its id.

    `settings` is the text of a payload, `more` are columns of the table.
    """
    run_id = secrets.token_hex(16)
    row = {"created": time.time(), **more, "id": run_id, "kind": kind, "settings": settings}
    row |= {"title": clean_text(title, MAX_TITLE), "owner": owner}
    connection.execute(
        f"INSERT INTO runs ({', '.join(row)}, place) VALUES ({', '.join('?' * len(row))},"
        " (SELECT coalesce(max(place), 0) + 1 FROM runs))",
        tuple(row.values()),
    )
    return run_id


def insert_rows(
    connection: sqlite3.Connection,
    table: str,
    run_id: str,
    columns: Iterable[str],
    rows: Iterable[tuple],
    replace: bool = False,
) -> None:
    """Events, results or units of a run: these columns and the encoded payload, row by row."""
    names = ["run_id", *columns, "payload"]
    connection.executemany(
        f"{'REPLACE' if replace else 'INSERT'} INTO {table} ({', '.join(names)})"
        f" VALUES ({', '.join('?' * len(names))})",
        [(run_id, *row) for row in rows],
    )


def filters(**columns: Any) -> tuple[str, list]:
    """SQL condition and its values, one or several of a column; None does not filter."""
    conditions = ["1"]
    values: list[Any] = []
    for column, wanted in columns.items():
        if wanted is None:
            continue
        several = (wanted,) if isinstance(wanted, str | bool) else tuple(wanted)
        conditions.append(f"{column} IN ({', '.join('?' * len(several))})")
        values += several
    return " AND ".join(conditions), values


def find_row(
    connection: sqlite3.Connection, run_id: str, owners: Collection[str] | None = None
) -> sqlite3.Row:
    """A run that belongs to one of the owners, if they are named."""
    row = connection.execute("SELECT * FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None:
        raise UnknownRun(f"there is no run {str(run_id)[:40]!r}; it may have been deleted")
    if owners is not None and row["owner"] not in owners:
        raise NotOwner(f"run {run_id} is somebody else's; start one of your own")
    return row


def kept_bytes(connection: sqlite3.Connection, owner: str, imported: bool = False) -> int:
    """Bytes that the runs of an owner take, or the imported ones of them."""
    return connection.execute(
        """WITH own AS (SELECT id, settings FROM runs WHERE owner = ?1 AND imported >= ?2)
        SELECT coalesce((SELECT sum(length(settings)) FROM own), 0)
            + coalesce((SELECT sum(length(payload)) FROM events WHERE run_id IN
                (SELECT id FROM own)), 0)
            + coalesce((SELECT sum(length(payload)) FROM results WHERE run_id IN
                (SELECT id FROM own)), 0)
            + coalesce((SELECT sum(length(payload)) FROM units WHERE run_id IN
                (SELECT id FROM own)), 0)""",
        (owner, int(imported)),
    ).fetchone()[0]


def check_room(connection: sqlite3.Connection, owner: str, size: int = 0) -> None:
    """The runs of an owner stay below a quota; the command line ('') has none."""
    if owner and (total := kept_bytes(connection, owner) + size) > QUOTA_BYTES:
        raise StoreError(
            f"your runs would take {total / 1e6:,.0f} MB, of which at most "
            f"{QUOTA_BYTES / 1e6:,.0f} MB are kept; delete some of them first"
        )


def cancel_idle(connection: sqlite3.Connection, run_id: str) -> None:
    """End a run that no worker has: it waits, or it was put away."""
    ended = connection.execute(
        "UPDATE runs SET status = 'cancelled', finished = ? WHERE id = ?"
        " AND worker IS NULL AND status IN ('queued', 'paused')",
        (time.time(), run_id),
    )
    if ended.rowcount:
        delete_state(connection, run_id)


def delete_state(connection: sqlite3.Connection, run_id: str) -> None:
    """A run that is over needs no state to go on from."""
    connection.execute("DELETE FROM results WHERE run_id = ? AND key = ?", (run_id, STATE))
