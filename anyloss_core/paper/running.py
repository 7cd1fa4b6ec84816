"""Run a comparison for a published table and read scores and curves out of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from anyloss_core.comparison.comparison import Comparing, Comparison, ComparisonSettings
from anyloss_core.data.dataset import Dataset
from anyloss_core.paper.cells import Cell, OnProgress, Where, exact_cell
from anyloss_core.paper.tables import load_table

T = TypeVar("T")
OWN_DATA = "the CSV is another version of the data than the paper's, or is incomplete"


def run_comparison(
    dataset: Dataset, losses: Sequence[str], progress: OnProgress, message: str, **settings: Any
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


def exact_cells(
    table: str,
    number: int,
    losses: Collection[str],
    means: Mapping[tuple[str, str], float],
    shorten: Callable[[float], float],
) -> list[Cell]:
    """The figures of these losses in a published table, each to be equal once it is shortened."""
    cells = []
    for row in load_table(table, number).itertuples():
        if row.loss in losses:
            where, ours = Where(table, number, row.loss, row.metric), means[row.loss, row.metric]
            cells.append(exact_cell(where, row.score, ours, shorten(ours), OWN_DATA))
    return cells


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
