"""How long a unit takes before it is done: seconds from rows, features, losses, folds and seeds.

    seconds = once + step · S + cell · S · B · M · (1 + share · F · H)

S are the steps of training (epochs x batches), B the rows of a batch, M the models (losses x folds
x seeds, and three more folds for a tuned threshold), F the features, H the hidden units. The
coefficients were measured (see MEASURED); `Clock` corrects them by the units that are done.
"""

from __future__ import annotations

from dataclasses import dataclass

from anyloss_core.assembly import INNER_FOLDS
from anyloss_core.protocols import batch_of
from anyloss_core.settings import ComparisonSettings

USUAL_ROWS, USUAL_FEATURES = 1500, 10  # of a data set of which nothing is known yet
HELD = 10.0  # seconds of finished units that weigh as much as the measured coefficients


@dataclass(frozen=True)
class Cost:
    """Seconds on one core."""

    once: float  # reading, preparing, tabulating
    step: float  # of the optimiser, whatever its size
    cell: float  # one row of one model in one step
    share: float  # of that time, added per feature and hidden unit


MEASURED = "placeholder"
COSTS = {"slp": Cost(0.2, 2e-3, 1e-9, 0.1), "mlp": Cost(0.2, 2e-3, 1e-8, 0.1)}


def estimate(settings: ComparisonSettings, rows: int | None, features: int | None = None) -> float:
    """Seconds of one data set on one core."""
    cost, plan = COSTS[settings.model], settings.plan
    train = (rows or USUAL_ROWS) * (settings.folds - 1) / settings.folds
    features = features or USUAL_FEATURES
    width = features * sum(plan.network.hidden or (1,))
    folds = settings.folds * settings.repeats * settings.seeds
    seconds, sizes = cost.once, set()
    for spec in settings.specs:
        batch = batch_of(spec, plan, int(train)) or train
        models = folds * (1 + (INNER_FOLDS - 1 if spec.method == "threshold" else 0))
        steps = plan.epochs * train / batch
        seconds += cost.cell * steps * batch * models * (1 + cost.share * width)
        sizes.add(batch)
    return seconds + cost.step * sum(plan.epochs * train / batch for batch in sizes)


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
