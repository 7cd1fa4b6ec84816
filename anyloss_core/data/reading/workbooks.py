"""Excel and Parquet files as typed columns.

Both are parsed by libraries that were written for friendly files, so whatever they raise on a
damaged or hostile one becomes a DataError here.
"""

import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO, Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from anyloss_core.common.extras import how_to_install
from anyloss_core.common.text import display_name, display_names
from anyloss_core.data import limits
from anyloss_core.data.cells.values import arrow_column, class_text, plain_column
from anyloss_core.data.dataset import check_names, check_size
from anyloss_core.data.errors import DataError
from anyloss_core.data.limits import MEGABYTE
from anyloss_core.data.reading.delimited import name_columns, ragged
from anyloss_core.data.reading.footprint import PER_BYTE, PER_COLUMN, PER_EXCEL_CELL, Room

PANDAS_INDEX = "__index_level_"
# Cells, texts that cells share, and texts of one cell: written into it, or made by a formula.
MARK = re.compile(rb"<(?:\w+:)?(?:(c)|(si)|(is))[\s/>]|\b(t)=[\"']str[\"']")
# What stays an array of numbers; of all else each cell becomes an object, and then a text.
NUMBERS = (
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_boolean,
    pa.types.is_decimal,
    pa.types.is_timestamp,
    pa.types.is_duration,
    pa.types.is_null,
)
SHORTEST = 20  # bytes of a cell: <c r="A1"><v>1</v></c>
LONGEST_TAG = 64  # bytes kept of a piece, so that no tag is missed between two


class Sheet(NamedTuple):
    """The columns of one sheet, its name, and the names of all sheets that hold anything."""

    columns: dict[str, pd.Series]
    name: str
    names: list[str]


def read_excel(file: IO[bytes], sheet: str | None = None) -> Sheet:
    """The sheet of that name, or the first one that looks like a table."""
    with _workbook(file) as book:
        names, usual = _sheets(book)
        chosen = _chosen(names, sheet or usual)
        rows = _filled(book[chosen].iter_rows(values_only=True))
    return Sheet(_columns(rows), chosen, names)


def excel_sheets(file: IO[bytes]) -> tuple[list[str], str]:
    """The sheets that hold anything, and the one that is read unless another is asked for."""
    with _workbook(file) as book:
        return _sheets(book)


@contextmanager
def _workbook(file: IO[bytes]) -> Iterator[Any]:
    try:
        import openpyxl
    except ModuleNotFoundError:
        raise DataError(
            "Excel files need the package openpyxl.",
            f"Run {how_to_install('excel')}, or save the sheet as CSV.",
        ) from None
    try:
        _count_cells(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions that hold no data
            yield openpyxl.load_workbook(file, read_only=True, data_only=True)
    except (DataError, MemoryError):
        raise
    except Exception as error:  # hostile XML makes openpyxl raise nearly anything
        raise _damaged("Excel", error) from None


def read_parquet(file: IO[bytes]) -> dict[str, pd.Series]:
    """Columns of a Parquet file, its size checked while it is read."""
    try:
        table = _read_batches(pq.ParquetFile(file, read_dictionary=_text_columns(file)))
        names = [name for name in table.column_names if not name.startswith(PANDAS_INDEX)]
        check_names(names)
        return {name: _arrow_typed(table.column(name)) for name in names}
    except (DataError, MemoryError):
        raise
    except Exception as error:  # damaged files make pyarrow raise many types
        raise _damaged("Parquet", error) from None


def _count_cells(file: IO[bytes]) -> None:
    """Refuse a sheet that would take minutes or more memory than there is.

    Parsing its XML is slow, counting cells is not. Sheets are looked at one at a time, so the
    largest counts; the texts that cells share are kept all the while.
    """
    largest, room = 0, Room()
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            if not name.endswith(".xml"):
                continue
            cells, shared, own = _counted(archive, name)
            if max(cells, shared) > limits.EXCEL_CELLS:
                raise DataError(
                    f"The Excel file has a sheet of {max(cells, shared):,} cells or more; at most "
                    f"{limits.EXCEL_CELLS:,} are read.",
                    "Save it as CSV, which is read a hundred times as fast, or keep fewer rows.",
                )
            if texts := shared + own:
                characters = archive.getinfo(name).file_size - SHORTEST * (cells - own)
                room.add(texts=texts, characters=max(characters, 0))
            largest = max(largest, cells)
    room.add(cells=largest, per_cell=PER_EXCEL_CELL)
    file.seek(0)


def _counted(archive: zipfile.ZipFile, name: str) -> tuple[int, int, int]:
    """Cells, shared texts and other texts of a part, at most; stops when there are too many."""
    counts, rest = [0, 0, 0, 0], b""
    with archive.open(name) as part:
        while max(counts) <= limits.EXCEL_CELLS and (chunk := part.read(limits.MEGABYTE)):
            last = 0
            for found in MARK.finditer(rest + chunk):
                counts[(found.lastindex or 1) - 1] += 1
                last = found.end()
            rest = (rest + chunk)[max(last, len(rest + chunk) - LONGEST_TAG) :]
    return counts[0], counts[1], counts[2] + counts[3]


def _sheets(book: Any) -> tuple[list[str], str]:
    sizes = {sheet.title: _beginning(sheet) for sheet in book.worksheets}
    names = [name for name, (rows, _) in sizes.items() if rows]
    if not names:
        raise DataError("The Excel file holds no cells.", "Choose a file with a header and rows.")
    tables = [name for name in names if min(sizes[name]) > 1]  # no cover, no single note
    return names, (tables or names)[0]


def _beginning(sheet: Any) -> tuple[int, int]:
    """Rows with anything in them, up to two, and the cells of the longer one."""
    sheet.reset_dimensions()  # the declared size of a sheet is often wrong
    counts = (sum(cell is not None for cell in row) for row in sheet.iter_rows(values_only=True))
    first = list(islice((count for count in counts if count), 2))
    return len(first), max(first, default=0)


def _chosen(names: list[str], sheet: str) -> str:
    if sheet not in names:
        raise DataError(
            f"The Excel file has no sheet '{display_name(sheet)}' with cells.",
            f"Choose one of {display_names(names)}.",
        )
    return sheet


def _filled(sheet: Iterator[tuple]) -> list[tuple]:
    """Rows with anything in them, without the empty cells at their end."""
    rows: list[tuple] = []
    texts = 0
    for count, row in enumerate(sheet):
        width = max((number for number, cell in enumerate(row, 1) if cell is not None), default=0)
        check_size(count, width)
        texts += sum(len(cell) for cell in row if isinstance(cell, str))
        _check_texts(texts)
        if width:
            rows.append(row[:width])
    return rows


def _columns(rows: list[tuple]) -> dict[str, pd.Series]:
    width = max(len(row) for row in rows)
    header = ["" if cell is None else class_text(cell) for cell in rows[0]]
    names, has_header = name_columns(header)
    if width > len(names):
        row = next(number for number, row in enumerate(rows, 1) if len(row) > len(names))
        raise ragged(row, len(rows[row - 1]), len(names))
    body = rows[int(has_header) :]
    padded = [row + (None,) * (width - len(row)) for row in body]
    cells = zip(*padded, strict=True) if padded else [()] * len(names)
    return {n: plain_column(pd.Series(list(c))) for n, c in zip(names, cells, strict=False)}


def _read_batches(parquet: pq.ParquetFile) -> pa.Table:
    """The table, read in parts that are counted: nothing that the file says of itself is trusted.

    The metadata of a column chunk is not asked for: where it is damaged, pyarrow ends the process.
    """
    check_size(parquet.metadata.num_rows, len(parquet.schema_arrow))
    batches: list[pa.RecordBatch] = []
    rows = values = texts = 0
    room = Room()
    room.take(PER_COLUMN * len(parquet.schema_arrow))
    for batch in parquet.iter_batches():
        batch.validate(full=True)
        batches.append(batch)
        rows += batch.num_rows
        values += sum(map(_values, batch.columns))
        texts += sum(map(_text_bytes, batch.columns))
        check_size(rows, batch.num_columns)
        _check_values(values)
        _check_texts(texts)
        for column in batch.columns:
            room.add(_values(column), *_different_texts(column))
            if pa.types.is_dictionary(column.type):  # each cell gets its text for a while
                room.take(PER_BYTE * _text_bytes(column))
    return pa.Table.from_batches(batches, parquet.schema_arrow if not batches else None)


def _values(array: pa.Array) -> int:
    """Numbers and texts of a column, also those inside lists and records."""
    if pa.types.is_struct(array.type):
        return sum(map(_values, array.flatten()))
    if pa.types.is_map(array.type):  # which has no kernel for flatten
        return _values(array.keys) + _values(array.items)
    return _values(array.flatten()) if pa.types.is_nested(array.type) else len(array)


def _check_values(values: int) -> None:
    if values > limits.CELLS:  # a cell may hold a list
        raise DataError(
            f"The table has {values:,} values; at most {limits.CELLS:,} fit.",
            "Leave out the columns that hold lists.",
        )


def _check_texts(size: int) -> None:
    """Refuse what is small in the file and large in memory: a long text may be named many times."""
    if size > limits.UNPACKED_BYTES:
        raise DataError(
            f"The file unpacks to more than {size / MEGABYTE:,.0f} MB, which is too much.",
            "Keep a random part of the rows or fewer columns.",
        )


def _text_columns(file: IO[bytes]) -> list[str]:
    """Texts are read as a list of different ones and numbers of them, whatever they repeat."""
    schema = pq.read_schema(file)
    file.seek(0)
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary)
    return [field.name for field in schema if any(is_text(field.type) for is_text in texts)]


def _different_texts(column: pa.Array) -> tuple[int, int]:
    """How many different texts a column holds at most, and their bytes."""
    if any(is_number(column.type) for is_number in NUMBERS):
        return 0, 0
    if not (pa.types.is_dictionary(column.type) and _is_text(column.type.value_type)):
        return len(column), column.nbytes
    known, size = len(column.dictionary), column.dictionary.nbytes
    return (known, size) if known <= len(column) else (len(column), size * len(column) // known)


def _text_bytes(column: pa.Array) -> int:
    """Bytes that the texts of a column take when each stands for itself."""
    if not pa.types.is_dictionary(column.type):
        return column.nbytes
    lengths = pc.binary_length(column.dictionary).take(column.indices)
    return pc.sum(lengths.cast(pa.int64())).as_py() or 0


def _arrow_typed(column: pa.ChunkedArray) -> pd.Series:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _arrow_typed(column.cast(kind.value_type))
    if _is_text(kind):
        return arrow_column(column.cast(pa.string()))
    if pa.types.is_decimal(kind):
        return plain_column(column.cast(pa.float64()).to_pandas())
    return plain_column(column.to_pandas())


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _damaged(what: str, error: Exception) -> DataError:
    reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return DataError(
        f"The {what} file cannot be read: it is damaged or of an unknown version.",
        f"Save it once more, or as CSV. (The reader says: {reason})",
    )
