"""The SQLite file under the store: where it lives, its tables, its transactions, its faults.

One setting, the environment variable ANYLOSS_HOME, says where everything is kept. Folders are
made for the user alone (0700), files too (0600). Faults of disk and locks arrive as a
StoreUnavailable with a plain sentence; a transaction is then either done or not begun.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Empty, LifoQueue

HOME_VARIABLE = "ANYLOSS_HOME"
FILE_NAME = "lab.sqlite3"
BUSY_SECONDS = 5.0  # how long a statement waits for another process's transaction
MOST_IDLE = 2  # connections kept for the next caller; each has a cache of up to 2 MB
MAX_WAL_BYTES = 8_000_000  # the write-ahead log is cut back to this when it has been applied
SCHEMA_VERSION = 2  # 2: classes, revealed, guesses
INCREMENTAL = 2  # of PRAGMA auto_vacuum: free pages are given back when they are asked for
SHRINK_PAGES = 1_000  # given back at a time, 4 MB: the log of moving pages has to fit the disk
SHRINK_WAIT = 200  # milliseconds; what is not given back now is later

SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- order of creation, whatever the clock says
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL, title TEXT NOT NULL, owner TEXT NOT NULL, settings TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN
        ('queued', 'running', 'paused', 'done', 'cancelled', 'failed', 'interrupted')),
    place INTEGER NOT NULL,                    -- order in the queue
    claimed INTEGER,                           -- order of the claims, for fairness
    worker TEXT, attempt INTEGER NOT NULL DEFAULT 0, beat INTEGER NOT NULL DEFAULT 0,
    wanted TEXT NOT NULL DEFAULT 'run' CHECK (wanted IN ('run', 'pause', 'stop')),
    steps INTEGER NOT NULL DEFAULT 0,          -- single steps granted while paused
    done REAL NOT NULL DEFAULT 0, total REAL NOT NULL DEFAULT 0,
    message TEXT NOT NULL DEFAULT '', eta REAL,
    created REAL NOT NULL, started REAL, finished REAL,
    seconds REAL NOT NULL DEFAULT 0,           -- by the monotonic clock
    error TEXT NOT NULL DEFAULT '', imported INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS runs_by_status ON runs (status, place);
CREATE INDEX IF NOT EXISTS runs_by_owner ON runs (owner, number);
CREATE INDEX IF NOT EXISTS runs_by_worker ON runs (worker);
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch INTEGER, payload BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS events_by_run ON events (run_id, seq);
CREATE TABLE IF NOT EXISTS results (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    key TEXT NOT NULL, payload BLOB NOT NULL, PRIMARY KEY (run_id, key)
);
CREATE TABLE IF NOT EXISTS units (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    key TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
    seconds REAL NOT NULL, reason TEXT NOT NULL, payload BLOB, PRIMARY KEY (run_id, key)
);
CREATE TABLE IF NOT EXISTS classes (
    code TEXT PRIMARY KEY, owner TEXT NOT NULL,
    used REAL NOT NULL                         -- when somebody guessed or revealed last
);
CREATE TABLE IF NOT EXISTS revealed (
    code TEXT NOT NULL REFERENCES classes (code) ON DELETE CASCADE,
    lesson TEXT NOT NULL, PRIMARY KEY (code, lesson)
);
CREATE TABLE IF NOT EXISTS guesses (
    code TEXT NOT NULL REFERENCES classes (code) ON DELETE CASCADE,
    lesson TEXT NOT NULL, visitor TEXT NOT NULL, guess TEXT NOT NULL,
    PRIMARY KEY (code, lesson, visitor)
);
"""


class StoreError(ValueError):
    """What the store cannot do, in a sentence for the user."""


class StoreUnavailable(StoreError):
    """The disk or a lock is in the way; the same call may work later."""


def home_folder(home: Path | str | None = None) -> Path:
    """The folder that holds everything, made for the user alone if it is not there."""
    return private_folder(home_path(home))


def home_path(home: Path | str | None = None) -> Path:
    """Where the folder that holds everything is, or would be."""
    chosen = home or os.environ.get(HOME_VARIABLE)
    if not chosen:
        from platformdirs import user_data_path

        chosen = user_data_path("anyloss-lab", appauthor=False)
    return Path(chosen).expanduser().resolve()


def private_folder(folder: Path) -> Path:
    """Create a folder with mode 0700, or set the mode of one that exists."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise StoreUnavailable(
            f"the folder {folder} cannot be used ({error.strerror}); "
            f"set {HOME_VARIABLE} to one you may write to"
        ) from error
    return folder


def private_file(path: Path) -> Path:
    """Create an empty file with mode 0600 whatever the umask, or set the mode of one."""
    path.touch(mode=0o600)
    path.chmod(0o600)
    return path


class Database:
    """Connections to one file, lent to whichever thread asks; transactions around them."""

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self.busy_seconds = busy_seconds
        self._idle: LifoQueue[sqlite3.Connection] = LifoQueue()
        with self._plain_faults():
            private_file(path)  # SQLite gives its -wal and -shm files the same mode
            self._prepare()

    def _prepare(self) -> None:
        connection = self._open()
        try:
            connection.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}")  # of a new file
            self._switch_to_wal(connection)
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise StoreError(
                    f"{self.path} was written by a newer version of the Lab; "
                    "update the Lab or choose another folder"
                )
            if version < SCHEMA_VERSION:
                connection.executescript(
                    f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
                )
            if connection.execute("PRAGMA auto_vacuum").fetchone()[0] != INCREMENTAL:
                # Earlier versions kept the space of what was deleted: the file is written anew,
                # once. Where it is locked or the disk is too full, the next start tries again.
                with suppress(sqlite3.OperationalError):
                    connection.execute("VACUUM")
        finally:
            connection.close()

    def _switch_to_wal(self, connection: sqlite3.Connection) -> None:
        # Several processes may do this at once, and SQLite does not wait here by itself.
        deadline = time.monotonic() + self.busy_seconds
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self.busy_seconds, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        # Deleting must work on a full disk: do not overwrite what is freed, keep the log short.
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute(f"PRAGMA journal_size_limit = {MAX_WAL_BYTES}")
        return connection

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection for queries."""
        with self._plain_faults():
            try:
                connection = self._idle.get_nowait()
            except Empty:
                connection = self._open()
            try:
                yield connection
            except BaseException:
                connection.close()  # rolls back; a connection after a fault is not used again
                raise
            if self._idle.qsize() < MOST_IDLE:
                self._idle.put(connection)
            else:
                connection.close()

    @contextmanager
    def write(self, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction; durable ones are on the disk, not only in its cache, when it ends."""
        with self.read() as connection:
            if durable:
                connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
            if durable:
                connection.execute("PRAGMA synchronous = NORMAL")

    def shrink(self) -> None:
        """Give the space of what was deleted back to the disk, as far as nobody is in the way."""
        with suppress(StoreUnavailable), self._plain_faults(), closing(self._open()) as connection:
            connection.execute(f"PRAGMA busy_timeout = {SHRINK_WAIT}")
            free, before = _free_pages(connection), 0
            while free != before and free > 0:
                # Not execute: Python would stop after the first page, as no column comes back.
                connection.executescript(f"PRAGMA incremental_vacuum({SHRINK_PAGES});")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                before, free = free, _free_pages(connection)

    @contextmanager
    def _plain_faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise StoreError(f"the store refused the entry: {error}") from error
        except (sqlite3.Error, OSError) as error:
            raise StoreUnavailable(describe_fault(error, self.path)) from error

    def close(self) -> None:
        """Close the idle connections."""
        with suppress(Empty):
            while True:
                self._idle.get_nowait().close()


def _free_pages(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA freelist_count").fetchone()[0]


def describe_fault(error: Exception, path: Path) -> str:
    """A fault of SQLite or of the disk as a sentence that says what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest are details of the kind
    kinds = {
        sqlite3.SQLITE_FULL: f"the disk is full: free some space for {path.parent}",
        sqlite3.SQLITE_BUSY: "the store is busy: another process has locked it; try again",
        sqlite3.SQLITE_LOCKED: "the store is busy: another process has locked it; try again",
        sqlite3.SQLITE_READONLY: f"{path} may not be written; check the rights of its folder",
        sqlite3.SQLITE_CANTOPEN: f"{path} cannot be opened; check the rights of its folder",
        sqlite3.SQLITE_NOTADB: f"{path} is not a store; move it away to begin a new one",
        sqlite3.SQLITE_CORRUPT: f"{path} is damaged; move it away to begin a new one",
        sqlite3.SQLITE_IOERR: f"the disk of {path.parent} cannot be read or written (or is full)",
    }
    if isinstance(error, OSError):
        return f"the folder {path.parent} cannot be used: {error.strerror}"
    return kinds.get(code, f"the store at {path} cannot be used: {error}")
