"""Score against L: every L of every metric on every fold, trained in one engine call.

The answer to the paper's open question 'what is a good L': the score of each L as a band over
folds and seeds, the share of samples whose slope is 0, and the best L of each metric. An L may
also be a ramp such as "5..73", or "auto": the recipe that AnyLoss has by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.comparison.comparison import Comparison, compare
from anyloss_core.comparison.settings import amplifier_text, read_amplifier
from anyloss_core.comparison.tables import metric_scores
from anyloss_core.data.dataset import Dataset
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import Ramp, parse_loss

AUTO = "auto"  # beside values of L: the recipe that AnyLoss has when none is spelled out
PUBLISHED = (30.0, 50.0, 73.0, 90.0, 110.0)  # the values of L in the paper's sweep


CHOSEN = ["metric", "fold", "recipe"]


@dataclass(frozen=True, eq=False)
class Sweep:
    """What each L reached."""

    # metric, setting ('73', '5..73' or 'auto'), L (NaN for a ramp and for auto), fold and
    scores: pd.DataFrame  # score: on the held-out rows, by the metric trained for
    dead: pd.DataFrame  # dead_share: of the training rows, at the end
    settings: dict[str, Any]
    total_seconds: float
    # metric, fold, recipe: what 'auto' has chosen; empty where nothing was automatic
    chosen: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=CHOSEN))

    def summary(self) -> pd.DataFrame:
        """metric, setting, L, mean, std over folds and seeds, dead_share."""
        keys = ["metric", "setting", "L"]
        found = self.scores.groupby(keys, sort=False, dropna=False)["score"].agg(["mean", "std"])
        dead = self.dead.groupby(keys, sort=False, dropna=False)["dead_share"].mean()
        return found.assign(dead_share=dead).fillna({"std": 0.0}).reset_index()

    def best(self) -> dict[str, float]:
        """The constant L with the highest mean of each metric; the smallest among equals."""
        table = self.summary().dropna(subset="L").sort_values("L", kind="stable")
        return {
            metric: float(group.loc[group["mean"].idxmax(), "L"])
            for metric, group in table.groupby("metric", sort=False)
        }


def sweep(
    dataset: Dataset,
    metrics: Sequence[str] = ("f1",),
    amplifiers: Sequence[float | str] = PUBLISHED,
    form: str = "safe",
    warm_up: float | None = None,
    **settings: Any,
) -> Sweep:
    """Train AnyLoss of each metric with each L; settings are those of `compare`, one round."""
    losses = sweep_losses(metrics, amplifiers, form, warm_up)
    return to_sweep(compare(dataset, losses, **{"repeats": 1} | settings))


def sweep_losses(
    metrics: Sequence[str],
    amplifiers: Sequence[float | str],
    form: str = "safe",
    warm_up: float | None = None,
) -> tuple[str, ...]:
    """The losses to compare, in words of `spelling`."""
    chosen = dict.fromkeys(
        (get_score(metric).name, AUTO if L == AUTO else amplifier_text(read_amplifier(L)))
        for metric in metrics
        for L in amplifiers
    )
    if not chosen:
        raise ValueError("metrics and amplifiers must name at least one of each")
    options = "" if form == "safe" else f",form={form}"
    options += "" if warm_up is None else f",warm_up={warm_up:g}"
    return tuple(
        f"anyloss:{metric}" if L == AUTO else f"anyloss:{metric}@L={L}{options}"
        for metric, L in chosen
    )


def to_sweep(comparison: Comparison) -> Sweep:
    """A comparison of `sweep_losses`, by metric and L."""
    confusion = comparison.confusion
    specs = [parse_loss(loss) for loss in confusion["loss"]]
    named = confusion.assign(
        metric=[spec.score.name for spec in specs if spec.score],
        setting=[amplifier_text(spec.L) if spec.spelled else AUTO for spec in specs],
        L=[spec.L if spec.spelled and not isinstance(spec.L, Ramp) else np.nan for spec in specs],
    )
    keys = ["metric", "setting", "L", "fold"]
    return Sweep(
        scores=_own_scores(named)[[*keys, "score"]],
        dead=named[[*keys, "dead_share"]],
        settings=comparison.settings,
        total_seconds=comparison.total_seconds,
        chosen=_chosen(comparison.recipes),
    )


def _chosen(recipes: pd.DataFrame) -> pd.DataFrame:
    """What 'auto' has taken on every fold, by the metric aimed at."""
    specs = [parse_loss(loss) for loss in recipes["loss"]]
    metrics = [spec.score.name if spec.score else "" for spec in specs]
    return recipes.assign(metric=metrics)[CHOSEN]


def _own_scores(named: pd.DataFrame) -> pd.DataFrame:
    """Each row judged by the metric that its model was trained for."""
    parts = [
        rows.assign(score=metric_scores(rows, [metric])["score"].to_numpy())
        for metric, rows in named.groupby("metric", sort=False)
    ]
    return pd.concat(parts, ignore_index=True) if parts else named.assign(score=[])
