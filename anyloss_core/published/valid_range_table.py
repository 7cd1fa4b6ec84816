"""Table 1 again: the valid range of L per accuracy level, and the precisions the paper left out."""

from __future__ import annotations

from anyloss_core.approximation import DTYPES, valid_range
from anyloss_core.published.cells import OURS, Cell, Progress, Result, exact_cell
from anyloss_core.published.tables import load_table

TABLE = "valid_L_range"


def reproduce_valid_range(progress: Progress) -> Result:
    """Every row in float64 beside the published one, then in float32, float16 and bfloat16."""
    cells = []
    for dtype in DTYPES:
        progress(len(cells) / 48, f"valid range of L in {dtype}")
        for row in load_table(TABLE).itertuples():
            published = (row.L_min, row.L_max) if dtype == "float64" else (None, None)
            cells += _row(row.accuracy_level, dtype, published)
    return Result(cells)


def _row(level: float, dtype: str, published: tuple[float | None, float | None]) -> list[Cell]:
    shortened = valid_range(level, dtype).as_published()
    cells = []
    for name, theirs, ours in zip(("L_min", "L_max"), published, shortened, strict=True):
        place = {"table": TABLE, "dataset": f"t = {level:g}", "loss": dtype, "metric": name}
        if theirs is None:
            cells.append(Cell(**place, published=None, ours=ours, verdict=OURS))
        else:
            cells.append(exact_cell(theirs, ours, ours, **place))
    return cells
