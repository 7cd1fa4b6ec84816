"""Space that is kept free for the day on which the disk is full: deleting needs some, too.

SQLite writes a log before it frees anything, and cannot open at all without room for a small
index. A file of random bytes (zeros would take no room on a disk that compresses) holds the place
of both; whoever meets a full disk releases it, and it is made again when there is plenty.
"""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from anyloss_core.store.database import StoreUnavailable, private_file

FILE_NAME = "reserve"
BYTES = 4_000_000  # the log of deleting the largest training takes less than 1 MB
PLENTY = 16 * BYTES  # free space from which on it is taken

T = TypeVar("T")


def keep(home: Path) -> None:
    """Make the reserve, if there is none and the disk has plenty of space."""
    path = home / FILE_NAME
    with suppress(OSError):  # without it the store works as well, until the disk is full
        if not path.exists() and shutil.disk_usage(home).free > PLENTY:
            private_file(path).write_bytes(os.urandom(BYTES))


def release(home: Path) -> bool:
    """Give the space back; whether there was any."""
    try:
        (home / FILE_NAME).unlink()
    except OSError:
        return False
    return True


def despite_full_disk(home: Path, work: Callable[[], T]) -> T:
    """Do what has to work on a full disk, too: at the cost of the reserve."""
    try:
        return work()
    except StoreUnavailable:
        if not release(home):
            raise
        return work()
