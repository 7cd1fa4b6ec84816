"""One model at any threshold, and among any share of positives.

The held-out rows of a comparison say what a model does at every threshold (`look_at`). Where
positives are rarer or more frequent than in the table, the rates within each class stay what they
are, TPR and FPR, and the classes count as much as they will be there (`at_share`): precision,
alarms, costs and every metric follow. That the positives themselves look the same is assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anyloss_core.comparison.thresholds import INNER, counts_above
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score
from anyloss_core.statistics.goal import PER, Goal, parse_goal

if TYPE_CHECKING:
    from anyloss_core.comparison.results import Comparison

STEPS = np.linspace(0.0, 1.0, 101)
# In percent: what a slider of the share of positives stops at.
SHARES = (
    *(0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0),
    *(12.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 60.0, 70.0, 80.0, 90.0),
)
OF_ONE_CLASS = {"recall": ("tp", "fn"), "specificity": ("tn", "fp")}  # rates that no share moves


@dataclass(frozen=True)
class ThresholdView:
    """What one loss does with the held-out rows at each of some thresholds."""

    thresholds: np.ndarray  # (T,)
    by_fold: Counts[np.ndarray]  # (folds, T), re-weighted to `share`
    share: float  # of positives
    goal: Goal

    @cached_property
    def values(self) -> np.ndarray:
        """The metric of the goal at each threshold (T,): the mean over the folds."""
        return np.asarray(get_score(self.goal.metric)(self.by_fold)).mean(0)

    @cached_property
    def pooled(self) -> Counts[np.ndarray]:
        """Counts per 1,000 rows at each threshold (T,): the folds added."""
        sums = [entry.sum(0) for entry in self.by_fold]
        return Counts(*(PER * entry / sum(sums) for entry in sums))

    @property
    def best(self) -> float:
        """The threshold with the highest metric, in hindsight: these rows have been looked at."""
        return float(self.thresholds[int(np.argmax(self.values))])

    def among(self, share: float) -> ThresholdView:
        """The same where `share` of all rows are positive: TPR and FPR stay."""
        return replace(self, by_fold=at_share(self.by_fold, share), share=share)

    def words(self, at: int) -> list[str]:
        """What the threshold of this number does, for people."""
        tn, fn, fp, tp = (float(entry[at]) for entry in self.pooled)
        name = self.goal.words[:1].upper() + self.goal.words[1:]
        found = f", {_rows(tp)} of {_rows(tp + fn)} positives found, {_rows(fn)} missed"
        alarms = f"Of 1,000 rows {_rows(tp + fp)} raise an alarm, {_rows(fp)} of them false{found}."
        rates = f"Precision {_share(tp, tp + fp)}, recall {_share(tp, tp + fn)}."
        lines = [f"{name}: {self.values[at]:.3f}", alarms, rates]
        if self.goal.kind == "cost":
            money = self.goal.money(Counts(tn, fn, fp, tp))
            lines[0] = f"{name}: {money:,.2f} per 1,000 rows (score {self.values[at]:.3f})"
        return lines

    def table(self) -> pd.DataFrame:
        """threshold, metric and the counts per 1,000 rows."""
        counts = {name: getattr(self.pooled, name) for name in Counts._fields}
        return pd.DataFrame({"threshold": self.thresholds, "metric": self.values} | counts)


def look_at(
    table: pd.DataFrame, loss: str, goal: Goal, thresholds: np.ndarray = STEPS
) -> ThresholdView:
    """A loss at each threshold; `table` is `probabilities` of a comparison."""
    counts = counts_by_fold(table, loss, thresholds)
    positives = counts.tp + counts.fn
    share = float(positives.sum() / sum(entry.sum() for entry in counts))
    return ThresholdView(thresholds, counts, share, goal)


def counts_by_fold(
    table: pd.DataFrame, loss: str, thresholds: np.ndarray = STEPS
) -> Counts[np.ndarray]:
    """Confusion counts (folds, T) if rows above a threshold are called positive."""
    known = np.isfinite(table[loss].to_numpy(np.float64))
    if not known.any():
        raise ValueError(f"{loss!r} has no finite scores; its training diverged")
    folds = [
        counts_above(rows["label"].to_numpy(), rows[loss].to_numpy(np.float64), thresholds)
        for _, rows in table[known].groupby("fold", sort=False)
    ]
    return Counts(*(np.stack(entries) for entries in zip(*folds, strict=True)))


def at_share(counts: Counts[np.ndarray], share: float) -> Counts[np.ndarray]:
    """The same rates within each class where `share` of all rows are positive; as many rows."""
    if not 0 < share < 1:
        raise ValueError(f"the share of positives lies between 0 and 1, got {share}")
    positives, negatives = counts.tp + counts.fn, counts.tn + counts.fp
    rows = positives + negatives
    more = share * rows / np.where(positives > 0, positives, 1)
    less = (1 - share) * rows / np.where(negatives > 0, negatives, 1)
    return Counts(counts.tn * less, counts.fn * more, counts.fp * less, counts.tp * more)


def reweighted(
    table: pd.DataFrame, share: float, held: str = "", names: Sequence[str] = Counts._fields
) -> pd.DataFrame:
    """A table of counts, in the columns `names`, where `share` of all rows are positive.

    A floor under the rate of one class is as sure as before: that class keeps its rows.
    """
    counts = Counts(*(table[name].to_numpy(np.float64) for name in names))
    there = at_share(counts, share)
    if held in OF_ONE_CLASS:
        before, after = (sum(getattr(c, n) for n in OF_ONE_CLASS[held]) for c in (counts, there))
        scale = before / np.where(after > 0, after, 1)
        there = Counts(*(entry * scale for entry in there))
    return table.assign(**dict(zip(names, there, strict=True)))


def comparison_among(comparison: Comparison, share: float) -> Comparison:
    """The comparison as its counts would be where `share` of all rows are positive.

    Scores, verdicts and advice follow from them; tuned thresholds are tuned for that share.
    """
    goal = comparison.settings.get("goal")
    held = parse_goal(goal).held if goal else ""
    cuts = reweighted(comparison.cuts, share, held)
    return replace(
        comparison,
        confusion=reweighted(comparison.confusion, share, held),
        cuts=reweighted(cuts, share, held, INNER),
        settings=comparison.settings
        | {"positives": share * comparison.settings["rows"], "rarer": _rarer(comparison)},
    )


def _rarer(comparison: Comparison) -> tuple[int, str]:
    """The rows of the rarer class that were looked at, wherever they may be met later."""
    positives = int(comparison.settings["positives"])
    return min((positives, "positives"), (comparison.settings["rows"] - positives, "negatives"))


def _rows(count: float) -> str:
    """Whole rows where they are many."""
    return f"{count:,.0f}" if count >= 10 else f"{count:.1f}".removesuffix(".0")


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.3f}" if whole > 0 else "none"
