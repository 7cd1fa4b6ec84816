"""How much memory and time a comparison will need, its preparation and its tables included."""

from __future__ import annotations

from anyloss_core import cost_model
from anyloss_core.assembly import INNER_FOLDS, folds_at_once
from anyloss_core.datasets import Dataset, most_features
from anyloss_core.estimates import (
    NUMBER,
    Estimate,
    Load,
    add_up,
    bytes_of,
    check_fits,
    estimate_load,
)
from anyloss_core.protocols import batch_of
from anyloss_core.scores import METRICS
from anyloss_core.settings import ComparisonSettings

MODEL_BYTES = 8_000  # of a recipe, its rows, its lines in the tables
POINT = 2 * (len(METRICS) + 9)  # numbers per model and point of a learning curve


def check_comparison(
    dataset: Dataset, settings: ComparisonSettings, seconds: float | None = None
) -> None:
    """Refuse a comparison that does not fit into memory or, where there is a limit, its time."""
    check_fits(estimate_comparison(dataset, settings), "this comparison", seconds)


def estimate_comparison(dataset: Dataset, settings: ComparisonSettings) -> Estimate:
    """For a comparison, its preparation included."""
    folds = settings.folds * settings.repeats * settings.seeds
    at_once = folds_at_once(dataset, settings)
    load = _load(dataset, settings, at_once, dataset.rows - dataset.rows // settings.folds)
    models = folds * load.models // at_once
    points = min(settings.plan.epochs // settings.curve_spacing + 1, settings.plan.epochs)
    parts = bytes_of(load)
    parts["folds"] += NUMBER * dataset.rows * settings.folds * settings.repeats
    parts["models"] += MODEL_BYTES * models
    parts["curves"] = NUMBER * POINT * models * points
    tables = 4 * NUMBER * dataset.rows * (len(settings.losses) + 3)
    parts["outputs"] = tables * settings.repeats * settings.seeds
    seconds = cost_model.estimate(settings, dataset.rows, load.features)
    whole = _load(dataset, settings, folds, load.train)
    return add_up(whole, seconds, parts)


def estimate_final(dataset: Dataset, settings: ComparisonSettings) -> Estimate:
    """For one model on all rows."""
    return estimate_load(_load(dataset, settings, 1, dataset.rows))


def _load(dataset: Dataset, settings: ComparisonSettings, folds: int, train: int) -> Load:
    """So many folds trained at once, each on so many rows."""
    plan, own = settings.plan, settings.chosen_protocol.fitted_in_fold
    methods = [spec.method for spec in settings.specs]
    added = folds * train * methods.count("smote")
    inner = methods.count("threshold") * INNER_FOLDS
    return Load(
        rows=(folds if own else 1) * dataset.rows + added,
        features=max(1, most_features(dataset)),
        train=train * (2 if "smote" in methods else 1),
        folds=folds * (1 + inner + methods.count("smote") + methods.count("undersample")),
        models=folds * (len(methods) + inner),
        epochs=plan.epochs,
        batch=batch_of(settings.specs[0], plan, train),
        network=plan.network,
        tuned=inner > 0,
    )
