"""Typed columns to one float64 matrix: numbers as they are, dates in parts, levels as codes.

Nothing is fitted here: the code of a level is its index in the column's list of levels, -1 means
a missing cell and -2 a level that the list does not hold. New frames whose columns arrive with
another type (a category of digits read as numbers, say) are brought back to the expected one.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anyloss_core.common.text import display_names
from anyloss_core.data.cells.values import class_text, plain_column, settle_texts
from anyloss_core.data.columns import DATE_PARTS, Column
from anyloss_core.data.errors import DataError

MISSING_CODE, UNKNOWN_CODE = -1, -2


@dataclass(frozen=True)
class Field:
    """A feature column as the preparation needs it."""

    name: str
    kind: str  # 'number', 'date' or 'category'
    levels: tuple[str, ...] = ()

    @property
    def raw_names(self) -> tuple[str, ...]:
        """Names of the raw matrix columns that this field fills."""
        return (
            tuple(f"{self.name} {p}" for p in DATE_PARTS) if self.kind == "date" else (self.name,)
        )


def fields_of(columns: tuple[Column, ...]) -> tuple[Field, ...]:
    """The fields of the used columns."""
    return tuple(Field(c.name, _field_kind(c), c.levels) for c in columns if c.used)


def encode(frame: pd.DataFrame, fields: tuple[Field, ...]) -> np.ndarray:
    """Raw matrix (rows, raw columns) in the order of the fields; NaN where a number is missing."""
    if absent := [field.name for field in fields if field.name not in frame.columns]:
        raise DataError(
            f"The table lacks the columns {display_names(absent)}.",
            "It needs every column that the model was trained on, with the same names.",
        )
    width = sum(len(field.raw_names) for field in fields)
    raw = np.empty((len(frame), width), order="F")  # filled by columns
    at = 0
    for field in fields:
        for values in _encoders[field.kind](frame[field.name], field):
            raw[:, at] = values
            at += 1
    return raw


def _numbers(column: pd.Series, field: Field) -> list[np.ndarray]:
    if column.dtype.kind not in "if" or not isinstance(column.dtype, np.dtype):
        column = _settled(column)
    if column.dtype.kind not in "if":
        return [np.full(len(column), np.nan)]
    return [column.to_numpy(dtype=np.float64)]


def _date_parts(column: pd.Series, field: Field) -> list[np.ndarray]:
    if column.dtype.kind != "M":
        column = _settled(column)
    if column.dtype.kind != "M":
        return [np.full(len(column), np.nan)] * len(DATE_PARTS)
    parts = DATE_PARTS.values()
    return [getattr(column.dt, part).to_numpy(dtype=np.float64) for part in parts]


def _codes(column: pd.Series, field: Field) -> list[np.ndarray]:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        column = _as_levels(plain_column(column))
    codes = column.cat.codes.to_numpy()
    if tuple(column.cat.categories) != field.levels:
        known = {level: code for code, level in enumerate(field.levels)}
        mapped = [known.get(class_text(c), UNKNOWN_CODE) for c in column.cat.categories]
        codes = np.append(mapped, MISSING_CODE)[codes]  # code -1 picks the appended one
    return [codes]


def _as_levels(column: pd.Series) -> pd.Series:
    """A numeric or date column as a categorical of its texts."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    codes, values = pd.factorize(column)
    levels = pd.Index([class_text(value) for value in values], dtype="str")
    return pd.Series(pd.Categorical.from_codes(codes, levels))


def _settled(column: pd.Series) -> pd.Series:
    frame, _ = settle_texts({"column": plain_column(column)})
    return frame["column"]


def _field_kind(column: Column) -> str:
    if column.kind == "date":
        return "date"
    return "category" if column.levels else "number"


_encoders = {"number": _numbers, "date": _date_parts, "category": _codes}
