"""Tidy scores of many data sets, in the shape of the paper's tables of 102 data sets.

The scores are ours (a benchmark) or the user's (an uploaded table); they stand beside the published
figures as what they are: another collection of data. Only scores of the paper's own 102 data sets
can be equal.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.paper.cells import NOISE, Cell, Result, Where, exact_cell, rounded
from anyloss_core.paper.tables import load_table
from anyloss_core.statistics.analysis import group_differences, winning_numbers
from anyloss_core.statistics.bayes import sign_test
from anyloss_core.statistics.score_table import (
    ScoreTableError,
    average_repeats,
    check_scores,
    read_repeats,
    read_scores,
    read_shares,
)
from anyloss_core.statistics.verdicts import Verdict, each

BASELINES = ("mse", "bce")
WHY = "another collection of data"
MONTE_CARLO = 0.01  # noise of a published probability, drawn at random
OUTCOMES = {"candidate_wins": "win", "draw": "draw", "baseline_wins": "lose"}


def beside_published(
    scores: pd.DataFrame, model: str, positive_shares: Mapping[str, float] | None = None
) -> Result:
    """Winning numbers, win/draw/lose probabilities and, with shares, the imbalance groups."""
    table = _aimed(check_scores(scores))
    cells = _winning_cells(table, model) + _verdict_cells(table, model)
    if positive_shares and set(table["dataset"]) <= set(positive_shares):
        cells += _group_cells(table, model, positive_shares)
    return Result(cells, {"model": model, "datasets": int(table["dataset"].nunique())})


def _aimed(scores: pd.DataFrame) -> pd.DataFrame:
    """MSE, BCE and, for each metric of the paper, the AnyLoss that aims at it."""
    metrics = load_table("slp_102_bayes")["metric"].unique()
    aimed = {"anyloss:" + metric for metric in metrics}
    bare = scores.assign(loss=scores["loss"].str.partition("@")[0])
    kept = bare[bare["metric"].isin(metrics) & bare["loss"].isin({*BASELINES, *aimed})]
    own = kept["loss"].isin(BASELINES) | (kept["loss"] == "anyloss:" + kept["metric"])
    kept = kept[own].drop_duplicates(["dataset", "loss", "metric"])  # the first of several L
    if not (len(kept) and set(BASELINES) & set(kept["loss"]) and set(aimed) & set(kept["loss"])):
        raise ScoreTableError(
            "scores needs a baseline (mse, bce) and an AnyLoss scored by its own metric, for "
            f"example anyloss:f1 by f1; got the losses {', '.join(scores['loss'].unique()[:6])}"
        )
    return check_scores(kept)


def _winning_cells(scores: pd.DataFrame, model: str) -> list[Cell]:
    published = load_table("102_wins")
    published = published[published["model"] == model]
    complete = [
        metric
        for metric in published["metric"].unique()
        if {*BASELINES, f"anyloss:{metric}"} <= set(scores.loc[scores["metric"] == metric, "loss"])
    ]
    if not complete:
        return []
    numbers = winning_numbers(scores, {metric: f"anyloss:{metric}" for metric in complete})
    ours = numbers.set_index(["metric", "loss"])["as_published"]
    why = f"{WHY}: {scores['dataset'].nunique()} data sets here, 102 published"
    return [
        _cell(
            Where("102_wins", model, row.loss, f"{row.metric} wins"),
            row.wins,
            ours[row.metric, row.loss],
            why,
        )
        for row in published.itertuples()
        if row.metric in complete
    ]


def _verdict_cells(scores: pd.DataFrame, model: str) -> list[Cell]:
    cells = []
    name = f"{model}_102_bayes"
    for row in load_table(name).itertuples():
        verdict = _verdict(scores, row.candidate, row.baseline, row.metric, row.rope)
        if verdict is None:
            continue
        for outcome, word in OUTCOMES.items():
            against = f"against {row.baseline.upper()}, rope {row.rope:g}"
            metric = f"{row.metric} P({word}) {against}"
            ours, theirs = getattr(verdict, outcome), getattr(row, outcome)
            cell = _cell(Where(name, model, row.candidate, metric), theirs, ours, WHY)
            # Probabilities of the same scores differ by Monte-Carlo noise only.
            if not cell.equal and abs(ours - theirs) <= MONTE_CARLO:
                cell = replace(cell, verdict=NOISE, explanation="")
            votes = f"{verdict.votes} data sets won / tied / lost here"
            why = f"{cell.explanation}: {votes}" if cell.explanation else votes
            cells.append(replace(cell, explanation=why))
    return cells


def _verdict(
    scores: pd.DataFrame, candidate: str, baseline: str, metric: str, rope: float
) -> Verdict | None:
    rows = scores[(scores["metric"] == metric) & scores["loss"].isin((candidate, baseline))]
    if rows["loss"].nunique() < 2:
        return None
    (verdict,) = each(sign_test(rows, rope, baseline))
    return verdict


def _group_cells(
    scores: pd.DataFrame, model: str, positive_shares: Mapping[str, float]
) -> list[Cell]:
    published = load_table("102_imbalance_groups")
    published = published[published["model"] == model]
    contests = [
        contest
        for contest in published[["candidate", "baseline", "metric"]]
        .drop_duplicates()
        .itertuples(index=False)
        if set(contest[:2]) <= set(scores.loc[scores["metric"] == contest[2], "loss"])
    ]
    if not contests:
        return []
    ours = group_differences(scores, positive_shares, [tuple(contest) for contest in contests])
    ours = ours.set_index(["group", "candidate", "baseline", "metric"])
    cells = []
    for row in published.itertuples():
        key = (row.group, row.candidate, row.baseline, row.metric)
        if key in ours.index:
            found = ours.loc[key]
            metric = f"{row.metric} against {row.baseline.upper()}, {row.group}"
            why = (
                f"{WHY}: {found['datasets']:.0f} data sets in this group, {row.datasets} published"
            )
            for name in ("mean", "sd"):
                where = Where("102_imbalance_groups", model, row.candidate, f"{metric}, {name}")
                if np.isfinite(found[name]):  # one data set alone has no sd
                    cells.append(_cell(where, getattr(row, name), found[name], why))
    return cells


def read_brought(path: str) -> dict[str, Any]:
    """A file of scores that a visitor brought: its rows, checked, and the shares of positives."""
    scores = read_repeats(path)
    average_repeats(scores)  # refuses what stands there twice
    return {"scores": scores, "shares": find_shares(path)}


def find_shares(source: str | bytes) -> dict[str, float]:
    """Data set -> share of positive rows, from the column positive_share of a table of scores.

    Without it, data sets that are called 1 to 102 are taken for the paper's.
    """
    if shares := read_shares(source):
        return shares
    meta = load_table("102_datasets_meta")
    known = dict(zip(meta["dataset"].astype(str), meta["positive_share"], strict=True))
    return known if set(read_scores(source)["dataset"]) <= set(known) else {}


def _cell(where: Where, published: float, ours: float, why: str = WHY) -> Cell:
    return exact_cell(where, float(published), float(ours), rounded(float(ours), 3), why)
