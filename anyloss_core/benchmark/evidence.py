"""Scores of many data sets and what is known about them: the one input of the analysis.

They come from a benchmark or from a file of tidy scores; everything below works on both. A file
may tell the share of positive rows; data sets of the built-in suites are known by name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pandas as pd

from anyloss_core.benchmark.results import Benchmark
from anyloss_core.data.suites.entries import synthetic_suite
from anyloss_core.data.suites.real_suite import large_suite, real_suite
from anyloss_core.losses.spelling import LossError, parse_loss
from anyloss_core.statistics import bayes
from anyloss_core.statistics.analysis import (
    group_differences,
    imbalance_group,
)
from anyloss_core.statistics.score_table import (
    SHARE,
    average_repeats,
    count_runs,
    mark_seeds,
    score_matrix,
)
from anyloss_core.statistics.verdict_sentence import aim_of
from anyloss_core.statistics.verdicts import Verdict, each, verdict_table

NOTHING: Mapping[str, float] = MappingProxyType({})
TESTS: dict[str, Callable[..., Verdict | list[Verdict]]] = {
    "sign": bayes.sign_test,
    "signed_rank": bayes.signed_rank_test,
    "hierarchical": bayes.hierarchical_test,
}


@dataclass(frozen=True, eq=False)
class Evidence:
    """Tidy scores of several losses on many data sets."""

    scores: pd.DataFrame  # dataset, loss, metric, score
    folds: pd.DataFrame | None  # with a column fold, if the scores of folds are known
    ratios: dict[str, float]  # data set -> n of n:1, where it is known
    facts: pd.DataFrame | None = None  # of a benchmark: one row a data set
    runs: int = 1  # repetitions of the cross-validation
    choosing: tuple[str, ...] = ()  # losses whose recipe was chosen on inner folds, where known

    @property
    def losses(self) -> list[str]:
        return list(self.scores["loss"].unique())

    @property
    def metrics(self) -> list[str]:
        return list(self.scores["metric"].unique())

    @property
    def shares(self) -> dict[str, float]:
        """Data set -> share of the positive rows."""
        return {name: 1 / (1 + ratio) for name, ratio in self.ratios.items()}

    @property
    def candidates(self) -> list[str]:
        """The AnyLosses, or all but the first loss where there are none."""
        return [loss for loss in self.losses if is_anyloss(loss)] or self.losses[1:]

    @property
    def baselines(self) -> list[str]:
        """All that is not a candidate."""
        return [loss for loss in self.losses if loss not in self.candidates]

    @property
    def aims(self) -> list[str]:
        """The metrics that the losses are for."""
        return list(dict.fromkeys(aim_of(loss, self.metrics) for loss in self.candidates))

    def of(self, metric: str, *losses: str) -> pd.DataFrame:
        """The tidy scores of one metric, of some losses or of all."""
        rows = self.scores["metric"] == metric
        return self.scores[rows & self.scores["loss"].isin(losses or self.losses)]


def from_benchmark(benchmark: Benchmark, extra: Sequence[str] = ()) -> Evidence:
    """The evidence of a benchmark; `extra` are formulas to be worked out too."""
    settings = benchmark.settings.comparison
    folds = mark_seeds(benchmark.fold_scores_with(extra), settings.folds, settings.seeds)
    return Evidence(
        scores=average_repeats(folds),
        folds=folds,
        ratios=benchmark.ratios,
        facts=benchmark.done,
        runs=settings.repeats or 1,
        choosing=benchmark.choosing,
    )


def from_table(table: pd.DataFrame, shares: Mapping[str, float] = NOTHING) -> Evidence:
    """The evidence of a file that `score_table.read_repeats` has read.

    `shares` maps a data set to the share of its positive rows, where the file tells it.
    """
    known = {table.name: table.ratio for table in (*real_suite(), *large_suite())}
    known |= {twin.name: twin.ratio for twin in synthetic_suite() if twin.ratio}
    known |= {name: (1 - share) / share for name, share in shares.items()}
    scores = average_repeats(table)
    names = scores["dataset"].unique()
    return Evidence(
        scores=scores,
        folds=table if "fold" in table.columns else None,
        ratios={name: known[name] for name in names if name in known},
        runs=count_runs(table),
    )


def score_file(evidence: Evidence) -> pd.DataFrame:
    """The scores with what `from_table` needs, so that a file of them gives the same analysis."""
    return evidence.scores.assign(**{SHARE: evidence.scores["dataset"].map(evidence.shares)})


def is_anyloss(loss: str) -> bool:
    """Whether a loss of the table is an AnyLoss; files may name losses as they like."""
    try:
        return parse_loss(loss).family == "anyloss"
    except LossError:
        return False


def run_test(
    evidence: Evidence, test: str, metric: str, baseline: str, rope: float, *candidates: str
) -> list[Verdict]:
    """The chosen test of the candidates (default: all others) against a baseline."""
    hierarchical = test == "hierarchical"
    table = evidence.scores
    if hierarchical and evidence.folds is not None:
        table = evidence.folds
    rows = table[table["metric"] == metric]
    if candidates:
        rows = rows[rows["loss"].isin((*candidates, baseline))]
    more: dict[str, Any] = {"runs": evidence.runs} if hierarchical else {}
    return each(TESTS[test](rows, rope, baseline, **more))


def contest_table(
    evidence: Evidence, test: str, rope: float, metrics: Sequence[str] = ()
) -> pd.DataFrame:
    """For each metric (default: all that a loss is for), each candidate against each baseline."""
    parts = []
    for metric in metrics or evidence.aims:
        for baseline in evidence.baselines:
            found = run_test(evidence, test, metric, baseline, rope, *evidence.candidates)
            parts.append(verdict_table(found).drop(columns=["rope", "test"]))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def imbalance_table(evidence: Evidence, metric: str, candidate: str, baseline: str) -> pd.DataFrame:
    """Mean and sd of the difference per imbalance group, for data sets whose balance is known."""
    rows = evidence.of(metric, candidate, baseline)
    rows = rows[rows["dataset"].isin(evidence.ratios)]
    return group_differences(rows, evidence.shares, [(candidate, baseline, metric)])


def dataset_table(evidence: Evidence, metric: str, candidate: str, baseline: str) -> pd.DataFrame:
    """One row a data set: what is known about it, every loss's score, and the difference."""
    matrix = score_matrix(evidence.scores, metric)
    table = matrix.assign(difference=matrix[candidate] - matrix[baseline])
    table = table.rename_axis(columns=None).reset_index()
    if evidence.facts is not None:
        facts = evidence.facts[["dataset", "rows", "features", "ratio", "seconds"]]
        table = facts.merge(table, on="dataset")
    elif evidence.ratios:
        table.insert(1, "ratio", table["dataset"].map(evidence.ratios))
    if "ratio" in table:
        groups = [imbalance_group(1 / (1 + r)) if r == r else "" for r in table["ratio"]]
        table.insert(table.columns.get_loc("ratio") + 1, "group", groups)
    if evidence.facts is not None and evidence.facts["notes"].any():
        table["notes"] = table["dataset"].map(evidence.facts.set_index("dataset")["notes"])
    return table
