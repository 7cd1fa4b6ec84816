"""What a training costs: the one formula for seconds and the one count of bytes.

    seconds = once + model · M + step · S + unit · R · U + product · R · P

M are the models, S the steps of training (epochs x batches), R the rows that all models see in all
epochs, U the units of a network and P its parameters. The coefficients were measured, see COSTS;
`Clock` corrects them by what is done. Bytes are counted from the tensors and tables that will be
made, and are an upper bound. How large a comparison is, is left to `estimates`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from anyloss_core.engine.blocks import CACHED
from anyloss_core.engine.models import Network

NUMBER = 8  # bytes of a float64
INDEX = 6  # numbers per row and fold: which rows a fold trains on, in a few copies
HELD = 10.0  # seconds of finished units that count as much as the measured coefficients


class Terms(NamedTuple):
    """What a training consists of; as coefficients, the seconds of one core for each of them."""

    once: float  # reading, first touch
    models: float  # preparing its fold, tabulating it
    steps: float  # of the optimiser, whatever their size
    units: float  # one row in one hidden or output unit of one model
    products: float  # one row, one parameter of one model


# Processor seconds of one thread, by tests/benchmarks/cost_fit.py on 2026-11-18 (x86-64 server
# whose two cores had other work, so rather too high; torch 2.13, float64): median error 9 % (slp)
# and 10 % (mlp). To `once`, 0.1 s are added for reading a table of the real suite.
COSTS = {
    "slp": Terms(once=0.11, models=1.1e-3, steps=3.3e-4, units=5.3e-9, products=7.5e-10),
    "mlp": Terms(once=0.12, models=1.7e-3, steps=2.2e-4, units=1.9e-8, products=3.8e-10),
}


@dataclass(frozen=True)
class Load:
    """The figures that decide cost."""

    rows: int  # of the table, copies of folds and added rows included
    features: int
    train: int  # training rows of the model that has most
    folds: int  # lists of training rows, of inner folds too
    models: int
    epochs: int
    batch: int | None  # rows of the largest batch; None: all
    network: Network
    tuned: bool = False  # some thresholds are tuned in inner folds, with rows of their own
    seen: int | None = None  # training rows of all models together, if they have unequally many
    steps: float | None = None  # of an epoch, if there are batches of several lengths

    @property
    def text(self) -> str:
        return (
            f"{self.train:,} rows x {self.features:,} features for {self.models:,} models, "
            f"{self.epochs:,} epochs"
        )


@dataclass(frozen=True)
class Estimate:
    """What a training will need beyond a process that has everything loaded."""

    text: str  # the figures behind it
    seconds: float  # of one core
    parts: Mapping[str, int]  # bytes, by what needs them

    @property
    def bytes(self) -> int:
        return sum(self.parts.values())


def estimate_load(load: Load) -> Estimate:
    """For so many models on so many rows."""
    return Estimate(load.text, seconds_of(load), bytes_of(load))


def seconds_of(load: Load) -> float:
    """Seconds of one core."""
    costs = COSTS["mlp" if load.network.hidden else "slp"]
    return sum(cost * term for cost, term in zip(costs, terms_of(load), strict=True))


def terms_of(load: Load) -> Terms:
    """The terms of a training."""
    steps = load.steps or math.ceil(load.train / (load.batch or load.train))
    seen = load.epochs * (load.seen or load.models * load.train)
    units = sum(load.network.hidden) + 1
    products = load.network.size(load.features)
    return Terms(1.0, load.models, load.epochs * steps, seen * units, seen * products)


def bytes_of(load: Load) -> dict[str, int]:
    """The prepared table, the engine's copy, the rows of the passes and the tensors of a step."""
    table = load.rows * (load.features + 4)
    passes = table * (6 if load.tuned else 1) if load.batch is None else 0
    hidden = load.network.hidden
    batch = min(load.batch or load.train, load.train)
    step = 12 * max(CACHED * 2, max(hidden, default=1) * batch)
    # Every block keeps its logits, slopes and activations from step to step.
    units = sum(hidden) * (2 if load.network.batch_norm else 1)
    kept = load.models * batch * (units + 3) if hidden or load.batch else 0
    # Blocks keep the rows they are judged on too, at most a quarter of those they learn from.
    judged = load.models * (batch // 4) * (load.features + 8) if hidden and not load.batch else 0
    parameters = load.models * load.network.size(load.features)
    numbers = {
        "table": 4 * table + passes,
        "folds": INDEX * load.folds * load.train,
        "models": 8 * parameters,
        "step": step + kept * 3 // 2 + judged,
    }
    return {name: NUMBER * count for name, count in numbers.items()}


class Clock:
    """Time left of a benchmark: estimates, scaled by how wrong they were so far."""

    def __init__(self) -> None:
        self._expected = self._spent = HELD

    def learn(self, expected: float, spent: float) -> None:
        """A unit is done."""
        self._expected += expected
        self._spent += spent

    @property
    def pace(self) -> float:
        """Real seconds per estimated second."""
        return self._spent / self._expected

    def left(self, estimates: list[float], workers: int = 1) -> float:
        """Seconds until these units are done: at least as long as the longest of them."""
        if not estimates:
            return 0.0
        return self.pace * max(sum(estimates) / workers, max(estimates))
