"""A comparison as tables for people: mean ± sd with the best marked, differences fold by fold.

Scores of any metric, also of a typed formula, are taken from the confusion matrix of each fold;
where a threshold is tuned, from the matrix at the threshold that is best for that metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anyloss_core.common.wording import metric_words
from anyloss_core.comparison.thresholds import best_cuts
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import METRICS, Score, get_score
from anyloss_core.statistics.goal import parse_goal
from anyloss_core.statistics.verdict_sentence import fold_verdicts, metric_of, outcome

if TYPE_CHECKING:
    from anyloss_core.comparison.comparison import Comparison

BEST = "★"  # beats every other loss, decidedly where folds tell
NEAR = "≈"  # the highest mean, or one that it does not decidedly beat
EQUAL = 1e-12  # means closer than this are equal


def metric_scores(
    confusion: pd.DataFrame, metrics: Sequence[str], cuts: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Tidy loss, fold, metric, score for any metrics or formulas; `cuts` as in `tuned_for`."""
    scores = [get_score(name) for name in metrics]
    counts = tuned_counts(confusion, cuts, scores)
    values = [score(own) for score, own in zip(scores, counts, strict=True)]
    tidy = pd.concat([confusion[["loss", "fold"]]] * len(scores), ignore_index=True)
    names = pd.Series(metrics, dtype="str").repeat(len(confusion))
    return tidy.assign(metric=names.array, score=np.concatenate(values))


def tuned_for(confusion: pd.DataFrame, cuts: pd.DataFrame | None, metric: str) -> pd.DataFrame:
    """The counts of each loss and fold, those of tuned thresholds at the best one for a metric.

    `cuts` is the table of a comparison, or of several, told apart by a column `dataset`.
    """
    if cuts is None or not len(cuts):
        return confusion
    groups, own = _pairing(confusion, cuts)
    tuned, columns = own >= 0, ["threshold", *Counts._fields]
    best = best_cuts(cuts, groups, get_score(metric))[own[tuned]]
    found = confusion.copy()
    found.loc[tuned, columns] = cuts[columns].to_numpy()[best]
    return found


def tuned_counts(
    confusion: pd.DataFrame, cuts: pd.DataFrame | None, scores: Iterable[Score]
) -> Iterator[Counts[np.ndarray]]:
    """For each score the counts of every row of a table, tuned as in `tuned_for`."""
    fields = list(Counts._fields)
    counts = confusion[fields].to_numpy(np.float64).T  # (4, rows)
    if cuts is None or not len(cuts):
        yield from (Counts(*counts) for _ in scores)
        return
    groups, own = _pairing(confusion, cuts)
    tuned, at_cuts = own >= 0, cuts[fields].to_numpy(np.float64).T  # (4, cuts)
    for score in scores:
        found = counts.copy()
        found[:, tuned] = at_cuts[:, best_cuts(cuts, groups, score)[own[tuned]]]
        yield Counts(*found)


def _pairing(confusion: pd.DataFrame, cuts: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """The loss and fold of each cut as a number, and that of each row of counts; -1: not tuned."""
    keys = [name for name in ("dataset", "loss", "fold") if name in cuts]
    both = pd.concat([cuts[keys], confusion[keys]], ignore_index=True)
    numbers = both.groupby(keys, sort=False, dropna=False).ngroup().to_numpy()
    groups, own = numbers[: len(cuts)], numbers[len(cuts) :]
    return groups, np.where(own <= groups.max(), own, -1)  # numbered as they appear, cuts first


def all_scores(comparison: Comparison, *further: str | None) -> pd.DataFrame:
    """Tidy scores of the named metrics, the goal, the formulas that losses aim at, and more."""
    aims = [metric_of(loss) for loss in comparison.seconds]
    goal = comparison.settings.get("goal")
    wanted = [] if goal is None else [parse_goal(goal).metric]
    wanted += [metric for metric in further if metric is not None]
    metrics = dict.fromkeys([*METRICS, *wanted, *filter(None, aims)])
    return comparison.scores_of(list(metrics))


def method_words(comparison: Comparison, metric: str | None = None) -> str:
    """What methods around BCE did: which threshold, tuned for one metric or for each its own, and
    which form of SMOTE; '' where there is nothing to tell."""
    aim = metric_words(metric) if metric else "the metric of each column"
    tuned = f"Tuned thresholds are tuned for {aim}, on inner folds of the training rows."
    trained = comparison.settings.get("trained", {}).values()
    forms = {loss.get("resampled") for loss in trained} & {"SMOTENC", "SMOTEN"}
    drawn = [f"SMOTE is {form}, which draws no half categories." for form in sorted(forms)]
    return " ".join([tuned, *drawn] if len(comparison.cuts) else drawn)


def mean_table(scores: pd.DataFrame, statistic: str = "mean") -> pd.DataFrame:
    """Losses x metrics in their order of appearance; 'mean' or 'std' over the folds."""
    table = scores.pivot_table(
        index="loss", columns="metric", values="score", aggfunc=statistic, sort=False
    )
    return table.reindex(index=scores["loss"].unique(), columns=scores["metric"].unique())


def marked_table(
    scores: pd.DataFrame, rope: float, settings: Mapping[str, Any] | None = None
) -> pd.DataFrame:
    """Losses x metrics as text '0.812 ± 0.031 ★'; a star only where the verdict names a winner."""
    means, spreads = mean_table(scores), mean_table(scores, "std").fillna(0.0)
    cells = {}
    for metric in means:
        best = unbeaten(scores, metric, rope, settings)
        marks = dict.fromkeys(best, BEST if len(best) == 1 else NEAR)
        rows = zip(means.index, means[metric], spreads[metric], strict=True)
        cells[metric] = [
            f"{mean:.3f} ± {spread:.3f} {marks.get(loss, '')}".rstrip()
            for loss, mean, spread in rows
        ]
    return pd.DataFrame(cells, index=means.index)


def unbeaten(
    scores: pd.DataFrame, metric: str, rope: float, settings: Mapping[str, Any] | None = None
) -> list[str]:
    """The loss with the highest mean, and those that it does not decidedly beat on the folds."""
    scores = scores[scores["metric"] == metric]
    means = scores.groupby("loss", sort=False)["score"].mean()
    if not means.notna().any():
        return []
    best = str(means.idxmax())
    others = [str(loss) for loss in means.index if loss != best]
    if not others or scores["fold"].nunique() < 2:
        return [best, *(loss for loss in others if means[best] - means[loss] <= rope)]
    verdicts = fold_verdicts(scores, best, metric, settings, rope)
    return [best, *(v.candidate for v in verdicts if outcome(v) != "baseline")]


def marked(means: pd.Series, spreads: pd.Series, rope: float) -> list[str]:
    """Mean ± sd of each, with BEST, NEAR or no mark."""
    behind = means.max() - means
    marks = np.where(behind <= EQUAL, BEST, np.where(behind <= rope, NEAR, ""))
    rows = zip(means, spreads, marks, strict=True)
    return [f"{mean:.3f} ± {spread:.3f} {mark}".rstrip() for mean, spread, mark in rows]


def fold_differences(scores: pd.DataFrame, metric: str, baseline: str) -> pd.DataFrame:
    """Loss minus baseline on every fold: loss, fold, difference."""
    wide = scores[scores["metric"] == metric].pivot(index="fold", columns="loss", values="score")
    others = [loss for loss in scores["loss"].unique() if loss != baseline]
    gaps = wide[others].sub(wide[baseline], axis=0)
    tidy = gaps.melt(ignore_index=False, value_name="difference").reset_index()
    return tidy[["loss", "fold", "difference"]]


def pooled_confusion(confusion: pd.DataFrame) -> pd.DataFrame:
    """One confusion matrix per loss: the folds added, so that every row counts once a repeat."""
    return confusion.groupby("loss", sort=False)[list(Counts._fields)].sum().reset_index()


def relative_times(seconds: Mapping[str, float], baseline: str = "bce") -> pd.DataFrame:
    """loss, seconds, ratio to the baseline; without BCE the first loss is the measure."""
    measure = baseline if seconds.get(baseline) else next(iter(seconds))
    table = pd.DataFrame({"loss": list(seconds), "seconds": list(seconds.values())})
    return table.assign(ratio=table["seconds"] / (seconds[measure] or np.nan), measure=measure)


def curve_bands(curves: pd.DataFrame, column: str) -> pd.DataFrame:
    """Learning curve of each loss: loss, epoch, mean, std over the folds."""
    grouped = curves.groupby(["loss", "epoch"], sort=False)[column].agg(["mean", "std"])
    return grouped.fillna({"std": 0.0}).reset_index()
