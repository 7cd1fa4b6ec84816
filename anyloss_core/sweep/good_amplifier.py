"""What is a good L? Every L on every table of the real suite, and what to conclude from it.

The paper leaves the question open. `run_study` sweeps L over the suite; its outcome is kept in
good_amplifier.csv beside this file, and the page L sweep draws it. To make it again (some minutes
on two cores; it goes on where it was interrupted):

    python -m anyloss_core.good_amplifier good_amplifier.csv
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from anyloss_core.datasets import open_reference, real_suite
from anyloss_core.sweep import sweep
from anyloss_core.sweep_words import WILL_DO, setting_words
from anyloss_core.wording import metric_words

KEPT = Path(__file__).with_suffix(".csv")
METRICS = ("f1", "gmean", "balanced_accuracy")
AMPLIFIERS = (1, 2, 5, 10, 20, 30, 50, 73, 110, "1..10", "2..20", "5..73")
MODELS = ("slp", "mlp")
WARM_UPS = (0.0, 0.7)  # shares of the epochs: AnyLoss from the start, and as by default
LARGEST = 2_000  # rows: the larger tables take most of the time
SETTINGS = {"protocol": "fresh", "folds": 5, "seed": 0, "curves": 2}


def run_study(references: Iterable[str], file: Path, model: str, warm_up: float) -> None:
    """Sweep every data set that the file does not hold yet; each is written when it is done."""
    done: set[str] = set()
    if file.exists():
        done = set(chosen(_read(file), model, warm_up)["dataset"])
    for reference in references:
        if reference in done:
            continue
        found = sweep(
            open_reference(reference),
            METRICS,
            AMPLIFIERS,
            model=model,
            warm_up=warm_up,
            **SETTINGS,
        )
        rows = found.summary()[["metric", "setting", "mean", "dead_share"]].round(5)
        rows = rows.rename(columns={"mean": "score"})
        for place, (name, value) in enumerate(
            {"dataset": reference, "model": model, "warm_up": warm_up}.items()
        ):
            rows.insert(place, name, value)
        rows.to_csv(file, mode="a", header=not file.exists(), index=False)


def chosen(study: pd.DataFrame, model: str, warm_up: float) -> pd.DataFrame:
    """The part of a study for one model and one warm-up."""
    return study[(study["model"] == model) & (study["warm_up"] == warm_up)]


def load_study(file: Path = KEPT) -> pd.DataFrame | None:
    """dataset, model, warm_up, metric, setting, score, dead_share; None when there is no file."""
    return _read(file) if file.exists() else None


def judge(rows: pd.DataFrame) -> pd.DataFrame:
    """metric, setting, rank, will_do, behind: means over the data sets of `chosen` rows.

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
        said.append(
            f"{setting_words(best['setting'])} ranks best for {metric_words(metric)} (within "
            f"{WILL_DO:g} of the best on {best['will_do']:.0%} of them; L = 73 on "
            f"{paper['will_do']:.0%})"
        )
    return f"Over {tables} real tables, {'; '.join(said)}."


def _read(file: Path) -> pd.DataFrame:
    return pd.read_csv(file, dtype={"setting": str, "dataset": str, "model": str})


if __name__ == "__main__":
    tables = [task.reference for task in real_suite() if task.rows <= LARGEST]
    for kind in MODELS:
        for share in WARM_UPS:
            run_study(tables, Path(sys.argv[1]), kind, share)
