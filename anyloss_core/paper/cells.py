"""One figure of the paper beside ours, and whether they agree.

A cell is 'equal' when our figure, shortened as the paper shortened its own, has the same digits;
'within noise' when it was not meant to be equal and lies within two standard deviations of our own
seeds (and never when it is far off); otherwise 'different', and then it says why. A cell without a
published figure is 'ours only'.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import pandas as pd

EQUAL, NOISE, DIFFERENT, OURS = "equal", "within noise", "different", "ours only"
MARKS = {EQUAL: "✓", NOISE: "≈", DIFFERENT: "≠", OURS: "○"}
NOISE_SPREADS = 2.0  # standard deviations of our seeds that count as noise
# Beyond this a score is different however wildly our seeds scatter: where some networks collapse,
# the spread is large because training fails, not because the figures agree.
FAR = 0.05

OnProgress = Callable[[float, str], None]  # share done (0 to 1), what is being done


class Where(NamedTuple):
    """Where a figure stands in the paper."""

    table: str
    dataset: int | str  # the paper's number of a data set, or what was taken instead
    loss: str
    metric: str


@dataclass(frozen=True)
class Cell:
    """A published figure and its recomputation."""

    table: str
    dataset: int | str
    loss: str
    metric: str
    published: float | None
    ours: float
    verdict: str
    explanation: str = ""
    spread: float | None = None  # standard deviation over our seeds or folds, where there is one

    @property
    def equal(self) -> bool | None:
        """Whether the digits agree; None where the paper has no figure."""
        return None if self.published is None else self.verdict == EQUAL

    @property
    def difference(self) -> float | None:
        """Ours minus published."""
        return None if self.published is None else self.ours - self.published

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON and for a table."""
        return asdict(self) | {"equal": self.equal, "difference": self.difference}


@dataclass(frozen=True)
class Result:
    """What one part of the reproduction found."""

    cells: list[Cell]
    settings: dict[str, Any] = field(default_factory=dict)
    extras: dict[str, Any] = field(default_factory=dict)  # curves and tables behind the figures
    seconds: float = 0.0


def rounded(value: float, decimals: int) -> float:
    """Rounded as printed."""
    return float(f"{value:.{decimals}f}")


def cut(value: float, decimals: int) -> float:
    """Digits after `decimals` thrown away, as in the paper's table of resampling."""
    # A mean that ought to be 0.987 may be stored a hair below it.
    return math.floor(value * 10**decimals + 1e-9) / 10**decimals


def exact_cell(
    where: Where, published: float, ours: float, shortened: float, explanation: str = ""
) -> Cell:
    """A cell that should have the published digits; the explanation is for when it has not."""
    if math.isclose(shortened, published, abs_tol=1e-12):
        return Cell(*where, published, ours, EQUAL)
    return Cell(*where, published, ours, DIFFERENT, explanation)


def noisy_cell(
    where: Where,
    published: float,
    scores: Sequence[float],
    explanation: str,
    far: float = FAR,
) -> Cell:
    """A cell that can agree only up to the spread of `scores`, ours over seeds."""
    ours = sum(scores) / len(scores)
    spread = float(pd.Series(list(scores), dtype=float).std()) if len(scores) > 1 else None
    if spread is not None and abs(ours - published) <= min(NOISE_SPREADS * spread, far):
        return Cell(*where, published, ours, NOISE, spread=spread)
    return Cell(*where, published, ours, DIFFERENT, explanation, spread)


def cell_table(cells: Iterable[Cell | dict]) -> pd.DataFrame:
    """Cells as rows: published, ours, difference, verdict, explanation."""
    names = ["table", "dataset", "loss", "metric", "published", "ours", "difference"]
    names += ["spread", "verdict", "equal", "explanation"]
    rows = [cell.to_dict() if isinstance(cell, Cell) else cell for cell in cells]
    return pd.DataFrame(rows, columns=names)


def shifted(progress: OnProgress, part: int, parts: int) -> OnProgress:
    """OnProgress of one of several equal parts, as a share of the whole."""
    return lambda share, message: progress((part + share) / parts, message)
