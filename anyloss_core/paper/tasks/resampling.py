"""The table of resampling again: BCE after SMOTE or random under-sampling, SLP.

Ratios 0.1 ... 1.0 of minority to majority, resampled inside each training fold; the ratio with the
best mean F-1 is reported, and its figures are cut to three decimals.
"""

from anyloss_core.data.dataset import Dataset
from anyloss_core.paper.cells import OnProgress, Result, cut, shifted
from anyloss_core.paper.running import exact_cells, mean_scores, run_comparison
from anyloss_core.paper.tasks.slp import RESAMPLING

RATIOS = tuple(step / 10 for step in range(1, 11))
METHODS = ("bce+smote", "bce+undersample")

Scores = dict[str, float]  # metric -> mean over the folds


def reproduce_resampling(number: int, dataset: Dataset, progress: OnProgress) -> Result:
    """Accuracy, F-1 and balanced accuracy of each method at its best ratio."""
    cells, chosen, ladders = [], {}, {}
    for part, method in enumerate(METHODS):
        own = shifted(progress, part, len(METHODS))
        by_ratio = train_ratios(number, dataset, method, own)
        ladders[method] = [by_ratio[ratio]["f1"] for ratio in RATIOS]
        chosen[method] = max(RATIOS, key=lambda ratio: by_ratio[ratio]["f1"])
        best = {(method, metric): own for metric, own in by_ratio[chosen[method]].items()}
        cells += exact_cells(RESAMPLING, number, [method], best, lambda ours: cut(ours, 3))
    settings = {"protocol": "paper", "ratios": f"{RATIOS[0]:g} to {RATIOS[-1]:g}", "best": chosen}
    return Result(cells, settings, {"ratios": list(RATIOS), "f1": ladders})


def train_ratios(
    number: int, dataset: Dataset, method: str, progress: OnProgress
) -> dict[float, Scores]:
    """Scores for every ratio; one that the training rows already exceed leaves them as they are."""
    found = {}
    for part, ratio in enumerate(RATIOS):
        spelling = f"{method}@ratio={ratio:g}"
        message, own = f"SLP, data set {number}: {spelling}", shifted(progress, part, len(RATIOS))
        # One ratio at a time: with all of them, the synthetic rows of a large table fill memory.
        means = mean_scores(run_comparison(dataset, [spelling], own, message, curves=1))
        found[ratio] = {metric: score for (_, metric), score in means.items()}
    return found
