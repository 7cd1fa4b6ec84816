"""Run a comparison for a published table and read scores and curves out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from anyloss_core.comparison import Comparing, Comparison, ComparisonSettings
from anyloss_core.datasets import Dataset
from anyloss_core.published.cells import Progress

T = TypeVar("T")


def run_comparison(
    dataset: Dataset, losses: Sequence[str], progress: Progress, message: str, **settings: object
) -> Comparison:
    """`compare` under the 'paper' protocol unless another is given, telling how far it is.

    `progress` is called after every batch, so that a stop which it raises is felt at once.
    """
    chosen = {"protocol": "paper", "folds": 10, **settings, "losses": tuple(losses)}
    share = 0.0

    def beat() -> None:
        progress(share, message)

    comparing = Comparing(dataset, ComparisonSettings(**chosen), on_batch=beat)
    for step in comparing:
        share = step.fraction
    progress(1.0, message)
    return comparing.result()


def mean_scores(comparison: Comparison) -> dict[tuple[str, str], float]:
    """(loss, metric) -> mean over the folds: a published score."""
    means = comparison.scores.groupby(["loss", "metric"])["score"].mean()
    return {key: float(value) for key, value in means.items()}


def seed_means(comparison: Comparison, folds: int = 10) -> dict[tuple[str, str], np.ndarray]:
    """(loss, metric) -> mean over the folds of each seed, shape (seeds,)."""
    scores = comparison.scores.assign(seed=comparison.scores["fold"] // folds)
    means = scores.groupby(["loss", "metric", "seed"])["score"].mean()
    return {key: part.to_numpy() for key, part in means.groupby(level=["loss", "metric"])}


def by_plain_name(scores: Mapping[tuple[str, str], T]) -> dict[tuple[str, str], T]:
    """The same under the names of the losses without their options."""
    return {(loss.partition("@")[0], metric): value for (loss, metric), value in scores.items()}


def mean_curves(comparison: Comparison) -> dict[str, np.ndarray]:
    """Training loss per epoch of each loss, averaged over the folds."""
    means = comparison.curves.groupby(["loss", "epoch"])["train_loss"].mean()
    return {loss: part.to_numpy() for loss, part in means.groupby(level="loss")}
