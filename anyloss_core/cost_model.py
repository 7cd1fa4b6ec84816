"""How long a unit takes before it is done: seconds from rows, features, losses, folds and seeds.

    seconds = once + model · M + step · S + row · R + product · R · F · H

M are the models (losses x folds x seeds, two more losses for tuned thresholds), S the steps of
training (epochs x batches), R the rows that all models see in all epochs, F the features, H the
hidden units (1 without). The coefficients were measured, see COSTS; `Clock` corrects them by the
units that are done.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import NamedTuple

from anyloss_core.assembly import INNER_FOLDS
from anyloss_core.protocols import batch_of
from anyloss_core.settings import ComparisonSettings

USUAL_ROWS, USUAL_FEATURES = 1500, 10  # of a data set of which nothing is known yet
HELD = 10.0  # seconds of finished units that weigh as much as the measured coefficients


class Terms(NamedTuple):
    """What a unit consists of, in the order of the coefficients."""

    once: float
    models: float
    steps: float
    rows: float
    products: float


@dataclass(frozen=True)
class Cost:
    """Seconds on one core for each of the terms."""

    once: float  # reading, first touch
    model: float  # preparing its fold, tabulating it
    step: float  # of the optimiser, whatever its size
    row: float  # one row of one model
    product: float  # one row, one feature, one hidden unit of one model


# Processor seconds of one thread, by tests/benchmarks/cost_fit.py on 2026-11-17 (x86-64 server with
# two quiet cores, torch 2.13, float64): median error 10 % (slp) and 8 % (mlp). To `once`, 0.1 s are
# added for reading a table of the real suite.
COSTS = {
    "slp": Cost(once=0.15, model=6.6e-4, step=1.5e-4, row=5.4e-9, product=6.6e-10),
    "mlp": Cost(once=0.1, model=1.4e-3, step=2.3e-4, row=6.4e-8, product=3.0e-10),
}


def estimate(settings: ComparisonSettings, rows: int | None, features: int | None = None) -> float:
    """Seconds of one data set on one core."""
    terms = count(settings, rows or USUAL_ROWS, features or USUAL_FEATURES)
    return sum(a * b for a, b in zip(astuple(COSTS[settings.model]), terms, strict=True))


def count(settings: ComparisonSettings, rows: int, features: int) -> Terms:
    """The terms of a unit."""
    plan = settings.plan
    train = rows * (settings.folds - 1) / settings.folds
    folds = settings.folds * settings.repeats * settings.seeds
    batches = {train / (batch_of(s, plan, int(train)) or train) for s in settings.specs}
    # The inner folds of tuned thresholds, which they share, leave out a part of the rows each.
    tuned = any(spec.method == "threshold" for spec in settings.specs)
    models = folds * (len(settings.specs) + tuned * (INNER_FOLDS - 1))
    seen = models * train * plan.epochs
    width = features * sum(plan.network.hidden or (1,))
    return Terms(1.0, models, plan.epochs * sum(batches), seen, seen * width)


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
