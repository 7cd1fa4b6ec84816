"""Score against L: every L of every metric on every fold, trained in one engine call.

The answer to the paper's open question 'what is a good L': the score of each L as a band over
folds and seeds, the share of samples that no longer pull, and the best L of each metric. An L may
also be a ramp such as "5..73".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.comparison import Comparing, Progress
from anyloss_core.comparison_tables import metric_scores
from anyloss_core.datasets import Dataset
from anyloss_core.scores import get_score
from anyloss_core.settings import ComparisonSettings, amplifier_text
from anyloss_core.spelling import Ramp, parse_loss

PUBLISHED = (30.0, 50.0, 73.0, 90.0, 110.0)  # the values of L in the paper's sweep


@dataclass(frozen=True, eq=False)
class Sweep:
    """What each L reached."""

    # metric, setting ('73' or '5..73'), L (NaN for a ramp), fold and
    scores: pd.DataFrame  # score: on the held-out rows, by the metric trained for
    dead: pd.DataFrame  # dead_share: of the training rows, at the end
    settings: dict[str, Any]
    total_seconds: float

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
    on_progress: Callable[[Progress], None] | None = None,
    **settings: Any,
) -> Sweep:
    """Train AnyLoss of each metric with each L; settings are those of ComparisonSettings."""
    sweeping = Sweeping(dataset, metrics, amplifiers, **settings)
    for progress in sweeping:
        if on_progress is not None:
            on_progress(progress)
    return sweeping.result()


class Sweeping:
    """A sweep under way: an iterator of progress; `result()` holds what is trained so far."""

    def __init__(
        self,
        dataset: Dataset,
        metrics: Sequence[str],
        amplifiers: Sequence[float | str],
        form: str = "safe",
        warm_up: float | None = None,
        on_batch: Callable[[], None] | None = None,
        **settings: Any,
    ) -> None:
        chosen = tuple(
            dict.fromkeys(
                (get_score(m).name, read_amplifier(L)) for m in metrics for L in amplifiers
            )
        )
        if not chosen:
            raise ValueError("metrics and amplifiers must name at least one of each")
        options = "" if form == "safe" else f",form={form}"
        options += "" if warm_up is None else f",warm_up={warm_up:g}"
        losses = tuple(f"anyloss:{metric}@L={amplifier_text(L)}{options}" for metric, L in chosen)
        self.settings = ComparisonSettings.from_dict({**settings, "losses": losses})
        self._chosen = dict(zip(self.settings.names, chosen, strict=True))
        self._comparing = Comparing(dataset, self.settings, on_batch)

    def __iter__(self) -> Sweeping:
        return self

    def __next__(self) -> Progress:
        return next(self._comparing)

    def close(self) -> None:
        self._comparing.close()

    def result(self) -> Sweep:
        """What is trained so far."""
        found = self._comparing.result()
        named = self._named(found.confusion)
        keys = ["metric", "setting", "L", "fold"]
        return Sweep(
            scores=_own_scores(named)[[*keys, "score"]],
            dead=named[[*keys, "dead_share"]],
            settings=found.settings,
            total_seconds=found.total_seconds,
        )

    def _named(self, confusion: pd.DataFrame) -> pd.DataFrame:
        """The table with the metric and the L behind each loss."""
        chosen = [self._chosen[loss] for loss in confusion["loss"]]
        return confusion.assign(
            metric=[metric for metric, _ in chosen],
            setting=[amplifier_text(L) for _, L in chosen],
            L=[np.nan if isinstance(L, Ramp) else L for _, L in chosen],
        )


def read_amplifier(L: float | str | Ramp) -> float | Ramp:
    """A number, or a ramp spelled '5..73'."""
    return parse_loss(f"anyloss:f1@L={L if isinstance(L, str) else amplifier_text(L)}").L


def _own_scores(named: pd.DataFrame) -> pd.DataFrame:
    """Each row judged by the metric that its model was trained for."""
    parts = [
        rows.assign(score=metric_scores(rows, [metric])["score"].to_numpy())
        for metric, rows in named.groupby("metric", sort=False)
    ]
    return pd.concat(parts, ignore_index=True) if parts else named.assign(score=[])
