"""What the store hands out: a run, an event, a unit of work, each as it was when it was read."""

import sqlite3
from dataclasses import dataclass, fields
from typing import Any

from anyloss_core.store import payload

ACTIVE = ("queued", "running", "paused")
OVER = ("done", "cancelled", "failed", "interrupted")
RESUMABLE = ("cancelled", "failed", "interrupted")
STATE = "state"  # the key of the result with which a paused run was put away
MAX_TITLE = 200
MAX_TEXT = 2000  # messages and errors


@dataclass(frozen=True)
class Run:
    """One row of the store as it was when it was read."""

    id: str
    kind: str
    title: str
    owner: str
    settings: dict
    status: str
    wanted: str
    attempt: int
    done: float
    total: float
    message: str
    eta: float | None  # seconds left, by the job's own estimate
    created: float  # wall clock, for display only
    started: float | None
    finished: float | None
    seconds: float  # of the last attempt, by the monotonic clock
    error: str
    imported: bool  # came in a bundle from elsewhere
    damaged: bool = False  # its settings cannot be read; they are shown as none

    @property
    def active(self) -> bool:
        """Whether it waits, works or pauses."""
        return self.status in ACTIVE

    @property
    def resumable(self) -> bool:
        """Whether `requeue` would take it."""
        return self.status in RESUMABLE and not self.imported and not self.damaged

    @property
    def share(self) -> float:
        """Progress from 0 to 1."""
        if self.status == "done":
            return 1.0
        return min(max(self.done / self.total, 0.0), 1.0) if self.total > 0 else 0.0


@dataclass(frozen=True)
class StoredEvent:
    """One thing that a job reported; seq grows over the whole store."""

    seq: int
    epoch: int | None
    payload: Any


@dataclass(frozen=True)
class Unit:
    """One finished piece of a benchmark, or the reason why it failed."""

    key: str
    status: str  # done | failed
    seconds: float
    reason: str
    payload: Any


def read_run(row: sqlite3.Row) -> Run:
    """A row of the table as a Run; one whose settings cannot be read hides no other."""
    settings = _read_settings(row["settings"])
    names = [field.name for field in fields(Run) if field.name != "damaged"]
    values = {name: row[name] for name in names} | {"imported": bool(row["imported"])}
    return Run(**values | {"settings": settings or {}, "damaged": settings is None})


def read_unit(row: sqlite3.Row) -> Unit:
    """A row of the table as a Unit; one that cannot be read is a failed one, to be done again."""
    key, status, seconds, reason, blob = row
    try:
        return Unit(key, status, seconds, reason, payload.from_bytes(blob))
    except payload.PayloadError as fault:
        return Unit(key, "failed", seconds, str(fault), None)


def _read_settings(text: str) -> dict | None:
    try:
        settings = payload.from_text(text)
    except payload.PayloadError:
        return None
    return settings if isinstance(settings, dict) else None


def clean_text(text: object, limit: int = MAX_TEXT) -> str:
    """Text that SQLite can hold: no lone surrogates, no NUL, not endless."""
    kept = str(text)[:limit].replace("\0", "")
    return kept.encode("utf-8", "replace").decode()
