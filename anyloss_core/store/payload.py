"""How a value becomes bytes and comes back: JSON all the way, arrays as base64 inside it.

The same text serves the store (compressed) and the run bundle (plain), and reading it can
build numbers, text, lists, dictionaries, NumPy arrays and tables, nothing else: there is no
pickle. Tuples come back as lists, named tuples as dictionaries, tensors as arrays.
"""

import base64
import json
import math
import re
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

COMPRESSION = 1  # zlib level: events are written while training runs, so speed comes first
SMALL = 6  # for what is written once and kept: a third less
DTYPES = re.compile(r"[<|](b1|[iu][1248]|f[248])")  # numbers and truth values; never objects
MAX_AXES = 8
# Rows of a table without columns, or of an array without numbers. They take no room in the text and
# could claim any number: settings with 2**31 of them filled the memory of the server.
MAX_EMPTY = 1_000_000


class PayloadError(ValueError):
    """A value that cannot be kept, or bytes that do not describe one."""


def to_bytes(value: Any, level: int = COMPRESSION) -> bytes:
    """The compressed form kept in the store."""
    return zlib.compress(to_text(value).encode(), level)


def from_bytes(blob: bytes) -> Any:
    """Inverse of `to_bytes`."""
    try:
        return from_text(zlib.decompress(blob).decode())
    except (zlib.error, UnicodeDecodeError) as error:
        raise PayloadError(f"the stored value is damaged: {error}") from error


def to_text(value: Any) -> str:
    """Strict JSON (no NaN tokens, ASCII only)."""
    return json.dumps(pack(value), allow_nan=False, separators=(",", ":"))


def from_text(text: str) -> Any:
    """Inverse of `to_text`; every fault of the text is a PayloadError."""
    return unpack(parse(text))


def parse(text: str | bytes) -> Any:
    """Strict JSON to plain lists and dictionaries."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise PayloadError(f"the text is not the JSON of a stored value: {error}") from error


def _refuse_constant(token: str) -> None:
    raise ValueError(f"{token} is not JSON")


def _finite(digits: str) -> float:
    # 1e999 is JSON, but the infinity that Python makes of it could not be written again.
    if not math.isfinite(number := float(digits)):
        raise ValueError(f"{digits:.40} is too large for a number")
    return number


def pack(value: Any) -> Any:
    """A value as plain JSON types; special ones become a dictionary with one key like $array."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$float": repr(float(value))}
    if isinstance(value, dict):
        return _pack_dict(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _pack_dict(value._asdict())
    if isinstance(value, list | tuple):
        return [pack(item) for item in value]
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    return _pack_foreign(value)


def _pack_dict(value: dict) -> Any:
    # A key of the caller that begins with $ would be read as one of our marks.
    if all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: pack(item) for key, item in value.items()}
    return {"$dict": [[pack(key), pack(item)] for key, item in value.items()]}


def _pack_foreign(value: Any) -> Any:
    """NumPy, torch and pandas; the last two by their names, to spare their slow import."""
    library = type(value).__module__.partition(".")[0]
    if isinstance(value, np.generic):
        return pack(value.item())
    if isinstance(value, np.ndarray):
        return {"$array": _pack_array(value)}
    if library == "torch" and hasattr(value, "detach"):
        return {"$array": _pack_array(value.detach().cpu().numpy())}
    if library == "pandas" and type(value).__name__ == "DataFrame":
        return {"$frame": _pack_frame(value)}
    raise PayloadError(
        f"a {type(value).__name__} cannot be stored; "
        "turn it into numbers, text, lists, dictionaries, arrays or a table first"
    )


def _pack_array(array: np.ndarray) -> list:
    """[dtype, shape, data]; text arrays keep their data as a list."""
    if array.dtype.kind in "UOT":
        texts = array.ravel().tolist()
        if not all(isinstance(text, str) for text in texts):
            raise PayloadError("an array of objects cannot be stored; use numbers or text")
        return ["str", list(array.shape), texts]
    dtype = array.dtype.newbyteorder("<")
    if not DTYPES.fullmatch(dtype.str):
        raise PayloadError(f"an array of {array.dtype} cannot be stored; use numbers or text")
    data = array.astype(dtype, order="C", copy=False).tobytes()
    return [dtype.str, list(array.shape), base64.b64encode(data).decode()]


def _pack_frame(frame: Any) -> dict:
    """Columns side by side; a plain 0..n-1 index is left out."""
    if frame.columns.nlevels > 1:
        raise PayloadError("a table with several header rows cannot be stored; join them into one")
    packed = {
        "columns": pack(frame.columns.tolist()),
        "data": [_pack_column(frame.iloc[:, n]) for n in range(frame.shape[1])],
        "rows": len(frame),
    }
    plain = type(frame.index).__name__ == "RangeIndex" and frame.index.equals(
        type(frame.index)(len(frame))
    )
    if not plain:
        levels = [frame.index.get_level_values(n).to_series() for n in range(frame.index.nlevels)]
        packed["index"] = [_pack_column(level) for level in levels]
        packed["names"] = pack(list(frame.index.names))
    return packed


def _pack_column(column: Any) -> list:
    """[type, values]: numbers as an array, anything of text as a list with None for missing."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf":
        return ["array", _pack_array(column.to_numpy())]
    if str(column.dtype) not in ("str", "string", "object", "category"):
        raise PayloadError(
            f"column {column.name!r} of type {column.dtype} cannot be stored; "
            "turn it into numbers or text"
        )
    kind = "object" if str(column.dtype) == "object" else "str"
    missing = column.isna().tolist()
    values = [
        None if gone else pack(item)
        for item, gone in zip(column.astype(object).tolist(), missing, strict=True)
    ]
    return [kind, values]


def unpack(packed: Any) -> Any:
    """Inverse of `pack` for JSON from anywhere; a wrong shape is a PayloadError."""
    try:
        return _unpack(packed)
    except PayloadError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError) as error:
        raise PayloadError(f"not the description of a stored value: {error}") from error


def _unpack(packed: Any) -> Any:
    if isinstance(packed, list):
        return [_unpack(item) for item in packed]
    if not isinstance(packed, dict):
        return packed
    if len(packed) == 1:
        ((mark, content),) = packed.items()
        if mark.startswith("$"):
            return _reader(mark)(content)
    return {key: _unpack(item) for key, item in packed.items()}


def _reader(mark: str) -> Callable[[Any], Any]:
    readers: dict[str, Callable[[Any], Any]] = {
        "$float": _unpack_float,
        "$dict": lambda items: {_unpack(key): _unpack(item) for key, item in items},
        "$bytes": lambda text: base64.b64decode(text, validate=True),
        "$array": _unpack_array,
        "$frame": _unpack_frame,
    }
    if mark not in readers:
        raise PayloadError(f"{mark!r} is not a mark that this version knows")
    return readers[mark]


def _unpack_float(text: str) -> float:
    if text not in ("nan", "inf", "-inf"):
        raise PayloadError(f"$float holds nan, inf or -inf, got {text!r:.40}")
    return float(text)


def _unpack_array(content: list) -> np.ndarray:
    dtype, shape, data = content
    sizes = all(type(size) is int and size >= 0 for size in shape)
    if len(shape) > MAX_AXES or not sizes or _rows_of_nothing(shape) > MAX_EMPTY:
        raise PayloadError(f"not the shape of an array: {shape!r:.80}")
    if dtype == "str":
        if not all(isinstance(text, str) for text in data):
            raise PayloadError("an array of text holds something else")
        return np.array(data, dtype=object).reshape(shape)
    if not (isinstance(dtype, str) and DTYPES.fullmatch(dtype)):
        raise PayloadError(f"not the type of an array of numbers: {dtype!r:.40}")
    numbers = np.frombuffer(base64.b64decode(data, validate=True), dtype=dtype)
    return numbers.reshape(shape).copy()  # a view of the bytes would be read-only


def _rows_of_nothing(shape: list[int]) -> int:
    """How many lists an array without numbers is made of; 0 for one with numbers."""
    return math.prod(size for size in shape if size) if 0 in shape else 0


def _unpack_frame(content: dict) -> Any:
    import pandas as pd

    columns = [_unpack_column(column) for column in content["data"]]
    if not columns and content["rows"] > MAX_EMPTY:
        raise PayloadError("a table without columns has too many rows")
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(content["rows"]))
    if len(frame) != content["rows"] or any(len(column) != len(frame) for column in columns):
        raise PayloadError("the columns of a table differ in length")
    names = _unpack(content["columns"])
    if not all(name is None or isinstance(name, str | int | float) for name in names):
        raise PayloadError("a name of a column is neither text nor a number")
    frame.columns = names
    if "index" in content:
        levels = [_unpack_column(level) for level in content["index"]]
        names = _unpack(content["names"])
        if len(levels) > 1:
            frame.index = pd.MultiIndex.from_arrays(levels, names=names)
        else:
            frame.index = pd.Index(levels[0], name=names[0])
    return frame


def _unpack_column(content: list) -> Any:
    import pandas as pd

    kind, values = content
    if kind == "array":
        return pd.Series(_unpack_array(values))
    if kind not in ("str", "object"):
        raise PayloadError(f"not the type of a column: {kind!r:.40}")
    return pd.Series([_unpack(item) for item in values], dtype=kind)
