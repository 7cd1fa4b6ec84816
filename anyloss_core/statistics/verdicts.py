"""What a Bayesian comparison says: who wins, with which probability, and how exactly that is known.

Plain results with names, free of the package that computes them (`bayes`), so that the store and
the figures can hold them.
"""

from dataclasses import dataclass, field, fields
from typing import TypeVar

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Verdict:
    """Probabilities that the candidate is better, that it makes no difference, that it is worse.

    Over many data sets they say how probably an outcome has the largest share of all data sets, not
    how probably it is met on one of them: `wins`, `ties` and `losses` stand beside them for that.
    """

    candidate: str
    baseline: str
    metric: str
    rope: float
    candidate_wins: float
    draw: float
    baseline_wins: float
    wins: int  # data sets (or folds) on which the candidate is better by more than the rope
    ties: int
    losses: int
    test: str
    error: float  # Monte-Carlo standard error of the largest of the three; 0 for a closed form
    n_datasets: int
    dropped: int  # data sets left out because only one of the two losses was scored there
    difference: float  # mean of candidate - baseline
    spread: float  # standard deviation of candidate - baseline, 0 for a single one
    posterior: np.ndarray | None = field(default=None, repr=False, compare=False)  # (S, 3)

    @property
    def votes(self) -> str:
        """'31 / 60 / 17': data sets (or folds) won, tied and lost."""
        return f"{self.wins} / {self.ties} / {self.losses}"

    @property
    def winner(self) -> str:
        """'candidate', 'draw' or 'baseline': the most probable of the three."""
        chances = (self.candidate_wins, self.draw, self.baseline_wins)
        return ("candidate", "draw", "baseline")[int(np.argmax(chances))]


AnyVerdict = TypeVar("AnyVerdict", bound=Verdict)


@dataclass(frozen=True)
class FoldVerdict(Verdict):
    """A verdict from the folds of one data set; its posterior is a Student distribution."""

    folds: int = 0
    scale: float = 0.0  # of the Student distribution around `difference`
    degrees: int = 0

    def density(self, differences: np.ndarray) -> np.ndarray:
        """Posterior density of the difference; a spike of zero width has none, all NaN."""
        from scipy import stats  # slow to import, and most pages only carry verdicts about

        if self.scale == 0:
            return np.full_like(differences, np.nan, dtype=np.float64)
        return stats.t.pdf(differences, self.degrees, self.difference, self.scale)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Central credible interval of the difference."""
        from scipy import stats

        reach = stats.t.ppf(0.5 + level / 2, self.degrees) * self.scale
        return self.difference - reach, self.difference + reach


def each(found: AnyVerdict | list[AnyVerdict]) -> list[AnyVerdict]:
    """What a test returned, one verdict or several, as a list."""
    return found if isinstance(found, list) else [found]


def verdict_table(verdicts: AnyVerdict | list[AnyVerdict]) -> pd.DataFrame:
    """Verdicts as rows, for a page or a file; the posterior stays behind."""
    shown = [item.name for item in fields(Verdict) if item.name != "posterior"]
    return pd.DataFrame(
        [{name: getattr(v, name) for name in shown} for v in each(verdicts)], columns=shown
    )
