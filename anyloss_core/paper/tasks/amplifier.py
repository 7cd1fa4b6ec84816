"""What L does: the four learning curves of the paper, and its sweep of five L in the MLP."""

import numpy as np

from anyloss_core.data.dataset import Dataset
from anyloss_core.data.preparation import paper_features
from anyloss_core.engine.loop import train
from anyloss_core.engine.study import Optimiser, Recipe, Rows, Study, Watch
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.paper.cells import OURS, Cell, OnProgress, Result, Where, noisy_cell
from anyloss_core.paper.datasets import paper_dataset
from anyloss_core.paper.running import run_comparison, seed_means
from anyloss_core.paper.tables import load_table

CURVES = (1.0, 5.0, 10.0, 100.0)  # L of the paper's four curves
SWEPT = (30, 50, 73, 90, 110)
METRICS = ("accuracy", "f1", "balanced_accuracy")
TABLE = "L_sweep_4_datasets"
# The paper gives neither data nor steps of its curves. Long steps of plain gradient descent show
# what it describes: at L = 100 the first ones throw many rows to where A(p) is exactly 1.
CURVE_EPOCHS, CURVE_RATE = 300, 10.0
WHY = (
    "fresh networks, mean over seeds: the published network was carried through losses and folds "
    "and knew its validation rows"
)


def reproduce_curves(progress: OnProgress) -> Result:
    """Loss and share of dead samples per epoch on data set 1, SLP, F-1, the paper's form of A."""
    dataset = paper_dataset(1)
    everything = np.arange(dataset.rows)
    losses = [parse_loss(f"anyloss:f1@L={L:g},form=naive") for L in CURVES]
    study = Study(
        paper_features(dataset),
        dataset.labels,
        (Rows(everything, everything[:0]),),
        tuple(Recipe(loss, lr=CURVE_RATE) for loss in losses),
        optimiser=Optimiser("gd"),
        epochs=CURVE_EPOCHS,
        watch=Watch(detail="full"),
    )
    values, dead = [], []
    for event in train(study):
        values.append(event.losses.tolist())
        dead.append(np.asarray(event.dead_share).tolist())
        progress(event.epoch / CURVE_EPOCHS, "learning curves for four L")
    cells = [
        Cell("L_curves", 1, f"anyloss:f1@L={L:g}", name, None, last, OURS)
        for name, rows in (("last loss", values), ("dead samples", dead))
        for L, last in zip(CURVES, rows[-1], strict=True)
    ]
    extras = {"L": list(CURVES), "loss": np.transpose(values), "dead": np.transpose(dead)}
    return Result(cells, {"epochs": CURVE_EPOCHS, "lr": CURVE_RATE}, extras)


def reproduce_sweep(number: int, dataset: Dataset, progress: OnProgress, seeds: int = 3) -> Result:
    """Five L x three metrics x ten folds x seeds in the paper's MLP, fresh networks."""
    spelled = {(metric, L): f"anyloss:{metric}@L={L}" for metric in METRICS for L in SWEPT}
    message, losses = f"MLP, data set {number}: five values of L", list(spelled.values())
    chosen = {"model": "mlp", "seeds": seeds, "curves": 5}
    comparison = run_comparison(dataset, losses, progress, message, **chosen)
    means = seed_means(comparison)
    cells = []
    for row in load_table(TABLE, number).itertuples():
        loss = spelled[row.metric, row.L]
        where = Where(TABLE, number, loss, row.metric)
        cells.append(noisy_cell(where, row.score, means[loss, row.metric].tolist(), WHY))
    return Result(cells, comparison.settings)
