"""How much memory and time a comparison will need, and the refusal of what is too much.

Memory is an upper bound, time is good to a factor of about two (see `cost_model`). The refusal has
the figure and what to reduce.
"""

from dataclasses import replace

from anyloss_core.common.memory import TooLarge, check_room
from anyloss_core.comparison.assembly import folds_at_once, models_of
from anyloss_core.comparison.cost_model import (
    NUMBER,
    Estimate,
    Load,
    bytes_of,
    estimate_load,
    seconds_of,
)
from anyloss_core.comparison.protocols import batch_of
from anyloss_core.comparison.recipes import INNER_FOLDS, candidates, used_folds
from anyloss_core.comparison.references import reference_seconds
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.comparison.thresholds import CUTS, MOST
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.preparation import most_features
from anyloss_core.losses.scores import METRICS

USUAL_ROWS, USUAL_FEATURES = 1500, 10  # of a data set of which nothing is known yet
MODEL_BYTES = 8_000  # of a recipe, its rows, its lines in the tables
POINT = 2 * (len(METRICS) + 9)  # numbers per model and point of a learning curve

REPAIRS = {  # by the part that needs the most memory
    "table": "use fewer rows or columns",
    "folds": "use fewer rows, folds or repeats",
    "models": "use fewer folds, repeats, losses or hidden units",
    "step": "use smaller batches, fewer hidden units, fewer losses or fewer rows",
    "curves": "use fewer epochs, repeats, folds or losses, or fewer points of learning curves",
    "outputs": "use fewer rows, repeats or losses",
}
LESS_TIME = "use fewer epochs, rows, folds, repeats or losses, or larger batches"


def check_comparison(
    dataset: Dataset, settings: ComparisonSettings, seconds: float | None = None
) -> None:
    """Refuse a comparison that does not fit into memory or, where there is a limit, its time."""
    check_fits(estimate_comparison(dataset, settings), "this comparison", seconds)


def check_fits(needed: Estimate, what: str, seconds: float | None = None) -> None:
    """Refuse what needs more memory than is free, or more seconds than are allowed."""
    named = f"{what} ({needed.text})"
    largest = max(needed.parts, key=lambda part: needed.parts[part])
    check_room(needed.bytes, named, REPAIRS[largest])
    if seconds is not None and needed.seconds > seconds:
        raise TooLarge(
            f"{named} would take about {needed.seconds / 3600:,.1f} hours of the "
            f"{seconds / 3600:g} that a run may work; {LESS_TIME}"
        )


def estimate_comparison(dataset: Dataset, settings: ComparisonSettings) -> Estimate:
    """For a comparison, its preparation and its tables included."""
    settings = settings.settled(dataset)
    repeats = settings.repeats or 1
    rows, features = dataset.rows, max(1, most_features(dataset))
    whole = comparison_load(settings, rows, features)
    points = min(settings.plan.epochs // settings.curve_spacing + 1, settings.plan.epochs)
    parts = bytes_of(comparison_load(settings, rows, features, folds_at_once(dataset, settings)))
    parts["folds"] += NUMBER * rows * settings.folds * repeats
    parts["models"] += MODEL_BYTES * whole.models
    parts["curves"] = NUMBER * POINT * whole.models * points
    tables = 4 * NUMBER * rows * (len(settings.losses) + 3)
    cuts = 2 * NUMBER * len(CUTS) * min(MOST, rows) * _free_cuts(settings) * settings.folds
    parts["outputs"] = (tables + cuts) * repeats * settings.seeds
    if any(spec.method == "online_f1" for spec in settings.specs):  # all training rows, at the end
        parts["outputs"] += 3 * NUMBER * rows * whole.models
    seconds = seconds_of(whole) + reference_seconds(settings, rows, features)
    return Estimate(whole.text, seconds, parts)


def epochs_of_a_fit(dataset: Dataset, settings: ComparisonSettings) -> int:
    """How many epochs last as long as scikit-learn's classifiers on one fold, all in all."""
    fits = settings.all_folds * (len(settings.losses) - len(settings.trained))
    if not fits:
        return 0
    rows, features = dataset.rows, max(1, most_features(dataset))
    ours = seconds_of(comparison_load(settings, rows, features)) / settings.plan.epochs
    return max(1, round(reference_seconds(settings, rows, features) / fits / ours))


def estimate_final(dataset: Dataset, settings: ComparisonSettings) -> Estimate:
    """For one model on all rows."""
    features = max(1, most_features(dataset))
    settings = replace(settings, training_rows=dataset.rows)
    return estimate_load(_load(settings, dataset.rows, features, 1, dataset.rows))


def unit_seconds(
    settings: ComparisonSettings, rows: int | None, features: int | None = None
) -> float:
    """Seconds of one core for a comparison on a data set that may not be opened yet."""
    size = rows or USUAL_ROWS, features or USUAL_FEATURES
    return seconds_of(comparison_load(settings, *size)) + reference_seconds(settings, *size)


def comparison_load(
    settings: ComparisonSettings, rows: int, features: int, folds: int | None = None
) -> Load:
    """All folds of a comparison, or so many of them at once."""
    settings = settings.for_rows(rows)
    train = rows - rows // settings.folds
    return _load(settings, rows, features, folds or settings.all_folds, train)


def _load(settings: ComparisonSettings, rows: int, features: int, folds: int, train: int) -> Load:
    """So many folds, each trained on so many rows."""
    plan, own = settings.plan, settings.chosen_protocol.fitted_in_fold
    specs = [settings.specs[number] for number in settings.trained]
    methods = [spec.method for spec in specs]
    inner_folds = used_folds(train)
    models = models_of(settings)
    inner = models["inner"] * inner_folds
    sizes = {batch_of(spec, plan, train) for spec in specs}
    return Load(
        rows=(folds if own else 1) * rows + folds * train * methods.count("smote"),
        features=features,
        train=train * (2 if "smote" in methods else 1),
        folds=folds * (1 + inner_folds + methods.count("smote") + methods.count("undersample")),
        models=folds * (models["outer"] + inner),
        epochs=plan.epochs,
        batch=None if None in sizes else max(size for size in sizes if size),
        network=plan.network,
        tuned=inner > 0,
        # Inner folds leave out a part of the rows each.
        seen=round(folds * train * (models["outer"] + inner * (1 - 1 / INNER_FOLDS))),
        steps=sum(train / (size or train) for size in sizes),
    )


def _free_cuts(settings: ComparisonSettings) -> int:
    """How many models of a fold keep their cuts, for metrics that are chosen afterwards."""
    free = [s for s in settings.specs if s.is_reference or settings.tunes(s)]
    kept = [s for s in free if "metric" not in s.options]
    plan = settings.plan
    return sum(len(candidates(s, plan, plan.lr)) if s.method == "search" else 1 for s in kept)
