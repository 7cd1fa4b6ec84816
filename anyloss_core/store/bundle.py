"""A run as one JSON file, to take to another machine and open there.

It holds settings, results, units and events, never the uploaded data unless that is asked for;
without the data, the ids under which this store keeps them are left out too. A file from
anywhere is read with strict limits, checked whole before anything is written, and cannot make
the reader do more than build numbers, text, arrays and tables.
"""

import base64
import json
import re
import sqlite3
import time
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from anyloss_core.store import payload
from anyloss_core.store.payload import PayloadError
from anyloss_core.store.records import OVER, STATE, clean_text
from anyloss_core.store.rows import NotOwner, check_room, insert_rows, insert_run, kept_bytes
from anyloss_core.store.store import Store, StoreError

FORMAT = "anyloss-run"
VERSION = 1
MAX_BYTES = 200_000_000
MAX_VALUES = 5_000_000  # each takes up to 70 bytes in memory, twice while it is checked
MAX_ITEMS = 200_000  # events, units, results, each
MAX_SETTINGS = 2_000_000  # characters; every list of runs reads those of its runs
FACTS = ("name", "file", "kind", "target", "positive")  # what is taken over of a file
QUOTA_BYTES = 500_000_000  # of all imported runs of one owner, as they are kept
MAX_KEY = 500
UPLOAD_REFERENCE = re.compile(r"upload:([0-9a-f]{32})")
LEFT_OUT = "upload:left-out"
KIND = re.compile(r"[a-z_]{1,40}")

# Columns of each table beside run_id and payload, with what a bundle may hold in them.
TABLES: dict[str, dict[str, Any]] = {
    "results": {"key": str},
    "units": {"key": str, "status": ("done", "failed"), "seconds": float, "reason": str},
    "events": {"epoch": int},
}


class BundleError(StoreError):
    """A file that is not a run bundle, or one that this version does not accept."""


def export_bundle(
    store: Store, run_id: str, with_data: bool = False, owners: Collection[str] | None = None
) -> bytes:
    """The run as JSON; with_data adds the uploaded files that its settings name.

    Pages name for whom they act (`owners`): the data goes only to those who brought it.
    """
    run = store.run(run_id)
    if run.damaged:
        raise BundleError(f"the settings of run {run_id} cannot be read; delete it")
    content = {
        "format": FORMAT,
        "version": VERSION,
        "kind": run.kind,
        "title": run.title,
        "status": run.status if run.status in OVER else "interrupted",
        "seconds": run.seconds,
        "created": run.created,
        "error": run.error,
        **_read_tables(store, run_id),
    }
    if with_data:
        content["uploads"] = _read_uploads(store, json.dumps(content["settings"]), owners)
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return (text if with_data else UPLOAD_REFERENCE.sub(LEFT_OUT, text)).encode()


def import_bundle(store: Store, data: bytes, owner: str = "") -> str:
    """Check a bundle and keep it as a new run; returns its id.

    An imported run cannot be resumed: its settings have not passed the checks of a page.
    """
    if len(data) > MAX_BYTES:
        raise BundleError(
            f"the bundle has {len(data) / 1e6:.0f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read"
        )
    _check_values(data)
    try:
        content = _check(payload.parse(data))
        settings = payload.to_text(payload.unpack(content["settings"]))  # as a run of ours has them
        _expect(len(settings) <= MAX_SETTINGS, "settings", f"{len(settings):,} characters")
        files = _check_uploads(content.get("uploads", {}))
        rows = _encode_tables(content)
    except (PayloadError, RecursionError) as error:
        raise BundleError(f"this is not a run bundle: {error}") from error
    names: dict[str, str] = {}
    try:
        for old, file in files.items():
            names[old] = store.save_upload(*file, owner)
        return _write(store, content, _rename_uploads(settings, names), rows, owner)
    except StoreError:  # a quota, or a full disk
        for name in names.values():
            store.delete_upload(name)
        raise


def _check_values(data: bytes) -> None:
    """Refuse what is small as text and large as values: 30 MB of '[],' would take 2 GB."""
    values = sum(data.count(mark) for mark in (b",", b"[", b"{"))
    if values > MAX_VALUES:
        raise BundleError(
            f"the bundle holds {values:,} values; at most {MAX_VALUES:,} are read. Export a run "
            "with fewer epochs or data sets"
        )


def import_file(home: str, path: str, owner: str) -> str:
    """`import_bundle` of a file into the store under `home`: for a process beside the server."""
    store = Store(home)
    try:
        return import_bundle(store, Path(path).read_bytes(), owner)
    finally:
        store.close()


def _read_tables(store: Store, run_id: str) -> dict[str, Any]:
    with store.database.read() as connection:
        connection.execute("BEGIN")  # one moment for all tables, also of a run at work
        settings = connection.execute("SELECT settings FROM runs WHERE id = ?", (run_id,))
        tables = {"settings": json.loads(settings.fetchone()[0])}
        for name, columns in TABLES.items():
            order = "seq" if name == "events" else "rowid"
            rows = connection.execute(
                f"SELECT {', '.join(columns)}, payload FROM {name} WHERE run_id = ?"
                f" ORDER BY {order}",
                (run_id,),
            )
            tables[name] = [[*row[:-1], _plain(row[-1])] for row in rows]
        connection.execute("COMMIT")
    tables["results"] = [row for row in tables["results"] if row[0] != STATE]  # nobody goes on
    return tables


def _plain(blob: bytes) -> Any:
    """A kept value as the JSON that it is."""
    try:
        return payload.parse(zlib.decompress(blob))
    except (zlib.error, PayloadError) as error:
        raise BundleError(f"a part of the run is damaged and cannot leave: {error}") from error


def _read_uploads(store: Store, settings: str, owners: Collection[str] | None) -> dict[str, Any]:
    found = {}
    for upload_id in set(UPLOAD_REFERENCE.findall(settings)):
        upload = store.open_upload(upload_id)
        if owners is not None and upload.owner not in owners:
            raise NotOwner("the data of this run is somebody else's; export it without the data")
        data = base64.b64encode(upload.read()).decode()
        meta = {key: value for key, value in upload.meta.items() if key != "owner"}
        found[upload_id] = {"meta": meta, "data": data}
    return found


def _check(content: Any) -> dict:
    """The outer shape; what lies inside the payloads is checked when they are encoded."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BundleError("this is not a run bundle; export one from the page Runs")
    if content.get("version") != VERSION:
        raise BundleError(
            f"the bundle has version {content.get('version')!r:.20}, this Lab reads {VERSION}"
        )
    settings = payload.unpack(content.get("settings"))
    _expect(isinstance(settings, dict), "settings", settings)
    kind = content.get("kind")
    _expect(isinstance(kind, str) and KIND.fullmatch(kind), "kind", kind)
    _expect(content.get("status") in OVER, "status", content.get("status"))
    for name in ("title", "error"):
        _expect(isinstance(content.get(name), str), name, content.get(name))
    for name in ("seconds", "created"):
        _expect(_is_duration(content.get(name)), name, content.get(name))
    return content


def _expect(right: object, name: str, value: object) -> None:
    if not right:
        raise BundleError(f"the bundle's {name!r} cannot be used: {str(value)[:60]!r}")


def _is_duration(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 1e12  # not isinstance: True is none


def _encode_tables(content: dict) -> dict[str, list[tuple]]:
    """Rows ready for the tables, every payload read once to prove that it can be."""
    encoded = {}
    for name, columns in TABLES.items():
        rows: Any = content.get(name)
        _expect(isinstance(rows, list) and len(rows) <= MAX_ITEMS, name, type(rows).__name__)
        encoded[name] = [_encode_row(name, columns, row) for row in rows]
    return encoded


def _encode_row(table: str, columns: dict[str, Any], row: Any) -> tuple:
    _expect(isinstance(row, list) and len(row) == len(columns) + 1, table, row)
    for value, (name, allowed) in zip(row, columns.items(), strict=False):
        _expect(_is_allowed(value, allowed), f"{table}.{name}", value)
    value = payload.unpack(row[-1])
    cleaned = [clean_text(item, MAX_KEY) if isinstance(item, str) else item for item in row[:-1]]
    return (*cleaned, payload.to_bytes(value))


def _is_allowed(value: object, allowed: Any) -> bool:
    if allowed is str:
        return isinstance(value, str)
    if allowed is int:
        return value is None or (type(value) is int and abs(value) < 2**53)
    if allowed is float:
        return _is_duration(value)
    return value in allowed


def _check_uploads(files: Any) -> dict[str, tuple[bytes, dict]]:
    _expect(isinstance(files, dict) and len(files) <= 10, "uploads", type(files).__name__)
    checked = {}
    for name, file in files.items():
        right = isinstance(file, dict) and isinstance(file.get("meta"), dict)
        _expect(right and isinstance(file.get("data"), str), "uploads", name)
        try:
            checked[name] = (base64.b64decode(file["data"], validate=True), _texts(file["meta"]))
        except ValueError as error:
            raise BundleError("a data file inside the bundle is damaged") from error
    return checked


def _texts(meta: dict) -> dict[str, str]:
    return {
        name: clean_text(meta[name], MAX_KEY) for name in FACTS if isinstance(meta.get(name), str)
    }


def _rename_uploads(settings: str, names: dict[str, str]) -> str:
    """Settings with the ids under which this store keeps the files."""
    kept = {old: f"upload:{new}" for old, new in names.items()}
    return UPLOAD_REFERENCE.sub(lambda match: kept.get(match[1], LEFT_OUT), settings)


def _write(
    store: Store, content: dict, settings: str, rows: dict[str, list[tuple]], owner: str
) -> str:
    with store.database.write(durable=True) as connection:
        _check_quota(connection, settings, rows, owner)
        run_id = insert_run(
            connection,
            content["kind"],
            settings,
            content["title"],
            owner,
            status=content["status"],
            seconds=content["seconds"],
            created=min(content["created"], time.time()),
            finished=time.time(),
            error=clean_text(content["error"]),
            imported=1,
        )
        for name, items in rows.items():
            insert_rows(connection, name, run_id, TABLES[name], items)
    return run_id


def _check_quota(
    connection: sqlite3.Connection, settings: str, rows: dict[str, list[tuple]], owner: str
) -> None:
    """The imported runs of an owner stay below a quota; the command line ('') has none."""
    if not owner:
        return
    size = len(settings) + sum(len(row[-1]) for items in rows.values() for row in items)
    check_room(connection, owner, size)
    size += kept_bytes(connection, owner, imported=True)
    if size > QUOTA_BYTES:
        raise BundleError(
            f"your imported runs would take {size / 1e6:,.0f} MB, of which at most "
            f"{QUOTA_BYTES / 1e6:,.0f} MB are kept; delete some of them first"
        )
