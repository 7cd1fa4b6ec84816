"""What is kept: runs with their settings, progress, events, results and units, and uploads.

A run is known by a random id of 128 bits; who has the id may open the run, who has not cannot
guess it. Everything survives a killed process: each call is one SQLite transaction. Who works
on a run, and in which order, is the matter of `jobs.queue`.
"""

import secrets
import sqlite3
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from anyloss_core.store import payload, uploads
from anyloss_core.store.database import BUSY_SECONDS, FILE_NAME, Database, StoreError, home_folder
from anyloss_core.store.records import MAX_TITLE, Run, StoredEvent, Unit, clean_text, read_run

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
        status = "queued" if queue else "interrupted"
        text = payload.to_text(settings)
        with self.database.write() as connection:
            return insert_run(connection, kind, text, title, owner, status=status)

    def keep_finished(
        self, kind: str, settings: dict, results: Mapping[str, Any], title: str, owner: str = ""
    ) -> str:
        """A run of what was worked out elsewhere: done, with its results; returns its id."""
        blobs = {key: payload.to_bytes(value) for key, value in results.items()}
        text = payload.to_text(settings)
        with self.database.write(durable=True) as connection:
            ended = time.time()
            run_id = insert_run(connection, kind, text, title, owner, status="done", finished=ended)
            insert_rows(connection, "results", run_id, ("key",), blobs.items())
        return run_id

    def run(self, run_id: str) -> Run:
        """The run with this id; UnknownRun if there is none."""
        with self.database.read() as connection:
            return read_run(_row(connection, run_id))

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

    def delete_run(self, run_id: str) -> None:
        """Remove a run with all that belongs to it; one that works must be stopped first."""
        with self.database.write() as connection:
            status = _row(connection, run_id)["status"]
            if status in ("running", "paused"):
                raise StoreError(f"run {run_id} is {status}; stop it before you delete it")
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))

    def requeue(self, run_id: str, queue: bool = True) -> None:
        """Let a cancelled, failed or interrupted run go on: finished units stay, the rest is new.

        With queue=False it is only made ready for `jobs.run_job` in this process.
        """
        with self.database.write() as connection:
            run = read_run(_row(connection, run_id))
            if not run.resumable:
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
            status = _row(connection, run_id)["status"]
            connection.execute(f"UPDATE runs SET {change} WHERE {live}", (run_id,))
            if wanted == "stop" and status == "queued":
                connection.execute(
                    "UPDATE runs SET status = 'cancelled', finished = ? WHERE id = ?",
                    (time.time(), run_id),
                )

    # Events, results, units

    def events(self, run_id: str, since: int = 0, limit: int = -1) -> list[StoredEvent]:
        """Events after `since` (the seq of the last one seen), oldest first."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT seq, epoch, payload FROM events WHERE run_id = ? AND seq > ?"
                " ORDER BY seq LIMIT ?",
                (run_id, since, limit),
            ).fetchall()
        return [StoredEvent(seq, epoch, payload.from_bytes(blob)) for seq, epoch, blob in rows]

    def put_result(self, run_id: str, key: str, value: Any) -> None:
        """Keep a result under a key; on the disk when this returns."""
        blob = payload.to_bytes(value)
        with self.database.write(durable=True) as connection:
            _row(connection, run_id)  # no results of a run that was deleted
            insert_rows(connection, "results", run_id, ("key",), [(key, blob)], replace=True)

    def get_result(self, run_id: str, key: str, default: Any = None) -> Any:
        """A kept result, or the default."""
        with self.database.read() as connection:
            row = connection.execute(
                "SELECT payload FROM results WHERE run_id = ? AND key = ?", (run_id, key)
            ).fetchone()
        return default if row is None else payload.from_bytes(row["payload"])

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
        rows = [(key, status, float(seconds), clean_text(reason), payload.to_bytes(value))]
        with self.database.write(durable=True) as connection:
            _row(connection, run_id)  # no results of a run that was deleted
            insert_rows(
                connection, "units", run_id, ("key", "status", "seconds", "reason"), rows, True
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
        return [
            Unit(key, state, seconds, reason, payload.from_bytes(blob))
            for key, state, seconds, reason, blob in rows
        ]

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


def _filters(**columns: Any) -> tuple[str, list]:
    """SQL condition and its values; None and () do not filter."""
    conditions = ["1"]
    values: list[Any] = []
    for column, wanted in columns.items():
        if wanted is None or wanted == ():
            continue
        several = wanted if isinstance(wanted, tuple) else (wanted,)
        conditions.append(f"{column} IN ({', '.join('?' * len(several))})")
        values += several
    return " AND ".join(conditions), values


def _row(connection: sqlite3.Connection, run_id: str) -> sqlite3.Row:
    row = connection.execute("SELECT * FROM runs WHERE id = ?", (run_id,)).fetchone()
    if row is None:
        raise UnknownRun(f"there is no run {str(run_id)[:40]!r}; it may have been deleted")
    return row
