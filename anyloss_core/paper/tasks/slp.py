"""The SLP tables again: all scores, and the achievement rates from the same training.

Weights from zero, plain gradient descent on all rows, 1,000 epochs, float64: the 'paper' protocol.
All of it comes out equal, so there is nothing here but reading the figures off.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anyloss_core.achievement import achievement_rate
from anyloss_core.datasets import Dataset
from anyloss_core.published.cells import (
    Cell,
    Progress,
    Result,
    cut,
    exact_cell,
    noisy_cell,
    rounded,
)
from anyloss_core.published.names import ANYLOSSES, EIGHT, SOLS
from anyloss_core.published.running import mean_curves, mean_scores, run_comparison
from anyloss_core.published.tables import load_table

TABLE, RATES, RESAMPLING = "slp_4_datasets", "achievement_rate", "resampling_slp"
SOL_TABLE = "slp_4_datasets_sol"
OWN_DATA = "the CSV is another version of the data than the paper's, or is incomplete"
SOL_WHY = (
    "trained differently: the published SOL runs carried one network through all ten folds, so "
    "that from the second fold on it had seen its validation rows; ours starts afresh in each fold"
)


def reproduce_slp(number: int, dataset: Dataset, progress: Progress) -> Result:
    """Scores of the eight losses, achievement rates, and AnyLoss's column beside resampling."""
    message = f"SLP, data set {number}: 8 losses x 10 folds"
    comparison = run_comparison(dataset, EIGHT, progress, message, curves=0)
    means, curves = mean_scores(comparison), mean_curves(comparison)
    cells = _score_cells(number, means) + _rate_cells(number, curves) + _beside(number, means)
    kept = {"curves": {loss: curve.tolist() for loss, curve in curves.items()}}
    return Result(cells, comparison.settings, kept)


def reproduce_sol(number: int, dataset: Dataset, progress: Progress) -> Result:
    """The SOL columns, trained as fresh folds: beside the published ones, not equal to them."""
    comparison = run_comparison(dataset, SOLS, progress, f"SLP, data set {number}: SOL", curves=10)
    means = mean_scores(comparison)
    cells = [
        noisy_cell(
            row.score,
            [means[row.loss, row.metric]],
            SOL_WHY,
            **_place(SOL_TABLE, number, row.loss, row.metric),
        )
        for row in published(TABLE, number).itertuples()
        if row.loss in SOLS
    ]
    return Result(cells, comparison.settings)


def achievement_rates(curves: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rates per epoch of BCE, and the mean of the AnyLoss rates, named as in the table."""
    rates = {name: achievement_rate(curve) for name, curve in curves.items()}
    return {"BCE": rates["bce"], "AnyLoss mean": np.mean([rates[n] for n in ANYLOSSES], axis=0)}


def published(table: str, number: int) -> pd.DataFrame:
    """The rows of one data set in a published table."""
    rows = load_table(table)
    return rows[rows["dataset"] == number]


def _score_cells(number: int, means: dict[tuple[str, str], float]) -> list[Cell]:
    cells = []
    for row in published(TABLE, number).itertuples():
        if row.loss in EIGHT:
            ours = means[row.loss, row.metric]
            place = _place(TABLE, number, row.loss, row.metric)
            cells.append(exact_cell(row.score, ours, rounded(ours, 6), OWN_DATA, **place))
    return cells


def _rate_cells(number: int, curves: dict[str, np.ndarray]) -> list[Cell]:
    rates = achievement_rates(curves)
    cells = []
    for row in published(RATES, number).itertuples():
        # Epoch k is the k-th value of the curve, so epoch 100 has the index 99.
        ours = float(rates[row.loss][row.epoch - 1])
        place = _place(RATES, number, row.loss, f"rate at epoch {row.epoch}")
        cells.append(exact_cell(row.rate, ours, rounded(ours, 3), OWN_DATA, **place))
    return cells


def _beside(number: int, means: dict[tuple[str, str], float]) -> list[Cell]:
    """AnyLoss's column of the resampling table: the same scores, cut to three decimals."""
    cells = []
    for row in published(RESAMPLING, number).itertuples():
        if row.loss in ANYLOSSES:
            ours = means[row.loss, row.metric]
            place = _place(RESAMPLING, number, row.loss, row.metric)
            cells.append(exact_cell(row.score, ours, cut(ours, 3), OWN_DATA, **place))
    return cells


def _place(table: str, number: int, loss: str, metric: str) -> dict[str, object]:
    return {"table": table, "dataset": number, "loss": loss, "metric": metric}
