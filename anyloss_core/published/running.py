"""Run a comparison for a published table and read scores and curves out of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anyloss_core.comparison import Comparing, Comparison, ComparisonSettings
from anyloss_core.datasets import Dataset
from anyloss_core.published.cells import Progress


def run_comparison(
    dataset: Dataset, losses: Sequence[str], progress: Progress, message: str, **settings: object
) -> Comparison:
    """`compare` under the 'paper' protocol unless another is given, telling how far it is."""
    chosen = {"protocol": "paper", "folds": 10, **settings, "losses": tuple(losses)}
    comparing = Comparing(dataset, ComparisonSettings(**chosen))
    for step in comparing:
        progress(step.fraction, message)
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


def mean_curves(comparison: Comparison) -> dict[str, np.ndarray]:
    """Training loss per epoch of each loss, averaged over the folds."""
    means = comparison.curves.groupby(["loss", "epoch"])["train_loss"].mean()
    return {loss: part.to_numpy() for loss, part in means.groupby(level="loss")}


def shifted(progress: Progress, part: int, parts: int) -> Progress:
    """Progress of one of several equal parts, as a share of the whole."""
    return lambda share, message: progress((part + share) / parts, message)
