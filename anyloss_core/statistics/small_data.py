"""What a small table can and cannot say: how often it is split, how far its folds must spread.

With few rows of the rarer class the scores of the folds are coarse. By chance they may all agree,
so the spread gets a floor; one round of folds leaves much to the split, so it is repeated; and
below five such rows a fold a reader is warned. How well the verdicts then hold: the table of
`tests/benchmarks/verdict_calibration.py`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score

REPEATS = 5  # of ten folds; the stack trains 50 folds nearly as fast as 10
FEW = 200  # rows of the rarer class below which one round of folds leaves too much to the split
LARGE = 10_000  # rows from which five rounds are no longer cheap
PER_FOLD = 5  # rows of the rarer class that a fold should have


def usual_repeats(minority: int, rows: int) -> int:
    """Repeats of the cross-validation for a table whose rarer class has `minority` rows."""
    return REPEATS if minority < FEW and rows <= LARGE else 1


def few_rows_note(minority: int, folds: int) -> str | None:
    """What a reader must know when the folds have fewer than five rows of the rarer class."""
    if minority >= PER_FOLD * folds:
        return None
    fewer = max(2, minority // PER_FOLD)
    repair = f"use {fewer} folds or collect more" if fewer < folds else "collect more"
    return (
        f"only {minority} rows of the rarer class in {folds} folds, about {minority / folds:.1f} a "
        f"fold: one row changes a score much, and small differences cannot be seen; {repair}"
    )


def least_spread(metric: str, settings: Mapping[str, Any] | None) -> float:
    """The least standard deviation of a fold's difference: what one flipped row would change.

    A missed positive or a false alarm, whichever weighs more, in a fold that is right otherwise;
    `settings` of a comparison tell rows, positives and folds. 0 where they do not.
    """
    known = settings or {}
    rows, positives, folds = (known.get(name) for name in ("rows", "positives", "folds"))
    if not (rows and positives and folds):
        return 0.0
    p, n = max(1.0, positives / folds), max(1.0, (rows - positives) / folds)
    flipped = Counts(  # nothing, a missed positive, a false alarm
        tn=np.array([n, n, n - 1]),
        fn=np.array([0.0, 1.0, 0.0]),
        fp=np.array([0.0, 0.0, 1.0]),
        tp=np.array([p, p - 1, p]),
    )
    scores = get_score(metric)(flipped)
    change = np.abs(scores - scores[0]).max()
    return float(change) if np.isfinite(change) else 0.0
