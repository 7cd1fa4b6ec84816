"""Table 1 again: the valid range of L per accuracy level, and the precisions the paper left out."""

from collections.abc import Sequence

import pandas as pd

from anyloss_core.losses.approximation import DTYPES, valid_range
from anyloss_core.paper.cells import (
    DIFFERENT,
    EQUAL,
    OURS,
    Cell,
    OnProgress,
    Result,
    Where,
    exact_cell,
)
from anyloss_core.paper.tables import load_table

TABLE = "valid_L_range"


def reproduce_valid_range(progress: OnProgress) -> Result:
    """Every row in float64 beside the published one, then in float32, float16 and bfloat16."""
    cells: list[Cell] = []
    for dtype in DTYPES:
        progress(len(cells) / 48, f"valid range of L in {dtype}")
        for row in load_table(TABLE).itertuples():
            published = (row.L_min, row.L_max) if dtype == "float64" else (None, None)
            cells += _row(row.accuracy_level, dtype, published)
    return Result(cells)


def side_by_side(cells: Sequence[Cell]) -> pd.DataFrame:
    """Table 1 as it is printed, one row an accuracy level, with ours and the other precisions."""
    found: dict[str, dict[tuple[str, str], Cell]] = {}
    for cell in cells:
        found.setdefault(str(cell.dataset), {})[cell.loss, cell.metric] = cell
    return pd.DataFrame([_wide_row(level, row) for level, row in found.items()])


def _wide_row(level: str, row: dict[tuple[str, str], Cell]) -> dict[str, object]:
    low, high = row["float64", "L_min"], row["float64", "L_max"]
    others = {
        dtype: _range(row[dtype, "L_min"].ours, row[dtype, "L_max"].ours)
        for dtype in DTYPES
        if dtype != "float64"
    }
    return {
        "Accuracy level": level,
        "Published L_min": low.published,
        "Ours L_min": low.ours,
        "Published L_max": high.published,
        "Ours L_max": high.ours,
        "Difference": max((cell.difference or 0.0 for cell in (low, high)), key=abs),
        "Mark": EQUAL if low.equal and high.equal else DIFFERENT,
        **others,
    }


def _range(low: float, high: float) -> str:
    return f"{low:.2f} to {high:.2f}" if low <= high else f"none ({low:.2f} > {high:.2f})"


def _row(level: float, dtype: str, published: tuple[float | None, float | None]) -> list[Cell]:
    shortened = valid_range(level, dtype).as_published()
    cells = []
    for name, theirs, ours in zip(("L_min", "L_max"), published, shortened, strict=True):
        where = Where(TABLE, f"t = {level:g}", dtype, name)
        if theirs is None:
            cells.append(Cell(*where, None, ours, OURS))
        else:
            cells.append(exact_cell(where, theirs, ours, ours))
    return cells
