"""The mistakes of a loss on rows that it had not seen, the costliest first.

What a mistake costs is read from the goal: by how much the metric would rise if this row alone
were right, a missed positive or a false alarm. A comparison that repeats its folds judges a row
several times: its `regret` is that gain times the share of times it was wrong. Among rows with the
same regret those come first whose score is farthest on the wrong side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score

if TYPE_CHECKING:
    from anyloss_core.comparison.comparison import Comparison

KINDS = {1: "missed positive", 0: "false alarm"}  # by the true label
COLUMNS = ["row", "mistake", "regret", "wrong", "judged", "score", "threshold", "beyond"]


def mistakes(
    comparison: Comparison, loss: str, metric: str, threshold: float | None = None
) -> pd.DataFrame:
    """A line for every row that was wrong at least once (COLUMNS), sorted by regret.

    `row` counts from 0 in the data set; `score` is the mean over the times the row was judged.
    `threshold` is one for all folds, None are those that the loss used.
    """
    judged = _judged(comparison, loss, metric, threshold)
    rows = judged.groupby("row").agg(
        label=("label", "first"),
        wrong=("wrong", "sum"),
        judged=("wrong", "size"),
        score=("score", "mean"),
        threshold=("threshold", "mean"),
    )
    rows = rows[rows["wrong"] > 0].reset_index()
    miss, alarm = gains(_pooled(judged), metric)
    worth = np.where(rows["label"] == 1, miss, alarm)
    rows["regret"] = worth * rows["wrong"] / rows["judged"]
    rows["beyond"] = (rows["threshold"] - rows["score"]) * np.where(rows["label"] == 1, 1, -1)
    rows["mistake"] = rows["label"].map(KINDS)
    found = rows.sort_values(["regret", "beyond"], ascending=False, kind="stable")
    return found[COLUMNS].reset_index(drop=True)


def gains(counts: Counts[float], metric: str) -> tuple[float, float]:
    """By how much the metric rises if one missed positive, or one false alarm, were right."""
    tn, fn, fp, tp = counts
    changed = Counts(
        tn=np.array([tn, tn, tn + 1]),
        fn=np.array([fn, max(fn - 1, 0), fn]),
        fp=np.array([fp, fp, max(fp - 1, 0)]),
        tp=np.array([tp, tp + 1, tp]),
    )
    values = np.asarray(get_score(metric)(changed))
    miss, alarm = values[1:] - values[0]
    return float(miss), float(alarm)


def _judged(
    comparison: Comparison, loss: str, metric: str, threshold: float | None
) -> pd.DataFrame:
    """Every judgement of a row: row, label, score, threshold, wrong."""
    table = comparison.probabilities[["row", "fold", "label", loss]]
    table = table[np.isfinite(table[loss].to_numpy(np.float64))].rename(columns={loss: "score"})
    used = comparison.confusion_for(metric)
    own = used[used["loss"] == loss].set_index("fold")["threshold"]
    cut = table["fold"].map(own) if threshold is None else threshold
    table = table.assign(threshold=cut)
    return table.assign(wrong=(table["score"] > table["threshold"]) != (table["label"] == 1))


def _pooled(judged: pd.DataFrame) -> Counts[float]:
    """Counts of all rows, each as often as it was judged on average."""
    positive, wrong = judged["label"] == 1, judged["wrong"]
    each = len(judged) / max(judged["row"].nunique(), 1)
    cells = (~positive & ~wrong, positive & wrong, ~positive & wrong, positive & ~wrong)
    return Counts(*(float(cell.sum()) / each for cell in cells))
