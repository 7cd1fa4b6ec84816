"""Cells that a spreadsheet would run as formulas, made harmless and plain again.

An apostrophe in front is what spreadsheets themselves use for 'this is text'. Every CSV that is
made for a user goes through `harmless_frame` or `harmless_csv`; our readers take the apostrophe
away with `plain`.
"""

import pandas as pd

from anyloss_core.data.cells.numbers import PLAIN

STARTERS = ("=", "+", "-", "@", "\t", "\r", "\n")  # a cell that begins so may be run


def harmless(text: str) -> str:
    """The text behind an apostrophe if a spreadsheet might run it; numbers are left alone."""
    return f"'{text}" if text.startswith(STARTERS) and not PLAIN.match(text) else text


def plain(text: str) -> str:
    """What `harmless` was given."""
    return text[1:] if text.startswith("'") and text[1:].startswith(STARTERS) else text


def harmless_csv(frame: pd.DataFrame, line_end: str = "\n") -> bytes:
    """The table as CSV, without its index, with harmless names and texts."""
    return harmless_frame(frame).to_csv(index=False, lineterminator=line_end).encode()


def harmless_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with harmless names and texts, for writing as CSV."""
    columns = [_harmless_column(frame.iloc[:, number]) for number in range(frame.shape[1])]
    made = pd.concat(columns, axis=1) if columns else frame.copy()
    made.columns = [harmless(str(name)) for name in frame.columns]  # names may repeat
    return made


def _harmless_column(column: pd.Series) -> pd.Series:
    values = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
    if values.dtype != object and values.dtype != "str":
        return column
    return column.map(lambda cell: harmless(cell) if isinstance(cell, str) else cell)
