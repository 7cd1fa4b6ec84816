"""Huge Titanic, about 800,000 rows: the user's CSV, or a generated twin of that size.

The twin has the published size, number of features and class balance; its scores are its own. What
it shows is that both networks and all losses take a table of this size.
"""

from dataclasses import replace
from os import PathLike
from typing import IO, Any

import pandas as pd

from anyloss_core.data.dataset import Dataset, dataset_from_frame
from anyloss_core.data.suites.synthetic import SyntheticSettings, generate
from anyloss_core.paper.cells import Cell, OnProgress, Result, Where, noisy_cell, shifted
from anyloss_core.paper.running import by_plain_name, mean_scores, run_comparison
from anyloss_core.paper.tables import load_table
from anyloss_core.paper.tasks.mlp import OWN

TABLE = "huge_titanic"
ROWS, FEATURES, POSITIVE_SHARE = 799_603, 7, 0.38  # as published
TARGETS = ("Survived", "survived")
# Columns of the Kaggle table that name a person or a ticket; seven features are left.
NAMES = ("PassengerId", "Name", "Ticket", "Cabin")
LOSSES = ("mse", "bce", "anyloss:accuracy", "anyloss:f1", "anyloss:balanced_accuracy")
FOLDS, EPOCHS = 3, 60  # every epoch sees half a million rows
# Spelled out: what is said here must not change with the Lab's defaults.
RISING = {"slp": "L=2..20,warm_up=0.7", "mlp": "L=1..10,warm_up=0.7"}
MODELS: dict[str, dict[str, Any]] = {
    "slp": {"optimiser": "adam", "lr": 0.03},
    "mlp": {name: value for name, value in OWN.items() if name not in ("epochs", "batch")},
}
TWIN_WHY = "a generated twin, not the published data"
CSV_WHY = "three folds, 60 epochs, L rising after BCE; the paper does not tell its settings"


def reproduce_titanic(
    progress: OnProgress, csv: str | PathLike | IO | None = None, rows: int = ROWS
) -> Result:
    """SLP and MLP with MSE, BCE and the AnyLoss of each metric."""
    progress(0.0, "reading the table" if csv else f"generating {rows:,} rows")
    dataset = read_titanic(csv) if csv else twin(rows)
    cells, settings = [], {}
    for part, (model, own) in enumerate(MODELS.items()):
        message = f"{model.upper()}, {dataset.rows:,} rows, 5 losses x {FOLDS} folds"
        comparison = run_comparison(
            dataset,
            [f"{loss}@{RISING[model]}" if loss.startswith("anyloss") else loss for loss in LOSSES],
            shifted(progress, part, len(MODELS)),
            message,
            model=model,
            protocol="fresh",
            folds=FOLDS,
            epochs=EPOCHS,
            batch=0,
            curves=5,
            **own,
        )
        settings[model] = comparison.settings
        means = by_plain_name(mean_scores(comparison))
        cells += _cells(model, dataset.name, means, bool(csv))
    return Result(cells, settings)


def twin(rows: int = ROWS) -> Dataset:
    """Generated rows with the published number of features and class balance."""
    imbalance = (1 - POSITIVE_SHARE) / POSITIVE_SHARE
    # Hard enough that a straight line leaves about a fifth of the rows wrong, as on the Titanic.
    dataset = generate(SyntheticSettings(rows, FEATURES, imbalance, separation=0.8, noise=0.25))
    return replace(dataset, name="twin of Huge Titanic")


def read_titanic(csv: str | PathLike | IO) -> Dataset:
    """Complete rows of the Kaggle table without the columns that name somebody."""
    table = pd.read_csv(csv)
    target = next((name for name in TARGETS if name in table.columns), None)
    if target is None:
        raise ValueError(
            f"csv: Huge Titanic needs the column Survived, got {', '.join(table.columns[:8])}"
        )
    table = table.drop(columns=[name for name in NAMES if name in table.columns]).dropna()
    if not len(table):
        raise ValueError("csv: no row of the table is complete; expected the Kaggle table")
    return dataset_from_frame(table, target, positive=1, name="Huge Titanic")


def _cells(model: str, name: str, means: dict[tuple[str, str], float], given: bool) -> list[Cell]:
    rows, why = load_table(TABLE), CSV_WHY if given else TWIN_WHY
    cells = []
    for row in rows[rows["model"] == model].itertuples():
        where = Where(f"{TABLE} ({model})", name, row.loss, row.metric)
        cells.append(noisy_cell(where, row.score, [means[row.loss, row.metric]], why))
    return cells
