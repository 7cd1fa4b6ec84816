"""Files that users brought: one folder each, under a random id, readable by this user alone.

The name that the browser sent is kept as text beside the data and never becomes a path.
"""

import json
import re
import secrets
import shutil
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from anyloss_core.store.database import StoreError, StoreUnavailable, private_file, private_folder

FOLDER = "uploads"
UPLOAD_ID = re.compile(r"[0-9a-f]{32}")
UNUSED_SECONDS = 7 * 24 * 3600.0  # a file that no run names is kept this long
QUOTA_BYTES = 2_000_000_000  # of the files of one owner


@dataclass(frozen=True)
class Upload:
    """A kept file and what is known about it."""

    id: str
    path: Path
    meta: dict

    @property
    def name(self) -> str:
        """What its owner called it."""
        return str(self.meta.get("name") or "table")

    @property
    def kind(self) -> str:
        """What it was brought as: a table, scores, a file of the paper."""
        return str(self.meta.get("kind") or "table")

    @property
    def used(self) -> float:
        """When it was brought or used last, seconds since 1970."""
        with suppress(OSError):  # it may be deleted meanwhile
            return self.path.parent.stat().st_mtime
        return 0.0

    @property
    def owner(self) -> str:
        """Who brought it; empty for the command line and for files of earlier versions."""
        return str(self.meta.get("owner") or "")

    def read(self) -> bytes:
        """The bytes of the file."""
        return self.path.read_bytes()


def save(home: Path, data: bytes, meta: dict, owner: str = "") -> str:
    """Write data and meta under a new id; a file is there whole or not at all.

    The files of an owner stay below a quota; the command line ('') has none.
    """
    _check_quota(home, owner, len(data))
    known = {key: value for key, value in meta.items() if key != "owner"}
    known |= {"owner": owner} if owner else {}
    upload_id = secrets.token_hex(16)
    folder = private_folder(home / FOLDER)
    unfinished = private_folder(folder / f"{upload_id}.part")
    try:
        _write(unfinished / "data", data)
        _write(unfinished / "meta.json", json.dumps(known).encode())
        unfinished.rename(folder / upload_id)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise StoreUnavailable(f"the file could not be kept: {error.strerror}") from error
    return upload_id


def find(home: Path, upload_id: str) -> Upload:
    """The file with this id."""
    folder = _folder(home, upload_id)
    try:
        meta = dict(json.loads((folder / "meta.json").read_bytes()))
    except (OSError, ValueError, TypeError) as error:
        raise _unknown(upload_id) from error
    return Upload(upload_id, folder / "data", meta)


def note(home: Path, upload_id: str, **facts: str) -> None:
    """Add to what is known about a file; it counts as just used."""
    meta = {key: value for key, value in facts.items() if key != "owner"}
    folder = _folder(home, upload_id)
    unfinished = folder / f"meta.{secrets.token_hex(4)}"
    try:
        _write(unfinished, json.dumps(find(home, upload_id).meta | meta).encode())
        unfinished.replace(folder / "meta.json")
    except OSError as error:
        raise StoreUnavailable(f"the file could not be noted: {error.strerror}") from error


def delete(home: Path, upload_id: str) -> None:
    """Remove the file with this id, if it is there."""
    shutil.rmtree(_folder(home, upload_id), ignore_errors=True)


def owned(home: Path, owner: str) -> list[Upload]:
    """The files that this owner brought."""
    folders = [path for path in (home / FOLDER).glob("*") if UPLOAD_ID.fullmatch(path.name)]
    found = []
    for folder in folders:
        with suppress(StoreError):  # deleted meanwhile, or damaged
            found.append(find(home, folder.name))
    return [upload for upload in found if upload.owner == owner]


def clear(home: Path, used: Collection[str], older_than: float) -> int:
    """Remove files that are old and not used; returns how many."""
    unused = [path for path in (home / FOLDER).glob("*") if path.name not in used]
    old = [path for path in unused if time.time() - path.stat().st_mtime > older_than]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return len(old)


def owned_bytes(home: Path, owner: str) -> int:
    """Bytes of all kept files of an owner."""
    return sum(_size(upload.path) for upload in owned(home, owner))


def _check_quota(home: Path, owner: str, size: int) -> None:
    if owner and (held := owned_bytes(home, owner)) + size > QUOTA_BYTES:
        raise StoreError(
            f"your files would take {(held + size) / 1e6:,.0f} MB, of which at most "
            f"{QUOTA_BYTES / 1e6:,.0f} MB are kept; delete some of your uploads first"
        )


def _size(path: Path) -> int:
    with suppress(OSError):  # it may be deleted meanwhile
        return path.stat().st_size
    return 0


def _folder(home: Path, upload_id: str) -> Path:
    if not (isinstance(upload_id, str) and UPLOAD_ID.fullmatch(upload_id)):
        raise _unknown(upload_id)
    return home / FOLDER / upload_id


def _unknown(upload_id: object) -> StoreError:
    return StoreError(f"there is no upload {str(upload_id)[:40]!r}; upload the file again")


def _write(path: Path, data: bytes) -> None:
    private_file(path).write_bytes(data)
