"""The SLP tables again: all scores, and the achievement rates from the same training.

Weights from zero, plain gradient descent on all rows, 1,000 epochs, float64: the 'paper' protocol.
All of it comes out equal, so there is nothing here but reading the figures off.
"""

import numpy as np

from anyloss_core.common.achievement import achievement_rate
from anyloss_core.data.dataset import Dataset
from anyloss_core.paper.cells import (
    Cell,
    OnProgress,
    Result,
    Where,
    cut,
    exact_cell,
    noisy_cell,
    rounded,
)
from anyloss_core.paper.names import ANYLOSSES, EIGHT, SOLS
from anyloss_core.paper.running import (
    OWN_DATA,
    exact_cells,
    mean_curves,
    mean_scores,
    run_comparison,
)
from anyloss_core.paper.tables import load_table

TABLE, RATES, RESAMPLING = "slp_4_datasets", "achievement_rate", "resampling_slp"
SOL_TABLE = "slp_4_datasets_sol"
SOL_WHY = (
    "trained differently: the published SOL runs carried one network through all ten folds, so "
    "that from the second fold on it had seen its validation rows; ours starts afresh in each fold"
)


def reproduce_slp(number: int, dataset: Dataset, progress: OnProgress) -> Result:
    """Scores of the eight losses, achievement rates, and AnyLoss's column beside resampling."""
    message = f"SLP, data set {number}: 8 losses x 10 folds"
    comparison = run_comparison(dataset, EIGHT, progress, message, curves=0)
    means, curves = mean_scores(comparison), mean_curves(comparison)
    cells = exact_cells(TABLE, number, EIGHT, means, lambda ours: rounded(ours, 6))
    cells += _rate_cells(number, curves)
    # AnyLoss's column of the resampling table has the same scores, cut to three decimals.
    cells += exact_cells(RESAMPLING, number, ANYLOSSES, means, lambda ours: cut(ours, 3))
    kept = {"curves": {loss: curve.tolist() for loss, curve in curves.items()}}
    return Result(cells, comparison.settings, kept)


def reproduce_sol(number: int, dataset: Dataset, progress: OnProgress) -> Result:
    """The SOL columns, trained as fresh folds: beside the published ones, not equal to them."""
    comparison = run_comparison(dataset, SOLS, progress, f"SLP, data set {number}: SOL", curves=10)
    means = mean_scores(comparison)
    cells = []
    for row in load_table(TABLE, number).itertuples():
        if row.loss in SOLS:
            where = Where(SOL_TABLE, number, row.loss, row.metric)
            cells.append(noisy_cell(where, row.score, [means[row.loss, row.metric]], SOL_WHY))
    return Result(cells, comparison.settings)


def achievement_rates(curves: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rates per epoch of BCE, and the mean of the AnyLoss rates, named as in the table."""
    rates = {name: achievement_rate(curve) for name, curve in curves.items()}
    return {"BCE": rates["bce"], "AnyLoss mean": np.mean([rates[n] for n in ANYLOSSES], axis=0)}


def _rate_cells(number: int, curves: dict[str, np.ndarray]) -> list[Cell]:
    rates = achievement_rates(curves)
    cells = []
    for row in load_table(RATES, number).itertuples():
        # Epoch k is the k-th value of the curve, so epoch 100 has the index 99.
        ours = float(rates[row.loss][row.epoch - 1])
        where = Where(RATES, number, row.loss, f"rate at epoch {row.epoch}")
        cells.append(exact_cell(where, row.rate, ours, rounded(ours, 3), OWN_DATA))
    return cells
