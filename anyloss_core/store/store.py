"""What is kept: runs with their settings, progress, events, results and units, and uploads.

A run is known by a random id of 128 bits; who has the id may open the run, who has not cannot
guess it. Everything survives a killed process: each call is one SQLite transaction. Who works
on a run, and in which order, is the matter of `job_queue`.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from anyloss_core import payload, uploads
from anyloss_core.database import (
    BUSY_SECONDS,
    FILE_NAME,
    Database,
    StoreError,
    StoreUnavailable,
    home_folder,
)
from anyloss_core.records import (
    ACTIVE,
    MAX_TITLE,
    Event,
    Run,
    Unit,
    clean_text,
    read_run,
)

__all__ = [
    "ACTIVE",
    "Event",
    "Run",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "Unit",
    "UnknownRun",
]

CONTROLS = ("run", "pause", "step", "stop")
MAX_LISTED = 500


class UnknownRun(StoreError):
    """No run has this id (any more)."""


class Store:
    """All runs and uploads under one folder (default: ANYLOSS_HOME, or the user's data folder)."""

    def __init__(self, home: Path | str | None = None, busy_seconds: float = BUSY_SECONDS) -> None:
        self.home = home_folder(home)
        self.database = Database(self.home / FILE_NAME, busy_seconds)

    # Runs

    def create_run(
        self, kind: str, settings: dict, title: str = "", owner: str = "", queue: bool = True
    ) -> str:
        """Put a run into the queue and return its id.

        With queue=False no worker takes it: it stays as interrupted until the process that made
        it runs it with `jobs.run_job`, or somebody requeues it.
        """
        run_id = secrets.token_hex(16)
        row = {
            "id": run_id,
            "kind": kind,
            "title": clean_text(title, MAX_TITLE),
            "owner": owner,
            "settings": payload.to_text(settings),
            "status": "queued" if queue else "interrupted",
            "created": time.time(),
        }
        with self.database.write() as connection:
            connection.execute(
                "INSERT INTO runs (id, kind, title, owner, settings, status, created, place)"
                " VALUES (:id, :kind, :title, :owner, :settings, :status, :created,"
                " (SELECT coalesce(max(place), 0) + 1 FROM runs))",
                row,
            )
        return run_id

    def run(self, run_id: str) -> Run:
        """The run with this id; UnknownRun if there is none."""
        with self.database.read() as connection:
            row = connection.execute("SELECT * FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise _unknown(run_id)
        return read_run(row)

    def runs(
        self,
        kind: str | None = None,
        limit: int = 50,
        offset: int = 0,
        status: str | Iterable[str] | None = None,
        owner: str | None = None,
    ) -> list[Run]:
        """Runs, newest first; owner is the token of one browser session."""
        wanted = (status,) if isinstance(status, str) else tuple(status or ())
        where, values = _filters(kind=kind, owner=owner, status=wanted)
        values += [min(max(limit, 0), MAX_LISTED), max(offset, 0)]
        with self.database.read() as connection:
            rows = connection.execute(
                f"SELECT * FROM runs WHERE {where} ORDER BY number DESC LIMIT ? OFFSET ?", values
            ).fetchall()
        return [read_run(row) for row in rows]

    def rename(self, run_id: str, title: str) -> None:
        """Give a run another title."""
        self._change(run_id, "UPDATE runs SET title = ? WHERE id = ?", clean_text(title, MAX_TITLE))

    def delete_run(self, run_id: str) -> None:
        """Remove a run with all that belongs to it; one that works must be stopped first."""
        with self.database.write() as connection:
            status = _status(connection, run_id)
            if status in ("running", "paused"):
                raise StoreError(f"run {run_id} is {status}; stop it before you delete it")
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))

    def requeue(self, run_id: str, queue: bool = True) -> None:
        """Let a cancelled, failed or interrupted run go on: finished units stay, the rest is new.

        With queue=False it is only made ready for `jobs.run_job` in this process.
        """
        with self.database.write() as connection:
            row = connection.execute("SELECT * FROM runs WHERE id = ?", (run_id,)).fetchone()
            if row is None:
                raise _unknown(run_id)
            if not (run := read_run(row)).resumable:
                state = "imported" if run.imported else run.status
                raise StoreError(f"run {run_id} is {state} and cannot go on; start a new one")
            connection.execute("DELETE FROM events WHERE run_id = ?", (run_id,))
            connection.execute("DELETE FROM results WHERE run_id = ?", (run_id,))
            connection.execute(
                "DELETE FROM units WHERE run_id = ? AND status = 'failed'", (run_id,)
            )
            connection.execute(
                "UPDATE runs SET status = ?, wanted = 'run', steps = 0, done = 0, total = 0,"
                " message = '', eta = NULL, error = '', started = NULL, finished = NULL,"
                " seconds = 0, worker = NULL,"
                " place = (SELECT coalesce(max(place), 0) + 1 FROM runs) WHERE id = ?",
                ("queued" if queue else "interrupted", run_id),
            )

    def set_control(self, run_id: str, wanted: str) -> None:
        """Ask a run to pause, go on (run), do one step, or stop. Too late is no error."""
        if wanted not in CONTROLS:
            raise StoreError(f"control must be one of {', '.join(CONTROLS)}, got {wanted!r}")
        # A stop is final: a late click on Run or Pause does not take it back.
        live = "id = ? AND wanted != 'stop' AND status IN ('queued', 'running', 'paused')"
        change = {
            "run": "wanted = 'run', steps = 0",
            "pause": "wanted = 'pause', steps = 0",
            "step": "wanted = 'pause', steps = steps + 1",
            "stop": "wanted = 'stop'",
        }[wanted]
        with self.database.write() as connection:
            status = _status(connection, run_id)
            connection.execute(f"UPDATE runs SET {change} WHERE {live}", (run_id,))
            if wanted == "stop" and status == "queued":
                connection.execute(
                    "UPDATE runs SET status = 'cancelled', finished = ? WHERE id = ?",
                    (time.time(), run_id),
                )

    # Events, results, units

    def append_event(self, run_id: str, value: Any, epoch: int | None = None) -> None:
        """Add one event."""
        self.append_events(run_id, [(epoch, value)])

    def append_events(self, run_id: str, items: Iterable[tuple[int | None, Any]]) -> None:
        """Add (epoch, payload) pairs in one transaction."""
        rows = [(run_id, epoch, payload.to_bytes(value)) for epoch, value in items]
        with self.database.write() as connection:
            _status(connection, run_id)
            insert_events(connection, rows)

    def events(self, run_id: str, since: int = 0, limit: int = -1) -> list[Event]:
        """Events after `since` (the seq of the last one seen), oldest first."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT seq, epoch, payload FROM events WHERE run_id = ? AND seq > ?"
                " ORDER BY seq LIMIT ?",
                (run_id, since, limit),
            ).fetchall()
        return [Event(row["seq"], row["epoch"], payload.from_bytes(row["payload"])) for row in rows]

    def put_result(self, run_id: str, key: str, value: Any) -> None:
        """Keep a result under a key; on the disk when this returns."""
        blob = payload.to_bytes(value)
        with self.database.write(durable=True) as connection:
            _status(connection, run_id)
            connection.execute(
                "INSERT OR REPLACE INTO results (run_id, key, payload) VALUES (?, ?, ?)",
                (run_id, key, blob),
            )

    def get_result(self, run_id: str, key: str, default: Any = None) -> Any:
        """A kept result, or the default."""
        with self.database.read() as connection:
            row = connection.execute(
                "SELECT payload FROM results WHERE run_id = ? AND key = ?", (run_id, key)
            ).fetchone()
        return default if row is None else payload.from_bytes(row["payload"])

    def result_keys(self, run_id: str) -> list[str]:
        """The keys under which a run has results."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT key FROM results WHERE run_id = ? ORDER BY rowid", (run_id,)
            ).fetchall()
        return [row["key"] for row in rows]

    def put_unit(
        self,
        run_id: str,
        key: str,
        value: Any = None,
        seconds: float = 0.0,
        status: str = "done",
        reason: str = "",
    ) -> None:
        """Keep one unit of work, done or failed with its reason; on the disk when this returns."""
        row = (run_id, key, status, float(seconds), clean_text(reason), payload.to_bytes(value))
        with self.database.write(durable=True) as connection:
            _status(connection, run_id)
            connection.execute(
                "INSERT OR REPLACE INTO units (run_id, key, status, seconds, reason, payload)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )

    def units(self, run_id: str, status: str | None = None) -> list[Unit]:
        """Units of a run in the order in which they were written."""
        where, values = _filters(run_id=run_id, status=(status,) if status else ())
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT key, status, seconds, reason, payload FROM units"
                f" WHERE {where} ORDER BY rowid",
                values,
            ).fetchall()
        return [Unit(*row[:4], payload.from_bytes(row["payload"])) for row in rows]

    def finished_unit_keys(self, run_id: str) -> set[str]:
        """Keys of the units that need not be done again."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT key FROM units WHERE run_id = ? AND status = 'done'", (run_id,)
            ).fetchall()
        return {row["key"] for row in rows}

    # Uploads

    def save_upload(self, data: bytes, meta: dict) -> str:
        """Keep a file (meta: name, target, positive); returns its id."""
        return uploads.save(self.home, data, meta)

    def open_upload(self, upload_id: str) -> uploads.Upload:
        """A kept file: .meta, .path, .read()."""
        return uploads.find(self.home, upload_id)

    def delete_upload(self, upload_id: str) -> None:
        """Forget a kept file."""
        uploads.delete(self.home, upload_id)

    def clear_uploads(self, older_than: float = uploads.UNUSED_SECONDS) -> int:
        """Forget old files that no run names; returns how many there were."""
        query = "SELECT settings FROM runs WHERE settings LIKE '%upload:%'"
        with self.database.read() as connection:
            texts = [row["settings"] for row in connection.execute(query)]
        used = {name for text in texts for name in uploads.UPLOAD_ID.findall(text)}
        return uploads.clear(self.home, used, older_than)

    def close(self) -> None:
        """Close the connections; the store opens new ones when it is used again."""
        self.database.close()

    def _change(self, run_id: str, statement: str, *values: Any) -> None:
        with self.database.write() as connection:
            _status(connection, run_id)
            connection.execute(statement, (*values, run_id))


def insert_events(connection: sqlite3.Connection, rows: list[tuple]) -> None:
    """Rows of (run id, epoch, encoded payload), inside the caller's transaction."""
    connection.executemany("INSERT INTO events (run_id, epoch, payload) VALUES (?, ?, ?)", rows)


def _filters(**columns: Any) -> tuple[str, list]:
    """SQL condition and its values; None and () do not filter."""
    conditions, values = ["1"], []
    for column, wanted in columns.items():
        if wanted is None or wanted == ():
            continue
        several = wanted if isinstance(wanted, tuple) else (wanted,)
        conditions.append(f"{column} IN ({', '.join('?' * len(several))})")
        values += several
    return " AND ".join(conditions), values


def _status(connection: sqlite3.Connection, run_id: str) -> str:
    row = connection.execute("SELECT status FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None:
        raise _unknown(run_id)
    return row["status"]


def _unknown(run_id: object) -> UnknownRun:
    return UnknownRun(f"there is no run {str(run_id)[:40]!r}; it may have been deleted")
