"""Any table a user has to a typed frame, and on to a Dataset.

`read_table` reads, `propose_target` (in `target`) looks, `dataset_from_frame` decides; `load_csv`
does all three at once.
"""

from collections.abc import Iterable
from pathlib import PurePath

import pandas as pd

from anyloss_core.common.text import display_name
from anyloss_core.data.cells.values import settle_texts
from anyloss_core.data.dataset import Dataset, check_shape, dataset_from_frame
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.delimited import OnRead, read_delimited
from anyloss_core.data.reading.footprint import check_room, needed_bytes
from anyloss_core.data.reading.sources import Source, opened, size_of, unpacked
from anyloss_core.data.reading.text import as_utf8
from anyloss_core.data.reading.workbooks import excel_sheets, read_excel, read_parquet
from anyloss_core.data.target import propose_target

COPIES = 6  # of a packed file, whose parts are counted while they are read
SUFFIXES = {".csv", ".tsv", ".txt", ".data", ".gz", ".zip", ".xlsx", ".parquet", ".tab"}


def load_csv(
    source: Source,
    target: str | None = None,
    positive: object = None,
    drop: Iterable[str] = (),
    on_progress: OnRead | None = None,
    sheet: str | None = None,
) -> Dataset:
    """A Dataset from CSV, TSV, Excel, Parquet, plain or in gzip or zip; or a DataError.

    Without `target` the likeliest column is taken; without `positive` the rarer class; of an Excel
    file without `sheet` the first one that holds anything.
    """
    frame = read_table(source, on_progress, sheet=sheet)
    target = propose_target(frame).target if target is None else target
    return dataset_from_frame(frame, target, positive, name=frame.attrs["name"], drop=drop)


def read_table(
    source: Source,
    on_progress: OnRead | None = None,
    least_columns: int = 2,
    sheet: str | None = None,
) -> pd.DataFrame:
    """The typed columns of a file; `attrs` hold its name, notes for the user, and its sheets.

    `on_progress` gets the share of a text file that is read, 0 to 1.
    """
    sheets: list[str] = []
    with opened(source) as (name, file), unpacked(file) as (kind, table):
        if sheet is not None and kind != "excel":
            raise DataError("Only Excel files have sheets.", "Leave the name of the sheet out.")
        if kind == "text":
            with as_utf8(table) as text:
                check_room(needed_bytes(text))
                columns = read_delimited(text, on_progress)
        else:
            check_room(COPIES * size_of(table))
            if kind == "excel":
                columns, sheet, sheets = read_excel(table, sheet)
            else:
                columns = read_parquet(table)
    check_shape(len(next(iter(columns.values()), ())), len(columns), least_columns)
    frame, notes = settle_texts(columns)
    if frame.columns[0] == "column 1":
        notes.append("The first row holds numbers only, so the columns were named by their place.")
    if len(sheets) > 1:
        notes.append(f"This is the sheet '{display_name(sheet)}', one of {len(sheets)}.")
    frame.attrs = {"name": stem(name), "notes": notes, "sheets": sheets, "sheet": sheet}
    return frame


def sheets_of(source: Source) -> tuple[list[str], str]:
    """The sheets of an Excel file, and the one that is read by itself; none of other files."""
    with opened(source) as (_, file), unpacked(file) as (kind, table):
        return excel_sheets(table) if kind == "excel" else ([], "")


def stem(name: str) -> str:
    """The file's name without the endings that say how it is stored."""
    path = PurePath(name)
    while path.suffix.lower() in SUFFIXES and path.stem:
        path = PurePath(path.stem)
    return path.name or "table"
