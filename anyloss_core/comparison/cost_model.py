"""How much memory and time a training will need, before it is started.

Memory is counted from the tensors and tables that will be made, and is an upper bound; time comes
from rates measured by tests/benchmarks/engine_cost.py and is good to a factor of about two. What
does not fit is refused with the figure and with what to reduce.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from anyloss_core.blocks import CACHED
from anyloss_core.memory import TooLarge, check_room
from anyloss_core.models import Network
from anyloss_core.study import Study

BASE_BYTES = 600_000_000  # Python with torch, pandas and scikit-learn loaded, and their heaps
NUMBER = 8  # bytes of a float64
NOTED = 1 << 22  # numbers in the notes on epochs that are judged together
INDEX = 6  # numbers per row and fold: which rows a fold trains on, in a few copies
# Seconds on one thread of a 2.5 GHz server core (see the cost table in the README).
PER_EPOCH = 4e-4  # of a group of models, whatever its size
PER_STEP = 4e-4  # of a mini-batch of a group
PER_NUMBER = 10e-9  # of a logit or a hidden unit, forward and backward
PER_PRODUCT = 0.15e-9  # of a feature for each of them

REPAIRS = {  # by the part that needs the most memory
    "table": "use fewer rows or columns",
    "folds": "use fewer rows, folds or repeats",
    "models": "use fewer folds, repeats, losses or hidden units",
    "step": "use smaller batches, fewer hidden units, fewer losses or fewer rows",
    "curves": "use fewer epochs, repeats, folds or losses, or fewer points of learning curves",
    "outputs": "use fewer rows, repeats or losses",
}
LESS_TIME = "use fewer epochs, rows, folds, repeats or losses, or larger batches"


@dataclass(frozen=True)
class Estimate:
    """What training will need: bytes of the whole process, seconds of one core."""

    models: int
    bytes: int
    seconds: float
    size: str = ""  # the figures behind it, in words
    parts: Mapping[str, int] = field(default_factory=dict)  # bytes, by the names of REPAIRS

    @property
    def extra(self) -> int:
        """Bytes beyond a process that has everything loaded."""
        return self.bytes - BASE_BYTES


@dataclass(frozen=True)
class Load:
    """The figures that decide cost."""

    rows: int  # of the table, copies of folds and added rows included
    features: int
    train: int  # training rows of one model
    folds: int  # lists of training rows, of inner folds too
    models: int
    epochs: int
    batch: int | None
    network: Network
    tuned: bool = False  # some thresholds are tuned in inner folds, with rows of their own

    @property
    def text(self) -> str:
        return (
            f"{self.train:,} rows x {self.features:,} features for {self.models:,} models, "
            f"{self.epochs:,} epochs"
        )


def check_fits(needed: Estimate, what: str, seconds: float | None = None) -> None:
    """Refuse what needs more memory than is free, or more seconds than are allowed."""
    named = f"{what} ({needed.size})"
    check_room(needed.extra, named, REPAIRS[max(needed.parts, key=needed.parts.get)])
    if seconds is not None and needed.seconds > seconds:
        raise TooLarge(
            f"{named} would take about {needed.seconds / 3600:,.1f} hours of the "
            f"{seconds / 3600:g} that a run may work; {LESS_TIME}"
        )


def estimate(study: Study) -> Estimate:
    """For a study of the engine."""
    lengths = [len(study.rows[model.rows].train) for model in study.models]
    sizes = [model.batch for model in study.models if model.batch]
    load = Load(
        rows=study.features.shape[0],
        features=study.features.shape[1],
        train=max(lengths),
        folds=len(study.rows),
        models=len(study.models),
        epochs=study.epochs,
        batch=min(sizes, default=None),
        network=study.network,
    )
    return estimate_load(load)


def estimate_load(load: Load) -> Estimate:
    """For so many models on so many rows."""
    return add_up(load, _seconds(load), bytes_of(load))


def add_up(load: Load, seconds: float, parts: Mapping[str, int]) -> Estimate:
    """All parts together, in a process that has everything loaded."""
    return Estimate(load.models, BASE_BYTES + sum(parts.values()), seconds, load.text, parts)


def bytes_of(load: Load) -> dict[str, int]:
    """The prepared table, the engine's copy, the rows of the passes and the tensors of a step."""
    table = load.rows * (load.features + 4)
    passes = table * (4 if load.tuned else 1) if load.batch is None else 0
    hidden = load.network.hidden
    batch = min(load.batch or load.train, load.train)
    step = 12 * max(CACHED * 2, max(hidden, default=1) * batch)
    # Every block keeps its logits, slopes and activations from step to step.
    units = sum(hidden) * (2 if load.network.batch_norm else 1)
    kept = load.models * batch * (units + 3) if hidden or load.batch else 0
    parameters = load.models * load.network.size(load.features)
    pages = min(NOTED, 64 * parameters)  # parameters of several epochs, in a few copies
    numbers = {
        "table": 4 * table + passes,
        "folds": INDEX * load.folds * load.train,
        "models": 8 * parameters + pages,
        "step": step + kept,
    }
    return {name: NUMBER * count for name, count in numbers.items()}


def _seconds(load: Load) -> float:
    units = sum(load.network.hidden) + 1
    numbers = load.models * load.train * units
    products = load.models * load.train * load.network.size(load.features)
    steps = math.ceil(load.train / load.batch) if load.batch else 1
    groups = max(1, numbers // steps // CACHED)
    one_epoch = PER_EPOCH + groups * steps * PER_STEP
    return load.epochs * (one_epoch + numbers * PER_NUMBER + products * PER_PRODUCT)
