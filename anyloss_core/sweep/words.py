"""A sweep of L in words: which L will do, the best one, and how far the others are behind."""

from collections import Counter
from typing import NamedTuple

import pandas as pd

from anyloss_core.common.wording import listed, metric_words
from anyloss_core.sweep.sweep import AUTO, Sweep

WILL_DO = 0.01  # a mean this close to the best is as good in practice


class Advice(NamedTuple):
    """What to do about L when this metric is the aim."""

    metric: str
    sentence: str
    setting: str  # the one to take: '30', '5..73' or 'auto'


def advice(sweep: Sweep) -> list[Advice]:
    """For each metric: which L will do, what automatic chose, and the L to take."""
    table = sweep.summary()
    return [
        _advice(
            metric,
            rows,
            sweep.chosen[sweep.chosen["metric"] == metric],
            _uncertainty(sweep.scores[sweep.scores["metric"] == metric]),
        )
        for metric, rows in table.groupby("metric", sort=False)
    ]


def _uncertainty(scores: pd.DataFrame) -> float:
    """The typical standard error of the difference of a setting to the best, fold by fold."""
    folds = scores.pivot(index="fold", columns="setting", values="score")
    best = folds[folds.mean().idxmax()]
    errors = folds.drop(columns=best.name).sub(best, axis=0).std() / len(folds) ** 0.5
    return float(errors.median()) if len(errors) else 0.0


def _advice(metric: str, rows: pd.DataFrame, chosen: pd.DataFrame, error: float) -> Advice:
    top = rows["mean"].max()
    constant = rows.dropna(subset="L").sort_values("L", kind="stable")
    near = constant[top - constant["mean"] <= WILL_DO]
    if len(near):
        best = near.loc[near["mean"].idxmax()]
        said = _range(constant["L"].tolist(), near["L"].tolist(), float(best["L"]))
    else:
        best = rows.loc[rows["mean"].idxmax()]
        said = f"no constant L comes within {WILL_DO:g} of {setting_words(best['setting'])}"
    parts = [said, *_automatic(rows, chosen, top)]
    if error > WILL_DO:
        parts.append(f"these folds know a difference of two L only to ± {error:.3f}")
    return Advice(metric, f"For {metric_words(metric)}: {'; '.join(parts)}.", str(best["setting"]))


def _range(tried: list[float], near: list[float], best: float) -> str:
    """'any L from 10 up will do (110 was the largest tried)': neighbours of the best one."""
    place = tried.index(best)
    first = last = place
    while first > 0 and tried[first - 1] in near:
        first -= 1
    while last + 1 < len(tried) and tried[last + 1] in near:
        last += 1
    low, high = f"{tried[first]:g}", f"{tried[last]:g}"
    if len(tried) == 1:
        return f"L = {low} is the only one tried"
    if first == last:
        return f"L = {low} is the one to take, its neighbours fall behind"
    if (first, last) == (0, len(tried) - 1):
        return f"any L from {low} to {high} will do, that is all of those tried"
    if last == len(tried) - 1:
        return f"any L from {low} up will do ({high} was the largest tried)"
    if not first:
        return f"any L up to {high} will do ({low} was the smallest tried)"
    return f"any L from {low} to {high} will do"


def _automatic(rows: pd.DataFrame, chosen: pd.DataFrame, top: float) -> list[str]:
    """What 'auto' took, and how far it is behind the best; nothing if it was not tried."""
    own = rows[rows["setting"] == AUTO]
    if not len(own):
        return []
    behind = top - float(own["mean"].iloc[0])
    lag = f", {behind:.3f} behind the best" if behind > 0.0005 else ", and is the best"
    if not len(chosen):
        return [f"automatic reached {float(own['mean'].iloc[0]):.3f}{lag}"]
    taken = Counter(recipe.partition(",")[0].removeprefix("L=") for recipe in chosen["recipe"])
    (setting, times), *others = taken.most_common()
    often = f" on {times} of {len(chosen)} folds" if others else ""
    return [f"automatic chose {setting_words(setting)}{often}{lag}"]


def sweep_headline(sweep: Sweep, name: str) -> str:
    """One sentence per metric."""
    table = sweep.summary()
    said = [_of_metric(metric, rows) for metric, rows in table.groupby("metric", sort=False)]
    return f"On {name}, {'; '.join(said)}."


def _of_metric(metric: str, rows: pd.DataFrame) -> str:
    best = rows.loc[rows["mean"].idxmax()]
    others = rows[(best["mean"] - rows["mean"] <= WILL_DO) & (rows["setting"] != best["setting"])]
    words = (
        f"{metric_words(metric)} is highest with {setting_words(best['setting'])} "
        f"({best['mean']:.3f} ± {best['std']:.3f})"
    )
    if not len(others):
        return f"{words}, and no other is within {WILL_DO:g} of it"
    return (
        f"{words}; within {WILL_DO:g} of it: {listed(list(map(setting_words, others['setting'])))}"
    )


def setting_words(setting: str) -> str:
    """'L = 73', 'the ramp 5 to 73' or 'the automatic choice'."""
    if setting == AUTO:
        return "the automatic choice"
    start, ramp, end = setting.partition("..")
    return f"the ramp {start} to {end}" if ramp else f"L = {setting}"
