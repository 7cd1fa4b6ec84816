"""Whether the process behind a worker's name still lives: a lock that dies with it.

The lock is an open transaction on an empty SQLite file. The operating system drops it with the
process, however it ended, on every platform; a process number could belong to another by then.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anyloss_core.store.database import private_file, private_folder

FOLDER = "workers"


@contextmanager
def alive(home: Path, worker: str) -> Iterator[None]:
    """Hold the lock of this worker."""
    path = lock_path(home, worker)
    private_folder(path.parent)
    private_file(path)
    lock = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    lock.execute("PRAGMA journal_mode = MEMORY")  # no second file beside the lock
    lock.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        lock.close()
        path.unlink(missing_ok=True)


def is_alive(home: Path, worker: str) -> bool:
    """Whether some process holds the lock of this worker."""
    path = lock_path(home, worker)
    if not path.exists():
        return False
    probe = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        probe.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return True
    finally:
        probe.close()
    return False


def lock_path(home: Path, worker: str) -> Path:
    """Where the lock of a worker lies."""
    return home / FOLDER / f"{worker}.lock"
