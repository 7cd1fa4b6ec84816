"""CSV and its relatives as columns of text: delimiter, header, ragged rows.

The delimiter is the one that gives the first lines the most even number of cells. Parsing is
pyarrow's, block by block, with every cell as text: nothing is guessed before all of it was seen.
"""

import csv
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv

from anyloss_core.data import limits
from anyloss_core.data.cells.numbers import PLAIN
from anyloss_core.data.cells.spreadsheet import plain
from anyloss_core.data.cells.values import ColumnBuilder
from anyloss_core.data.dataset import check_names, check_shape, check_size
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.sources import IN_MEMORY, size_of

OnRead = Callable[[float], None]
DELIMITERS = ",;\t|"
HEAD = 256 * 1024  # bytes looked at for the delimiter
LINES = 100
BLOCK = 4 * limits.MEGABYTE  # parsed at once; no single row may be longer
USUAL_COLUMNS = 64  # wider tables are opened twice
EXCEL_HINT = re.compile(rb"^\s*sep=(.)\r?\n", re.IGNORECASE)  # a line some spreadsheets write first


@dataclass(frozen=True)
class _Text:
    """An open UTF-8 file and how its cells are parted."""

    file: IO[bytes]
    delimiter: str
    start: int  # where the table begins


def read_delimited(file: IO[bytes], on_progress: OnRead | None = None) -> dict[str, pd.Series]:
    """Columns of a UTF-8 file, texts not yet read as dates or decorated numbers."""
    delimiter, start = sniff(file)
    if delimiter == " ":
        with _tabbed(file) as tabbed:
            return _read(_Text(tabbed, "\t", 0), on_progress)
    return _read(_Text(file, delimiter, start), on_progress)


def name_columns(cells: list[str]) -> tuple[list[str], bool]:
    """Column names from the first row, and whether that row is a header at all."""
    cells = [plain(cell.strip()) for cell in cells]
    if all(PLAIN.match(cell) for cell in cells) and not _counts(cells):
        return [f"column {number}" for number in range(1, len(cells) + 1)], False
    names = [cell or f"unnamed {number}" for number, cell in enumerate(cells, 1)]
    check_names(names)
    return names, True


def ragged(row: int, found: int, expected: int, others: int = 0) -> DataError:
    """The error for rows of different lengths."""
    more = f" ({others} more rows differ too)" if others else ""
    return DataError(
        f"Row {row} has {found} cells where the header has {expected}{more}.",
        "Give every row the same number of cells; put quotes around texts that hold the delimiter.",
    )


def sniff(file: IO[bytes]) -> tuple[str, int]:
    """The delimiter and where the table starts."""
    file.seek(0)
    head = file.read(HEAD)
    if hint := EXCEL_HINT.match(head):
        return hint.group(1).decode("utf-8", "replace"), hint.end()
    lines = _lines(head)
    if not lines:
        raise DataError("The file holds blank lines only.", "Choose a file with a header and rows.")
    scores = {d: _evenness(lines, d) for d in DELIMITERS}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    if len(lines) == 1 and len(head) < HEAD:  # pyarrow finds no table in a lone line
        check_shape(0, max(scores[best][1], 1))
    if scores[best] > (0, 0):
        return best, 0
    return (" " if _spaced(lines) else ","), 0


def _lines(head: bytes) -> list[str]:
    """The first lines that are not blank; the last may be cut off and is left out."""
    lines = re.split(r"\r\n|\r|\n", head.decode("utf-8", "replace"))
    whole = lines[:-1] if len(head) >= HEAD and len(lines) > 1 else lines
    return [line for line in whole if line.strip()][:LINES]


def _evenness(lines: list[str], delimiter: str) -> tuple[float, int]:
    """Share of lines with as many cells as the first, and that number; (0, 0) for one cell."""
    # Cells of 256 kB are legal; the csv module refuses beyond 128 kB unless told.
    csv.field_size_limit(HEAD + 1)
    try:
        counts = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
    except csv.Error:
        counts = [line.count(delimiter) + 1 for line in lines]
    if not counts or counts[0] < 2:
        return (0, 0)
    return (round(sum(count == counts[0] for count in counts) / len(counts), 1), counts[0])


def _spaced(lines: list[str]) -> bool:
    """True for columns parted by runs of blanks."""
    counts = {len(line.split()) for line in lines}
    return len(counts) == 1 and counts != {1} and not any('"' in line for line in lines)


@contextmanager
def _tabbed(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Runs of blanks as one tab."""
    file.seek(0)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as copy:
        for line in file:
            copy.write(b"\t".join(line.split()) + b"\n")
        copy.seek(0)
        yield copy


def _read(text: _Text, on_progress: OnRead | None) -> dict[str, pd.Series]:
    """Parse once, and once more if a column of numbers turned out to hold text further down."""
    names, builders = _parse(text, frozenset(), on_progress)
    if spoilt := frozenset(n for n, builder in enumerate(builders) if builder.spoilt):
        names, builders = _parse(text, spoilt, on_progress)
    columns = {name: builder.finish() for name, builder in zip(names, builders, strict=True)}
    pa.default_memory_pool().release_unused()  # pyarrow keeps what it freed: twice the table
    return columns


def _parse(
    text: _Text, as_text: frozenset[int], on_progress: OnRead | None
) -> tuple[list[str], list[ColumnBuilder]]:
    """Names and contents of the columns; those numbered in `as_text` are kept as texts."""
    names: list[str] = []
    builders: list[ColumnBuilder] = []
    rows, size = 0, size_of(text.file)
    for batch in _batches(text):
        skip = 0
        if not names:
            names, has_header = name_columns([column[0].as_py() for column in batch.columns])
            builders = [ColumnBuilder(number in as_text) for number in range(len(names))]
            skip = int(has_header)
        rows += batch.num_rows - skip
        check_size(rows, batch.num_columns)
        for builder, column in zip(builders, batch.columns, strict=True):
            builder.add(column[skip:])
        if on_progress:
            on_progress(min(text.file.tell() / size, 1.0))
    return names, builders


def _batches(text: _Text) -> Iterator[pa.RecordBatch]:
    """Blocks of rows, none empty; ends with an error when rows differ in length."""
    wrong: list[tuple[int, int, int]] = []
    text.file.seek(text.start)
    try:
        reader = _reader(text, wrong, USUAL_COLUMNS)
        if len(reader.schema) > USUAL_COLUMNS:
            text.file.seek(text.start)
            wrong.clear()
            reader = _reader(text, wrong, len(reader.schema))
        check_size(0, len(reader.schema))
        for batch in reader:
            if batch.num_rows and not wrong:
                yield batch
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise DataError(
            "The file cannot be read as a table.",
            f"Check the quotes and the delimiter. (The reader says: {str(error)[:200]})",
        ) from None
    if wrong:
        check_shape(1, wrong[0][2])  # under a header of one cell, that is the trouble
        raise ragged(*wrong[0], others=len(wrong) - 1)


def _reader(text: _Text, wrong: list, columns: int) -> pa_csv.CSVStreamingReader:
    """A reader of text cells that notes rows of the wrong length in `wrong`.

    The type has to be given column by column, and costs time with thousands of columns.
    """

    def note(row: pa_csv.InvalidRow) -> str:
        wrong.append((row.number or 0, row.actual_columns, row.expected_columns))
        return "skip"

    texts = {f"f{column}": pa.string() for column in range(columns)}
    return pa_csv.open_csv(
        text.file,
        read_options=pa_csv.ReadOptions(
            use_threads=False, block_size=BLOCK, autogenerate_column_names=True
        ),
        parse_options=pa_csv.ParseOptions(
            delimiter=text.delimiter, newlines_in_values=True, invalid_row_handler=note
        ),
        convert_options=pa_csv.ConvertOptions(
            column_types=texts, strings_can_be_null=False, check_utf8=False
        ),
    )


def _counts(cells: list[str]) -> bool:
    """True for 0, 1, 2 ... or 1, 2, 3 ...: names that pandas gives, not data."""
    return cells in ([str(n + first) for n in range(len(cells))] for first in (0, 1))
