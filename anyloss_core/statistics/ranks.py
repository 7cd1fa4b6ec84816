"""Average ranks of losses over data sets, and how far apart they must be to show a difference.

Friedman's test and Nemenyi's critical difference (Demšar, JMLR 2006): with k losses on N data sets
two losses are shown to differ at level alpha when their average ranks are more than
q · sqrt(k(k+1) / 6N) apart, q the studentised range over sqrt(2). Others may be equal or not.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from anyloss_core.statistics.score_table import ScoreTableError, check_scores, score_matrix

ALPHA = 0.05


@dataclass(frozen=True)
class Ranking:
    """Average ranks for one metric, best (1) first."""

    metric: str
    ranks: pd.Series  # loss -> average rank, ascending
    critical_difference: float
    p_value: float  # Friedman: chance of such ranks if all losses were equal
    n_datasets: int
    dropped: int  # data sets left out because a loss is missing there
    alpha: float

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """Maximal runs of losses whose ranks lie within one critical difference, two or more."""
        values = self.ranks.to_numpy()
        runs: list[tuple[int, int]] = []
        for start in range(len(values)):
            near = values <= values[start] + self.critical_difference
            end = int(np.flatnonzero(near)[-1]) + 1
            if end - start > 1 and (not runs or end > runs[-1][1]):
                runs.append((start, end))
        return [tuple(self.ranks.index[start:end]) for start, end in runs]


def rank_losses(scores: pd.DataFrame, metric: str, alpha: float = ALPHA) -> Ranking:
    """Rank the losses on every data set that has all of them (ties share the mean rank)."""
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, got {alpha!r}; 0.05 is usual")
    matrix = score_matrix(check_scores(scores), metric)
    complete = matrix.dropna()
    if complete.shape[0] < 2 or complete.shape[1] < 2:
        raise ScoreTableError(
            f"scores: ranks of {metric!r} need two losses on two data sets, "
            f"got {complete.shape[1]} on {complete.shape[0]} complete ones"
        )
    ranks = complete.round(9).rank(axis=1, ascending=False)
    return Ranking(
        metric=metric,
        ranks=ranks.mean().sort_values(kind="stable"),
        critical_difference=critical_difference(complete.shape[1], len(complete), alpha),
        p_value=friedman_p(ranks.to_numpy()),
        n_datasets=len(complete),
        dropped=len(matrix) - len(complete),
        alpha=alpha,
    )


def critical_difference(losses: int, datasets: int, alpha: float = ALPHA) -> float:
    """Nemenyi's critical difference of average ranks."""
    q = stats.studentized_range.ppf(1 - alpha, losses, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(losses * (losses + 1) / (6 * datasets)))


def friedman_p(ranks: np.ndarray) -> float:
    """p-value of Friedman's test with ties, from ranks (data sets, losses); two losses as well."""
    n, k = ranks.shape
    between = n * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    within = ((ranks - (k + 1) / 2) ** 2).sum() / (n * (k - 1))
    if within == 0:  # every data set ties every loss
        return 1.0
    return float(stats.chi2.sf(between / within, k - 1))
