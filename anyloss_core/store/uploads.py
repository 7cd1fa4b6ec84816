"""Files that users brought: one folder each, under a random id, readable by this user alone.

The name that the browser sent is kept as text beside the data and never becomes a path.
"""

import json
import re
import secrets
import shutil
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from anyloss_core.store.database import StoreError, StoreUnavailable, private_file, private_folder

FOLDER = "uploads"
UPLOAD_ID = re.compile(r"[0-9a-f]{32}")
UNUSED_SECONDS = 7 * 24 * 3600.0  # a file that no run names is kept this long


@dataclass(frozen=True)
class Upload:
    """A kept file and what is known about it."""

    id: str
    path: Path
    meta: dict

    def read(self) -> bytes:
        """The bytes of the file."""
        return self.path.read_bytes()


def save(home: Path, data: bytes, meta: dict) -> str:
    """Write data and meta under a new id; a file is there whole or not at all."""
    upload_id = secrets.token_hex(16)
    folder = private_folder(home / FOLDER)
    unfinished = private_folder(folder / f"{upload_id}.part")
    try:
        _write(unfinished / "data", data)
        _write(unfinished / "meta.json", json.dumps(meta).encode())
        unfinished.rename(folder / upload_id)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise StoreUnavailable(f"the file could not be kept: {error.strerror}") from error
    return upload_id


def find(home: Path, upload_id: str) -> Upload:
    """The file with this id."""
    folder = _folder(home, upload_id)
    try:
        meta = json.loads((folder / "meta.json").read_bytes())
    except OSError as error:
        raise _unknown(upload_id) from error
    return Upload(upload_id, folder / "data", meta)


def delete(home: Path, upload_id: str) -> None:
    """Remove the file with this id, if it is there."""
    shutil.rmtree(_folder(home, upload_id), ignore_errors=True)


def clear(home: Path, used: Collection[str], older_than: float) -> int:
    """Remove files that are old and not used; returns how many."""
    unused = [path for path in (home / FOLDER).glob("*") if path.name not in used]
    old = [path for path in unused if time.time() - path.stat().st_mtime > older_than]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return len(old)


def _folder(home: Path, upload_id: str) -> Path:
    if not (isinstance(upload_id, str) and UPLOAD_ID.fullmatch(upload_id)):
        raise _unknown(upload_id)
    return home / FOLDER / upload_id


def _unknown(upload_id: object) -> StoreError:
    return StoreError(f"there is no upload {str(upload_id)[:40]!r}; upload the file again")


def _write(path: Path, data: bytes) -> None:
    private_file(path).write_bytes(data)
