"""Score against L: every L of every metric on every fold, trained in one engine call.

The answer to the paper's open question 'what is a good L': the score of each L as a band over
folds and seeds, the share of samples that no longer pull, and the best L of each metric.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from anyloss_core.comparison import Comparing, Progress
from anyloss_core.datasets import Dataset
from anyloss_core.scores import get_score
from anyloss_core.settings import ComparisonSettings

PUBLISHED = (30.0, 50.0, 73.0, 90.0, 110.0)  # the values of L in the paper's sweep


@dataclass(frozen=True, eq=False)
class Sweep:
    """What each L reached."""

    scores: pd.DataFrame  # metric, L, fold, score: on the held-out rows, by the metric trained for
    dead: pd.DataFrame  # metric, L, fold, dead_share: of the training rows, at the end
    settings: dict[str, Any]
    total_seconds: float

    def summary(self) -> pd.DataFrame:
        """metric, L, mean, std over folds and seeds, dead_share."""
        found = self.scores.groupby(["metric", "L"], sort=False)["score"].agg(["mean", "std"])
        dead = self.dead.groupby(["metric", "L"], sort=False)["dead_share"].mean()
        return found.join(dead).reset_index()

    def best(self) -> dict[str, float]:
        """The L with the highest mean of each metric; the smallest among equals."""
        table = self.summary().sort_values("L", kind="stable")
        return {
            metric: float(group.loc[group["mean"].idxmax(), "L"])
            for metric, group in table.groupby("metric", sort=False)
        }


def sweep(
    dataset: Dataset,
    metrics: Sequence[str] = ("f1",),
    amplifiers: Sequence[float] = PUBLISHED,
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
        amplifiers: Sequence[float],
        form: str = "safe",
        on_batch: Callable[[], None] | None = None,
        **settings: Any,
    ) -> None:
        chosen = tuple(
            dict.fromkeys((get_score(m).name, float(L)) for m in metrics for L in amplifiers)
        )
        if not chosen:
            raise ValueError("metrics and amplifiers must name at least one of each")
        option = "" if form == "safe" else f",form={form}"
        losses = tuple(f"anyloss:{metric}@L={L:.12g}{option}" for metric, L in chosen)
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
        found = self._comparing.result()
        scores = self._named(found.scores)
        own = scores["metric"] == scores["target"]
        dead = self._named(found.confusion).rename(columns={"target": "metric"})
        return Sweep(
            scores=scores.loc[own, ["metric", "L", "fold", "score"]].reset_index(drop=True),
            dead=dead[["metric", "L", "fold", "dead_share"]],
            settings=found.settings,
            total_seconds=found.total_seconds,
        )

    def _named(self, table: pd.DataFrame) -> pd.DataFrame:
        """The table with the metric and the L behind each loss."""
        target, L = zip(*(self._chosen[loss] for loss in table["loss"]), strict=True)
        return table.assign(target=list(target), L=list(L))
