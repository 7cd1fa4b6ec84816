"""Bytes of a text file as UTF-8: byte-order marks, UTF-16 and the Windows code page.

UTF-8 is assumed where it is valid throughout; anything else without a mark is read as cp1252, which
maps nearly every byte to a letter, so files that are no text at all are refused first.
"""

import codecs
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.sources import CHUNK, IN_MEMORY

MARKS = {  # longest first: the mark of UTF-32 begins like that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
PROBE = 4096  # bytes looked at for the encoding
CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\v\x1a\x1b")
CONTROL_SHARE = 0.05  # text holds next to no control characters, random bytes 11 %
CONTROLS_FORGIVEN = 8
HALF_EMPTY = 0.3  # share of zero bytes on one side of each pair in UTF-16 without a mark


@contextmanager
def as_utf8(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """The same text as UTF-8 without a byte-order mark, at its beginning."""
    encoding = _encoding(file)
    if encoding == "utf-8":
        file.seek(0)
        yield file
        return
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as copy:
        for text in _decoded(file, encoding):
            copy.write(text.encode("utf-8", "replace"))
        copy.seek(0)
        yield copy


def _encoding(file: IO[bytes]) -> str:
    head = file.read(PROBE)
    for mark, encoding in MARKS.items():
        if head.startswith(mark):
            return encoding
    if (wide := _unmarked_utf16(head)) is not None:
        return wide
    return "utf-8" if _is_clean_utf8(file) else "cp1252"


def _unmarked_utf16(head: bytes) -> str | None:
    """Every second byte of European text in UTF-16 is zero."""
    if len(head) < 4:
        return None
    first, second = head[::2].count(0) / len(head[::2]), head[1::2].count(0) / len(head[1::2])
    if second > HALF_EMPTY and first < 0.01:
        return "utf-16-le"
    return "utf-16-be" if first > HALF_EMPTY and second < 0.01 else None


def _is_clean_utf8(file: IO[bytes]) -> bool:
    """False where UTF-8 breaks; refuses binary files on the way."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    valid = True
    file.seek(0)
    while chunk := file.read(CHUNK):
        _check_text(chunk)
        try:
            valid and decoder.decode(chunk)
        except UnicodeDecodeError:
            valid = False
    return valid and not decoder.getstate()[0]


def _check_text(chunk: bytes) -> None:
    controls = sum(chunk[:PROBE].count(code) for code in CONTROLS)
    if b"\0" in chunk or controls > CONTROL_SHARE * min(len(chunk), PROBE) + CONTROLS_FORGIVEN:
        raise _binary()


def _decoded(file: IO[bytes], encoding: str) -> Iterator[str]:
    file.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    while chunk := file.read(CHUNK):
        text = decoder.decode(chunk)
        if "\0" in text:
            raise _binary()
        yield text
    yield decoder.decode(b"", final=True)


def _binary() -> DataError:
    return DataError(
        "The file is no text table: it holds binary data.",
        "Choose a CSV, TSV, Excel (.xlsx) or Parquet file.",
    )
