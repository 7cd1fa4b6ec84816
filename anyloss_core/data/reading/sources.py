"""Whatever the user hands over (path, upload, bytes) as one open, unpacked, bounded file.

Decides by content, never by the file's name, what kind of file it is, and unpacks gzip and zip
into a temporary file while counting: a zip bomb is refused long before it is unpacked.
"""

import gzip
import io
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO

from anyloss_core.common.text import display_name, display_names
from anyloss_core.data import limits
from anyloss_core.data.errors import DataError
from anyloss_core.data.limits import MEGABYTE

Source = str | Path | bytes | bytearray | memoryview | IO
IN_MEMORY = 32 * MEGABYTE  # unpacked files up to this size stay in memory
CHUNK = MEGABYTE
FOREIGN = {
    b"\xd0\xcf\x11\xe0": ("an old Excel file (.xls)", "Save it as .xlsx or CSV."),
    b"%PDF": ("a PDF", "Export the table as CSV."),
    b"\x89PNG": ("an image", "Upload the table itself as CSV."),
    b"\xff\xd8\xff": ("an image", "Upload the table itself as CSV."),
    b"BZh": ("compressed with bzip2", "Unpack it, or compress it with gzip or zip."),
    b"\xfd7zXZ": ("compressed with xz", "Unpack it, or compress it with gzip or zip."),
    b"7z\xbc\xaf": ("a 7z archive", "Unpack it, or compress it with gzip or zip."),
    b"Rar!": ("a RAR archive", "Unpack it, or compress it with gzip or zip."),
    b"\x28\xb5\x2f\xfd": ("compressed with zstd", "Unpack it, or compress it with gzip or zip."),
    b"SQLite format 3": ("a SQLite database", "Export the table as CSV."),
    b"ARROW1": ("an Arrow file", "Save it as Parquet or CSV."),
}


@contextmanager
def opened(source: Source) -> Iterator[tuple[str, IO[bytes]]]:
    """Name and seekable bytes of a source; refuses what is missing, empty or too large."""
    if isinstance(source, (str, Path)):
        with _open_path(Path(source)) as file:
            yield Path(source).name, _checked_size(file)
        return
    if isinstance(source, (bytes, bytearray, memoryview)):
        yield "table", _checked_size(io.BytesIO(source))
        return
    if not hasattr(source, "read"):
        raise DataError(
            f"A table cannot be read from a value of type {type(source).__name__}.",
            "Give a path, an open file or bytes; a DataFrame goes to dataset_from_frame.",
        )
    name = PurePath(str(getattr(source, "name", "table"))).name
    yield name, _checked_size(_seekable(source))


@contextmanager
def unpacked(file: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    """Kind ('text', 'excel', 'parquet') and bytes of the table inside `file`."""
    kind = _kind(file)
    if kind == "gzip":
        with _gunzipped(file) as inner:
            yield _inner_kind(inner), inner
    elif kind == "zip":
        with zip_archive(file) as archive, member(archive, _only_member(archive)) as inner:
            yield _inner_kind(inner), inner
    else:
        yield kind, file


def is_excel(source: Source) -> bool:
    """Whether a file is an Excel workbook, packed or not."""
    with opened(source) as (_, file):
        kind = _kind(file)
        if kind != "gzip":
            return kind == "excel"
        with _gunzipped(file) as inner:
            return _inner_kind(inner) == "excel"


@contextmanager
def zip_archive(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """A zip whose entries together stay within the limits; entries are only ever read."""
    with _damage_refused("zip"):
        archive = zipfile.ZipFile(file)
        _check_archive(archive, size_of(file))
    with archive:
        yield archive


def table_members(archive: zipfile.ZipFile) -> list[str]:
    """Names of the entries that may be tables, sorted; folders and hidden files are not."""
    names = (name for name in archive.namelist() if name and not name.endswith("/"))
    return sorted(name for name in names if not _is_hidden(name))


@contextmanager
def member(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    """One entry as a seekable file."""
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as copy:
        with _damage_refused("zip"), archive.open(name) as packed:
            _copy(packed, copy, archive.getinfo(name).compress_size)
        yield _checked_size(copy)


def _copy(stream: IO[bytes] | gzip.GzipFile, copy: IO[bytes], packed_bytes: int) -> None:
    """Unpack a stream; stops at the limits."""
    written = 0
    while chunk := stream.read(CHUNK):
        written += len(chunk)
        _check_expansion(packed_bytes, written)
        copy.write(chunk)


@contextmanager
def _damage_refused(what: str) -> Iterator[None]:
    """Damaged archives make the standard library raise a dozen different types."""
    try:
        yield
    except DataError:
        raise
    except Exception as error:
        reason = "it is protected by a password" if "password" in str(error) else "it is damaged"
        raise DataError(
            f"The {what} file cannot be read: {reason}.", "Pack it once more, without a password."
        ) from None


def _open_path(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is not valid"
        raise DataError(
            f"The file '{display_name(path)}' cannot be opened: {reason}.",
            "Check the path and that it is a file you may read.",
        ) from None


def _seekable(source: IO) -> IO[bytes]:
    can_seek = hasattr(source, "seekable") and source.seekable()
    if can_seek and not isinstance(source, io.TextIOBase):
        source.seek(0)
        return source
    content = source.read()
    return io.BytesIO(content.encode() if isinstance(content, str) else content)


def _checked_size(file: IO[bytes]) -> IO[bytes]:
    size = size_of(file)
    if size == 0:
        raise DataError("The file is empty.", "Choose a file with a header and rows.")
    if size > limits.FILE_BYTES:
        raise DataError(
            f"The file has {size / MEGABYTE:,.0f} MB; at most {limits.FILE_BYTES // MEGABYTE} MB "
            "can be read.",
            "Keep a random part of the rows, or compress the file with gzip.",
        )
    return file


def size_of(file: IO[bytes]) -> int:
    """Bytes of a file, which is left at its beginning."""
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    return size


def _kind(file: IO[bytes]) -> str:
    head = file.read(16)
    file.seek(0)
    for magic, (what, repair) in FOREIGN.items():
        if head.startswith(magic):
            raise DataError(f"The file is {what}, which cannot be read here.", repair)
    if head.startswith(b"PK\x03\x04") or head.startswith(b"PK\x05\x06"):
        return _zip_kind(file)
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    return "parquet" if head.startswith(b"PAR1") else "text"


def _zip_kind(file: IO[bytes]) -> str:
    """Excel files are zips of XML."""
    with zip_archive(file) as archive:
        names = set(archive.namelist())
    file.seek(0)
    if "xl/workbook.xml" in names or "xl/_rels/workbook.xml.rels" in names:
        return "excel"
    if "content.xml" in names or "xl/workbook.bin" in names:
        raise DataError("This kind of spreadsheet cannot be read.", "Save it as .xlsx or CSV.")
    return "zip"


def _inner_kind(file: IO[bytes]) -> str:
    kind = _kind(file)
    if kind in ("zip", "gzip"):
        raise DataError("The file is packed twice.", "Unpack it once and try again.")
    return kind


@contextmanager
def _gunzipped(file: IO[bytes]) -> Iterator[IO[bytes]]:
    size = size_of(file)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as copy:
        with _damage_refused("gzip"), gzip.GzipFile(fileobj=file) as stream:
            _copy(stream, copy, size)
        yield _checked_size(copy)


def _only_member(archive: zipfile.ZipFile) -> str:
    names = table_members(archive)
    if len(names) != 1:
        what = "no file" if not names else f"{len(names)} files: {display_names(names)}"
        raise DataError(f"The zip holds {what}.", "Zip exactly one table.")
    return names[0]


def _is_hidden(name: str) -> bool:
    return name.startswith("__MACOSX/") or PurePath(name).name.startswith(".")


def _check_archive(archive: zipfile.ZipFile, packed_bytes: int) -> None:
    entries = archive.infolist()
    if len(entries) > limits.ZIP_MEMBERS:
        raise DataError(
            f"The zip holds {len(entries):,} entries; at most {limits.ZIP_MEMBERS:,} are read.",
            "Zip only the tables.",
        )
    # zipfile never reads more of an entry than its header declares, so the sum is an upper bound.
    _check_expansion(packed_bytes, sum(entry.file_size for entry in entries))


def _check_expansion(packed: int, unpacked_bytes: int) -> None:
    bomb = unpacked_bytes > max(limits.EXPANSION_FREE, limits.EXPANSION * packed)
    if bomb or unpacked_bytes > limits.UNPACKED_BYTES:
        raise DataError(
            f"The file unpacks to more than {unpacked_bytes / MEGABYTE:,.0f} MB from "
            f"{packed / MEGABYTE:,.2f} MB, which is too much.",
            "Upload a smaller table, or the plain CSV.",
        )
