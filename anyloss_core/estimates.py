"""How much memory and time a study or a comparison will need, before it is started.

Memory is counted from the tensors the engine will make; time from rows, features and models with
rates measured by tests/benchmarks/engine_cost.py. Memory is an upper bound, time good to a factor
of about two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from anyloss_core.assembly import CELLS, INNER_FOLDS
from anyloss_core.blocks import CACHED
from anyloss_core.datasets import Dataset
from anyloss_core.models import Network
from anyloss_core.protocols import batch_of
from anyloss_core.settings import ComparisonSettings
from anyloss_core.study import Study

BASE_BYTES = 600_000_000  # Python with torch, pandas and scikit-learn loaded, and their heaps
NUMBER = 8  # bytes of a float64
# Seconds on one thread of a 2.5 GHz server core (see the cost table in the README).
PER_EPOCH = 4e-4  # of a group of models, whatever its size
PER_STEP = 4e-4  # of a mini-batch of a group
PER_NUMBER = 10e-9  # of a logit or a hidden unit, forward and backward
PER_PRODUCT = 0.15e-9  # of a feature for each of them


@dataclass(frozen=True)
class Estimate:
    """What training will need."""

    models: int
    bytes: int
    seconds: float


@dataclass(frozen=True)
class Load:
    """The figures that decide cost."""

    rows: int  # of the table, copies of folds included
    features: int
    train: int  # training rows of one model
    models: int
    epochs: int
    batch: int | None
    network: Network
    tuned: bool = False  # some thresholds are tuned in inner folds, with rows of their own


def estimate(study: Study) -> Estimate:
    """For a study of the engine."""
    lengths = [len(study.rows[model.rows].train) for model in study.models]
    sizes = [model.batch for model in study.models if model.batch]
    load = Load(
        rows=study.features.shape[0],
        features=study.features.shape[1],
        train=max(lengths),
        models=len(study.models),
        epochs=study.epochs,
        batch=min(sizes, default=None),
        network=study.network,
    )
    return Estimate(load.models, _bytes(load), _seconds(load))


def estimate_comparison(dataset: Dataset, settings: ComparisonSettings) -> Estimate:
    """For a comparison, its preparation included."""
    loads = list(_loads(dataset, settings))
    models = sum(load.models for load in loads)
    outputs = 4 * NUMBER * dataset.rows * len(settings.losses) * settings.repeats * settings.seeds
    most = max(_bytes(load) for load in loads) + outputs
    return Estimate(models, most, sum(_seconds(load) for load in loads))


def _loads(dataset: Dataset, settings: ComparisonSettings) -> Iterator[Load]:
    plan, folds = settings.plan, settings.folds * settings.repeats * settings.seeds
    train = dataset.rows - dataset.rows // settings.folds
    inner = sum(spec.method == "threshold" for spec in settings.specs) * INNER_FOLDS
    features = _width(dataset)
    at_once = folds
    if settings.chosen_protocol.fitted_in_fold:
        at_once = min(folds, max(1, CELLS // (dataset.rows * features)))
    copies = at_once if settings.chosen_protocol.fitted_in_fold else 1
    batch = batch_of(settings.specs[0], plan, train)
    for start in range(0, folds, at_once):
        many = min(at_once, folds - start)
        models = many * (len(settings.losses) + inner)
        yield Load(
            copies * dataset.rows,
            features,
            train,
            models,
            plan.epochs,
            batch,
            plan.network,
            tuned=inner > 0,
        )


def _width(dataset: Dataset) -> int:
    """Features after one-hot coding, at most."""
    width = 0
    for name in dataset.frame.columns:
        column = dataset.frame[name]
        width += column.nunique() + 1 if column.dtype.kind not in "fiub" else 2
    return max(width, 1)


def _bytes(load: Load) -> int:
    """The prepared table, the engine's copy, the rows of the passes and the tensors of a step."""
    table = load.rows * (load.features + 4)
    passes = table * (4 if load.tuned else 1) if load.batch is None else 0
    masks = load.models * load.rows // 8 if load.batch is None else 0
    widest = max(load.network.hidden, default=1)
    step = 12 * max(CACHED * 2, widest * (load.batch or load.train))
    parameters = 8 * load.models * load.network.size(load.features)
    numbers = 4 * table + passes + masks + step + parameters
    return BASE_BYTES + NUMBER * numbers


def _seconds(load: Load) -> float:
    units = sum(load.network.hidden) + 1
    numbers = load.models * load.train * units
    products = load.models * load.train * load.network.size(load.features)
    steps = math.ceil(load.train / load.batch) if load.batch else 1
    groups = max(1, numbers // steps // CACHED)
    one_epoch = PER_EPOCH + groups * steps * PER_STEP
    return load.epochs * (one_epoch + numbers * PER_NUMBER + products * PER_PRODUCT)
