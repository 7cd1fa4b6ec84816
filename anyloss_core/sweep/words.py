"""A sweep of L in words: the best L, how far the others are behind, and which of them will do."""

import pandas as pd

from anyloss_core.common.wording import listed, metric_words
from anyloss_core.sweep.sweep import Sweep

WILL_DO = 0.01  # a mean this close to the best is as good in practice


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
    """'L = 73' or 'the ramp 5 to 73'."""
    start, ramp, end = setting.partition("..")
    return f"the ramp {start} to {end}" if ramp else f"L = {setting}"
