"""The paper's comparison on our own suites: which losses, and scores that come with the program.

The kept scores are those of `recipe_study`: the real suite under the Lab's defaults. A benchmark
with `suite_settings` makes such scores, on the real suite or on twins of the paper's data sets.
"""

import pandas as pd

from anyloss_core.benchmark import recipe_study
from anyloss_core.benchmark.settings import BenchmarkSettings, comparison_settings, suite_items
from anyloss_core.data.suites.real_suite import real_suite

SUITES = {"real": "Real tables", "synthetic": "Twins of the paper's 102"}
METRICS = ("accuracy", "f1", "balanced_accuracy")  # of the paper's tables of 102 data sets
LOSSES = ("mse", "bce", *(f"anyloss:{metric}" for metric in METRICS))


def suite_settings(suite: str, model: str) -> BenchmarkSettings:
    """The benchmark of a suite: MSE, BCE and the AnyLoss of each metric, ten folds, fresh."""
    compared = comparison_settings(losses=LOSSES, model=model, protocol="fresh", folds=10)
    return BenchmarkSettings(SUITES[suite].lower(), suite_items(suite), compared)


def kept_scores(model: str) -> pd.DataFrame:
    """Tidy scores on the real suite that come with the program."""
    scores = recipe_study.load_study(model, size="small").scores
    kept = scores["loss"].isin(LOSSES) & scores["metric"].isin(METRICS)
    return scores[kept].reset_index(drop=True)


def real_shares() -> dict[str, float]:
    """Share of positive rows of every table of the real suite."""
    return {task.name: 1 / (1 + task.ratio) for task in real_suite()}
