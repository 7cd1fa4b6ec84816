"""What is kept: runs with their settings, progress, events, results and units, and uploads.

A run is known by a random id of 128 bits; who has the id may open the run, who has not cannot
guess it. To steer, resume or delete it is its owner's: pages say for whom they act (`owners`); the
command line and the supervisor act for the machine. Everything survives a killed process: each
call is one SQLite transaction. Who works on a run, and in which order, is the matter of
`jobs.queue`.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from anyloss_core.store import payload, reserve, uploads
from anyloss_core.store.database import (
    BUSY_SECONDS,
    FILE_NAME,
    Database,
    StoreError,
    home_folder,
)
from anyloss_core.store.records import (
    MAX_TITLE,
    Run,
    StoredEvent,
    Unit,
    clean_text,
    read_run,
    read_unit,
)
from anyloss_core.store.rows import (
    NotOwner,
    UnknownRun,
    Working,
    cancel_idle,
    check_room,
    filters,
    find_row,
    insert_rows,
    insert_run,
)

__all__ = ["NotOwner", "Run", "Store", "StoreError", "UnknownRun", "insert_rows", "insert_run"]

CONTROLS = ("run", "pause", "step", "stop")
MAX_LISTED = 500


class Store:
    """All runs and uploads under one folder (default: ANYLOSS_HOME, or the user's data folder)."""

    def __init__(self, home: Path | str | None = None, busy_seconds: float = BUSY_SECONDS) -> None:
        self.home = home_folder(home)
        file = self.home / FILE_NAME
        self.database = reserve.despite_full_disk(self.home, lambda: Database(file, busy_seconds))
        reserve.keep(self.home)

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
        self,
        kind: str,
        settings: dict,
        results: Mapping[str, Any],
        title: str,
        owner: str = "",
        imported: bool = False,
    ) -> str:
        """A run of what was worked out elsewhere: done, with its results; returns its id."""
        blobs = {key: payload.to_bytes(value) for key, value in results.items()}
        text = payload.to_text(settings)
        with self.database.write(durable=True) as connection:
            check_room(connection, owner, len(text) + sum(map(len, blobs.values())))
            ended = time.time()
            run_id = insert_run(
                *(connection, kind, text, title, owner),
                status="done",
                finished=ended,
                imported=int(imported),
            )
            insert_rows(connection, "results", run_id, ("key",), blobs.items())
        return run_id

    def run(self, run_id: str) -> Run:
        """The run with this id; UnknownRun if there is none."""
        with self.database.read() as connection:
            return read_run(find_row(connection, run_id))

    def runs(
        self,
        kind: str | None = None,
        limit: int = 50,
        offset: int = 0,
        status: str | Iterable[str] | None = None,
        owner: str | Iterable[str] | None = None,
        imported: bool | None = None,
    ) -> list[Run]:
        """Runs, newest first; owner is the token of one browser, or several of them."""
        where, values = filters(kind=kind, owner=owner, status=status, imported=imported)
        values += [min(max(limit, 0), MAX_LISTED), max(offset, 0)]
        with self.database.read() as connection:
            rows = connection.execute(
                f"SELECT * FROM runs WHERE {where} ORDER BY number DESC LIMIT ? OFFSET ?", values
            ).fetchall()
        return [read_run(row) for row in rows]

    def count_runs(self, kind: str | None = None, owner: str | Iterable[str] | None = None) -> int:
        """How many runs `runs` would list, page by page."""
        where, values = filters(kind=kind, owner=owner)
        with self.database.read() as connection:
            found = connection.execute(f"SELECT count(*) FROM runs WHERE {where}", values)
            return found.fetchone()[0]

    def check_room(self, owner: str) -> None:
        """Refuse another run of an owner whose runs take all the room that one has."""
        with self.database.read() as connection:
            check_room(connection, owner)

    def rename_run(self, run_id: str, title: str, owners: Collection[str] | None = None) -> None:
        """Give a run another title."""
        with self.database.write() as connection:
            find_row(connection, run_id, owners)
            connection.execute(
                "UPDATE runs SET title = ? WHERE id = ?", (clean_text(title, MAX_TITLE), run_id)
            )

    def delete_run(self, run_id: str, owners: Collection[str] | None = None) -> None:
        """Remove a run with all that belongs to it; one that works must be stopped first."""
        reserve.despite_full_disk(self.home, lambda: self._delete(run_id, owners))
        self.give_back()

    def delete_runs(self, owner: str) -> int:
        """Remove all runs of an owner; returns how many are left: those at work, now stopping."""
        with self.database.read() as connection:
            rows = connection.execute("SELECT id FROM runs WHERE owner = ?", (owner,)).fetchall()
        for row in rows:
            with suppress(UnknownRun):
                reserve.despite_full_disk(self.home, partial(self._stop_or_delete, row["id"]))
        self.give_back()
        return self.count_runs(owner=owner)

    def _stop_or_delete(self, run_id: str) -> None:
        self.set_control(run_id, "stop")
        with suppress(Working):
            self._delete(run_id)

    def _delete(self, run_id: str, owners: Collection[str] | None = None) -> None:
        with self.database.write() as connection:
            status = find_row(connection, run_id, owners)["status"]
            if status in ("running", "paused"):
                raise Working(f"run {run_id} is {status}; stop it before you delete it")
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))

    def give_back(self) -> None:
        """Give the space of what was deleted back to the disk, and keep some for a full one."""
        self.database.shrink()
        reserve.keep(self.home)

    def requeue(
        self, run_id: str, queue: bool = True, owners: Collection[str] | None = None
    ) -> None:
        """Let a cancelled, failed or interrupted run go on: finished units stay, the rest is new.

        With queue=False it is only made ready for `jobs.run_job` in this process.
        """
        with self.database.write() as connection:
            run = read_run(find_row(connection, run_id, owners))
            if not run.resumable:
                state = "imported" if run.imported else "damaged" if run.damaged else run.status
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

    def set_control(self, run_id: str, wanted: str, owners: Collection[str] | None = None) -> None:
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
            find_row(connection, run_id, owners)
            connection.execute(f"UPDATE runs SET {change} WHERE {live}", (run_id,))
            if wanted == "stop":
                cancel_idle(connection, run_id)
            elif wanted != "pause":  # one that was put away waits for a worker again
                connection.execute(
                    "UPDATE runs SET status = 'queued' WHERE id = ? AND status = 'paused'"
                    " AND worker IS NULL",
                    (run_id,),
                )

    # Events, results, units

    def events(self, run_id: str, since: int = 0, limit: int = -1) -> list[StoredEvent]:
        """Events after `since` (the seq of the last one seen), oldest first; no damaged ones."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT seq, epoch, payload FROM events WHERE run_id = ? AND seq > ?"
                " ORDER BY seq LIMIT ?",
                (run_id, since, limit),
            ).fetchall()
        found = []
        for seq, epoch, blob in rows:
            with suppress(payload.PayloadError):
                found.append(StoredEvent(seq, epoch, payload.from_bytes(blob)))
        return found

    def put_result(self, run_id: str, key: str, value: Any) -> None:
        """Keep a result under a key; on the disk when this returns."""
        blob = payload.to_bytes(value)
        with self.database.write(durable=True) as connection:
            find_row(connection, run_id)  # no results of a run that was deleted
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
            find_row(connection, run_id)  # no results of a run that was deleted
            insert_rows(
                connection, "units", run_id, ("key", "status", "seconds", "reason"), rows, True
            )

    def units(self, run_id: str, status: str | None = None) -> list[Unit]:
        """Units of a run in the order in which they were written; damaged ones count as failed."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT key, status, seconds, reason, payload FROM units"
                " WHERE run_id = ? ORDER BY rowid",
                (run_id,),
            ).fetchall()
        found = [read_unit(row) for row in rows]
        return [unit for unit in found if status in (None, unit.status)]

    def finished_unit_keys(self, run_id: str) -> set[str]:
        """Keys of the units that need not be done again."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT key FROM units WHERE run_id = ? AND status = 'done'", (run_id,)
            ).fetchall()
        return {row["key"] for row in rows}

    # Uploads

    def save_upload(self, data: bytes, meta: dict, owner: str = "") -> str:
        """Keep a file (meta: name, target, positive) of an owner; returns its id."""
        return uploads.save(self.home, data, meta, owner)

    def open_upload(self, upload_id: str) -> uploads.Upload:
        """A kept file: .meta, .path, .read()."""
        return uploads.find(self.home, upload_id)

    def note_upload(self, upload_id: str, **facts: str) -> None:
        """Add to what is known about a kept file."""
        uploads.note(self.home, upload_id, **facts)

    def delete_upload(self, upload_id: str) -> None:
        """Forget a kept file."""
        uploads.delete(self.home, upload_id)

    def owned_uploads(self, owner: str) -> list[uploads.Upload]:
        """The files that this owner brought."""
        return uploads.owned(self.home, owner)

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
