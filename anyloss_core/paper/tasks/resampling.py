"""The table of resampling again: BCE after SMOTE or random under-sampling, SLP.

Ratios 0.1 ... 1.0 of minority to majority, resampled inside each training fold; the ratio with the
best mean F-1 is reported, and its figures are cut to three decimals.
"""

from __future__ import annotations

from anyloss_core.datasets import Dataset
from anyloss_core.published.cells import Cell, Progress, Result, cut, exact_cell, shifted
from anyloss_core.published.running import mean_scores, run_comparison
from anyloss_core.published.slp import OWN_DATA, RESAMPLING, published

RATIOS = tuple(step / 10 for step in range(1, 11))
METHODS = ("bce+smote", "bce+undersample")

Scores = dict[str, float]  # metric -> mean over the folds


def reproduce_resampling(number: int, dataset: Dataset, progress: Progress) -> Result:
    """Accuracy, F-1 and balanced accuracy of each method at its best ratio."""
    cells, chosen, ladders = [], {}, {}
    for place, method in enumerate(METHODS):
        tell = shifted(progress, place, len(METHODS))
        by_ratio = train_ratios(number, dataset, method, tell)
        ladders[method] = [by_ratio[ratio]["f1"] for ratio in RATIOS]
        chosen[method] = max(RATIOS, key=lambda ratio: by_ratio[ratio]["f1"])
        cells += _cells(number, method, by_ratio[chosen[method]])
    settings = {"protocol": "paper", "ratios": f"{RATIOS[0]:g} to {RATIOS[-1]:g}", "best": chosen}
    return Result(cells, settings, {"ratios": list(RATIOS), "f1": ladders})


def train_ratios(
    number: int, dataset: Dataset, method: str, progress: Progress
) -> dict[float, Scores]:
    """Scores for every ratio; one that the training rows already exceed leaves them as they are."""
    found = {}
    for place, ratio in enumerate(RATIOS):
        spelling = f"{method}@ratio={ratio:g}"
        message, tell = f"SLP, data set {number}: {spelling}", shifted(progress, place, len(RATIOS))
        # One ratio at a time: with all of them, the synthetic rows of a large table fill memory.
        means = mean_scores(run_comparison(dataset, [spelling], tell, message, curves=1))
        found[ratio] = {metric: score for (_, metric), score in means.items()}
    return found


def _cells(number: int, method: str, scores: Scores) -> list[Cell]:
    return [
        exact_cell(
            row.score,
            scores[row.metric],
            cut(scores[row.metric], 3),
            OWN_DATA,
            table=RESAMPLING,
            dataset=number,
            loss=method,
            metric=row.metric,
        )
        for row in published(RESAMPLING, number).itertuples()
        if row.loss == method
    ]
