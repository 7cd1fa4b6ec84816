"""How much memory a table will take at most, told before it is read or while it is counted.

Numbers take little, a text that no other cell repeats takes much (Python holds it several times
while it is looked at). So all cells are counted, and the beginning and the end of the file tell
which columns are texts and how many of those differ. Measured on 13 kinds of tables, November 2026;
Parquet and Excel, whose files tell little (up to 630 times as much was taken), are counted part by
part (`Room`).
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import IO

from anyloss_core.common.memory import free_bytes, size_text
from anyloss_core.data.cells.numbers import PLAIN
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.delimited import HEAD, sniff
from anyloss_core.data.reading.sources import CHUNK, size_of

PER_BYTE = 6  # of the file: blocks, columns in the making
PER_CELL = 45  # bytes: 38 at most were seen for numbers and texts that repeat
PER_TEXT = 470  # bytes of one that differs from all others, and so many for each of its characters:
PER_CHARACTER = 10
PER_COLUMN = 25_000  # bytes: 19,000 were seen in a table of 1,900 columns and 300 rows
PER_EXCEL_CELL = 150  # 112 were seen: each is an object of Python for a while


class Room:
    """What the parts of a file need that were counted so far, against what was free before."""

    def __init__(self) -> None:
        self.free = free_bytes()
        self.needed = 0

    def add(
        self, cells: int = 0, texts: int = 0, characters: int = 0, per_cell: int = PER_CELL
    ) -> None:
        """Count cells, different texts, and the characters of these; DataError if too much."""
        self.take(per_cell * cells + PER_TEXT * texts + PER_CHARACTER * characters)

    def take(self, size: int) -> None:
        """Count bytes."""
        self.needed += size
        check_room(self.needed, self.free)


def check_room(needed: int, free: int | None = None) -> None:
    """Refuse what does not fit."""
    free = free_bytes() if free is None else free
    if needed > free:
        raise DataError(
            f"Reading this file needs about {size_text(needed)} of memory and {size_text(free)} "
            "are free.",
            "Bring fewer rows or columns, or give the machine more memory.",
        )


def needed_bytes(file: IO[bytes]) -> int:
    """An upper bound for reading a UTF-8 table and making a Dataset of it."""
    delimiter, _ = sniff(file)
    size = size_of(file)
    cells, rows = _counts(file, delimiter.encode())
    columns = list(zip_longest(*_sample(file, size, delimiter), fillvalue=""))
    texts = sum(map(_text_cost, columns))
    return int(PER_BYTE * size + PER_CELL * cells + PER_COLUMN * len(columns) + rows * texts)


def _counts(file: IO[bytes], delimiter: bytes) -> tuple[int, int]:
    """Cells and rows, at most: what stands in quotes is counted too."""
    between = rows = 0
    file.seek(0)
    while chunk := file.read(CHUNK):
        between += chunk.count(delimiter)
        rows += max(chunk.count(b"\n"), chunk.count(b"\r"))
    return between + rows + 1, rows + 1


def _sample(file: IO[bytes], size: int, delimiter: str) -> Iterator[list[str]]:
    """Rows from the beginning and the end, without the header and what is cut off."""
    file.seek(0)
    lines = file.read(HEAD).decode("utf-8", "replace").splitlines()[1:]
    if size > HEAD:
        file.seek(max(HEAD, size - HEAD))
        lines = lines[:-1] + file.read(HEAD).decode("utf-8", "replace").splitlines()[1:]
    return (line.split(None if delimiter == " " else delimiter) for line in lines)


def _text_cost(column: tuple[str, ...]) -> float:
    """Bytes per row for the texts of a column: none if all are numbers."""
    if all(PLAIN.match(cell) for cell in column if cell.strip()):
        return 0.0
    different = set(column)
    return sum(PER_TEXT + PER_CHARACTER * len(text) for text in different) / len(column)
