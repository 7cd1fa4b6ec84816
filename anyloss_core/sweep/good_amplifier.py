"""What is a good L? Every L on every table of the real suite, and what to conclude from it.

The paper leaves the question open. `run_study` sweeps L over the suite; its outcome is kept in
good_amplifier.csv beside this file, and the page L sweep draws it. It was made on 2026-11-16 with
the defaults of then (SLP: 300 epochs at a constant rate of 0.03). To make it again (some minutes on
two cores; it goes on where it was interrupted):

    python -m anyloss_core.sweep.good_amplifier good_amplifier.csv
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from anyloss_core.common.wording import metric_words
from anyloss_core.comparison.suite_study import extend_study, read_study
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.suites.real_suite import real_suite
from anyloss_core.sweep.sweep import sweep
from anyloss_core.sweep.words import WILL_DO, setting_words

KEPT = Path(__file__).with_suffix(".csv")
METRICS = ("f1", "gmean", "balanced_accuracy")
AMPLIFIERS = (1, 2, 5, 10, 20, 30, 50, 73, 110, "1..10", "2..20", "5..73")
MODELS = ("slp", "mlp")
WARM_UPS = (0.0, 0.7)  # shares of the epochs: AnyLoss from the start, and as by default
AS_GOOD = 0.005  # mean distances from the best that differ less do not tell two L apart
LARGEST = 2_000  # rows: the larger tables take most of the time
SETTINGS: dict[str, Any] = {"protocol": "fresh", "folds": 5, "seed": 0, "curves": 2}


def run_study(references: Iterable[str], file: Path, model: str, warm_up: float) -> None:
    """Sweep every data set that the file does not hold yet; each is written when it is done."""

    def work(dataset: Dataset) -> pd.DataFrame:
        settings = {**SETTINGS, "model": model, "warm_up": warm_up}
        found = sweep(dataset, METRICS, AMPLIFIERS, **settings).summary()
        rows = found[["metric", "setting", "mean", "dead_share"]].round(5)
        return rows.rename(columns={"mean": "score"})

    named = {reference: reference for reference in references}
    extend_study(file, named, work, model=model, warm_up=warm_up)


def load_study(model: str, warm_up: float, file: Path = KEPT) -> pd.DataFrame:
    """dataset, metric, setting, score, dead_share of one model and one warm-up."""
    return read_study(file, model=model, warm_up=warm_up)


def judge(rows: pd.DataFrame) -> pd.DataFrame:
    """metric, setting, rank, will_do, behind: means over the data sets of a study.

    `rank` 1 is the best of all settings, ties share the mean of their places; `will_do` is the
    share of data sets on which the setting is within 0.01 of the best; `behind` the mean distance.
    """
    groups = rows.groupby(["dataset", "metric"])["score"]
    behind = groups.transform("max") - rows["score"]
    judged = rows.assign(
        rank=groups.rank(ascending=False), behind=behind, will_do=behind <= WILL_DO
    )
    means = judged.groupby(["metric", "setting"], sort=False)[["rank", "will_do", "behind"]].mean()
    return means.reset_index()


def answer(rows: pd.DataFrame) -> str:
    """The conclusion in words."""
    judged, tables = judge(rows), rows["dataset"].nunique()
    said = []
    for metric, settings in judged.groupby("metric", sort=False):
        best = settings.loc[settings["rank"].idxmin()]
        paper = settings.set_index("setting").loc["73"]
        low, high = good_range(settings)
        said.append(
            f"{setting_words(best['setting'])} ranks best for {metric_words(metric)} (within "
            f"{WILL_DO:g} of the best on {best['will_do']:.0%} of them, L = 73 on "
            f"{paper['will_do']:.0%}; as near on average: L = {low:g} to {high:g})"
        )
    return f"Over {tables} real tables, {'; '.join(said)}."


def good_range(settings: pd.DataFrame) -> tuple[float, float]:
    """The smallest and largest fixed L of one metric whose mean distance is nearly the least."""
    fixed = settings[~settings["setting"].str.contains("..", regex=False)]
    near = fixed["behind"] - fixed["behind"].min() <= AS_GOOD
    good = fixed["setting"][near].astype(float)
    return good.min(), good.max()


if __name__ == "__main__":
    tables = [task.reference for task in real_suite() if task.rows <= LARGEST]
    for kind in MODELS:
        for share in WARM_UPS:
            run_study(tables, Path(sys.argv[1]), kind, share)
