"""What one of our processes hands to another: plain values as JSON, tables and bytes as files.

A table travels as an Arrow file that the receiver only maps: nothing is parsed, nothing unpickled.
Tuples arrive as lists. Keys may be names from a file: one that begins like a mark of ours is
written with one more sign before it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

FRAME, BYTES, ESCAPE = "$frame", "$bytes", "$key:"


def put(value: Any, folder: Path) -> Any:
    """A value as JSON can hold it; its tables and bytes are written to new files of `folder`."""
    if isinstance(value, dict):
        return {_escaped(key): put(item, folder) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [put(item, folder) for item in value]
    if isinstance(value, bytes):
        path = _new_file(folder)
        path.write_bytes(value)
        return {BYTES: path.name}
    if type(value).__name__ == "DataFrame":  # by its name, to spare the slow import
        path = _new_file(folder)
        _write_frame(value, path)
        return {FRAME: path.name}
    return value


def take(packed: Any, folder: Path) -> Any:
    """Inverse of `put`."""
    if isinstance(packed, list):
        return [take(item, folder) for item in packed]
    if not isinstance(packed, dict):
        return packed
    if BYTES in packed:
        return (folder / Path(packed[BYTES]).name).read_bytes()
    if FRAME in packed:
        return _read_frame(folder / Path(packed[FRAME]).name)
    return {key.removeprefix(ESCAPE): take(item, folder) for key, item in packed.items()}


def _escaped(key: Any) -> Any:
    return f"{ESCAPE}{key}" if str(key).startswith((ESCAPE, FRAME, BYTES)) else key


def _new_file(folder: Path) -> Path:
    return folder / f"{sum(1 for _ in folder.iterdir())}.part"


def _write_frame(frame: pd.DataFrame, path: Path) -> None:
    import pyarrow as pa

    table = pa.Table.from_pandas(frame, preserve_index=False)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def _read_frame(path: Path) -> pd.DataFrame:
    import pyarrow as pa

    with pa.memory_map(str(path)) as file:
        frame = pa.ipc.open_file(file).read_all().to_pandas()
    return frame.copy()  # one block a type, and no part of a file that is about to go
