"""Who wins over many data sets, counted plainly: wins, ties and losses, groups by imbalance.

Works on tidy scores (`dataset, loss, metric, score`). How sure a difference is: `bayes`; ranks and
the critical difference: `ranks`.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from anyloss_core.statistics.score_table import (
    TIE,
    check_scores,
    contests,
    pair_scores,
    require_loss,
    score_matrix,
)

BASELINES = ("mse", "bce")  # of the paper's winning numbers
# Share of the positive (minority) class: upper end, name. The ends are the paper's; a share on an
# edge belongs to the more balanced group, which gives the paper's group sizes.
IMBALANCE_GROUPS = (
    (0.1, "above 90:10"),
    (0.2, "80:20-90:10"),
    (0.3, "70:30-80:20"),
    (math.nextafter(0.4, 1), "60:40-70:30"),  # 60:40 itself is where the paper's range begins
    (1.0, "below 60:40"),
)


def count_wins(scores: pd.DataFrame, baseline: str = "bce", rope: float = 0.0) -> pd.DataFrame:
    """Wins, ties and losses of every other loss against `baseline`, per metric.

    A difference of at most `rope` is a tie. `wins_as_published` counts ties as wins, as the
    paper did.
    """
    table = check_scores(scores)
    rows = []
    for contest in contests(table, baseline):
        pair = pair_scores(table, *contest)
        votes = pair.votes(rope)
        names = (contest.metric, contest.candidate, baseline)
        rows.append((*names, *votes, votes.wins + votes.ties, pair.dropped))
    columns = ["metric", "candidate", "baseline", "wins", "ties", "losses"]
    return pd.DataFrame(rows, columns=[*columns, "wins_as_published", "dropped"])


def winning_numbers(scores: pd.DataFrame, candidates: Mapping[str, str]) -> pd.DataFrame:
    """On how many data sets each loss is best among the baselines and the metric's candidate.

    `candidates` maps a metric to the loss that aims at it. `wins` are outright, `ties` share the
    best score, `as_published` gives a shared best score to the candidate (among baselines: to the
    first of them), so that the column adds up to the data sets, as in the paper.
    """
    table = check_scores(scores)
    parts = [
        _winning_numbers(score_matrix(table, metric), metric, [*BASELINES, candidate])
        for metric, candidate in candidates.items()
    ]
    return pd.concat(parts, ignore_index=True)


def imbalance_group(positive_share: float) -> str:
    """Name of the imbalance group of a data set, from the share of its smaller class."""
    share = min(positive_share, 1 - positive_share)
    return next(name for end, name in IMBALANCE_GROUPS if share < end)


def group_differences(
    scores: pd.DataFrame,
    positive_shares: Mapping[str, float],
    contests: Sequence[tuple[str, str, str]],
) -> pd.DataFrame:
    """Mean and sd (ddof 1) of candidate - baseline per imbalance group.

    `contests` are (candidate, baseline, metric); `positive_shares` maps a data set to the share of
    its positive rows.
    """
    table = check_scores(scores)
    missing = set(table["dataset"]) - set(positive_shares)
    if missing:
        raise ValueError(
            f"positive_shares lacks {len(missing)} of the data sets, for example "
            f"{min(map(str, missing))!r}; give the share of positive rows of each"
        )
    parts = []
    for candidate, baseline, metric in contests:
        pair = pair_scores(table, candidate, baseline, metric)
        groups = [imbalance_group(positive_shares[name]) for name in pair.datasets]
        gains = pd.Series(pair.differences).groupby(groups)
        part = gains.agg(datasets="size", mean="mean", sd="std").rename_axis("group").reset_index()
        parts.append(part.assign(candidate=candidate, baseline=baseline, metric=metric))
    order = [name for _, name in reversed(IMBALANCE_GROUPS)]
    joined = pd.concat(parts, ignore_index=True)
    joined = joined.sort_values("group", key=lambda names: names.map(order.index), kind="stable")
    names = ["group", "datasets", "metric", "candidate", "baseline", "mean", "sd"]
    return joined[names].reset_index(drop=True)


def dataset_differences(
    scores: pd.DataFrame, candidate: str, baseline: str, metric: str
) -> pd.DataFrame:
    """One row a data set: both scores and candidate - baseline."""
    pair = pair_scores(check_scores(scores), candidate, baseline, metric)
    return pd.DataFrame(
        {
            "dataset": pair.datasets,
            "candidate": pair.candidate,
            "baseline": pair.baseline,
            "difference": pair.differences,
        }
    )


def _winning_numbers(matrix: pd.DataFrame, metric: str, losses: list[str]) -> pd.DataFrame:
    for loss in losses:
        require_loss(pd.DataFrame({"loss": matrix.columns}), loss, "candidates or baselines")
    complete = matrix[losses].dropna().to_numpy()  # (N, losses)
    best = complete >= complete.max(axis=1, keepdims=True) - TIE
    alone = best.sum(axis=1) == 1
    # The candidate is last and takes shared wins; among baselines the first does.
    taker = np.where(best[:, -1], best.shape[1] - 1, best.argmax(axis=1))
    return pd.DataFrame(
        {
            "metric": metric,
            "loss": losses,
            "wins": (best & alone[:, None]).sum(axis=0),
            "ties": (best & ~alone[:, None]).sum(axis=0),
            "as_published": np.bincount(taker, minlength=len(losses)),
            "datasets": len(complete),
        }
    )
