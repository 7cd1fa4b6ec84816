"""How often is a named winner right, and a named draw one? Verdicts on tables of known populations.

Tables are drawn from populations with 12, 40 and 200 positives, every loss is compared on them as
the product does (real folds, real overlaps of training rows), and every verdict is held against the
truth: the mean score, on a very large sample, of models that were trained on tables of nine tenths
of the rows. A winner is right when it is truly better by more than the rope, a draw when the true
difference lies within it. The advice says more often that the more elaborate loss gains nothing
that matters: right where it is truly better by at most the rope. Beside the rule of today stands
that of version 0.1.0: ten folds, no floor of the spread, a probability of 0.8, no such advice.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.verdict_calibration --positives 40 --tables 60
"""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anyloss_core.comparison.assembly import Fold, _Builder
from anyloss_core.comparison.comparison import Comparison, ComparisonSettings, compare
from anyloss_core.comparison.results import Record, tabulate
from anyloss_core.data.dataset import Dataset, dataset_from_frame
from anyloss_core.engine.loop import train
from anyloss_core.statistics.bayes import ROPE
from anyloss_core.statistics.rivals import simplicity
from anyloss_core.statistics.small_data import usual_repeats
from anyloss_core.statistics.verdict_sentence import DECIDED, fold_verdict, outcome

LOSSES = ("bce", "weighted_bce", "bce+threshold", "anyloss:f1")
METRICS = ("f1", "balanced_accuracy", "gmean", "mcc", "accuracy")
FOLDS = 10
JUDGED_ON = 4_000  # positives of the very large sample
AT_ONCE = 10  # tables that one study of the truth trains
BEFORE = 0.8  # from which 0.1.0 named an outcome


@dataclass(frozen=True)
class Population:
    """Two normal clouds; `gap` is how far their means lie apart in the first column."""

    positives: int  # of a table
    negatives: int
    features: int
    gap: float

    def rows(self, rng: np.random.Generator, share: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Features and labels of a table, or of `share` times as many rows."""
        labels = np.repeat([1, 0], [round(share * self.positives), round(share * self.negatives)])
        features = rng.normal(size=(len(labels), self.features))
        features[labels == 1, :2] += self.gap * np.array([1.0, 0.5])
        order = rng.permutation(len(labels))
        return features[order], labels[order]


POPULATIONS = tuple(
    Population(positives, ratio * positives, features, gap)
    for positives, features in ((12, 5), (40, 8), (200, 8))
    for ratio, gap in ((9, 1.2), (2, 1.2), (9, 2.5))
)


def main() -> None:
    """Print the table for the chosen numbers of positives."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positives", default="12,40,200")
    parser.add_argument("--tables", type=int, default=60, help="of each population")
    chosen = parser.parse_args()
    for positives in map(int, chosen.positives.split(",")):
        verdicts = pd.DataFrame(
            row
            for population in POPULATIONS
            if population.positives == positives
            for row in judged(population, chosen.tables)
        )
        for rule in ("before", "now"):
            print(
                f"| {positives} | {rule} | {' | '.join(calibration(verdicts, rule))} |", flush=True
            )


def judged(population: Population, tables: int, seed: int = 0) -> Iterator[dict[str, object]]:
    """Every contest on every table: what is true, what 0.1.0 said and what is said now."""
    rng = np.random.default_rng([seed, population.positives, population.negatives])
    truth = true_scores(population, rng, max(tables, 4 * AT_ONCE))
    minority, rows = population.positives, population.positives + population.negatives
    repeats = usual_repeats(minority, rows)
    for number in range(tables):
        found = compare(
            _dataset(*population.rows(rng)), LOSSES, folds=FOLDS, repeats=repeats, seed=number,
            curves=1,
        )  # fmt: skip
        for metric in METRICS:
            for baseline, candidate in combinations(sorted(LOSSES, key=simplicity), 2):
                verdict = fold_verdict(found.scores, candidate, baseline, metric, found.settings)
                yield {
                    "contest": f"{population} {metric} {candidate} {baseline}",
                    "true": true_outcome(truth[candidate, metric] - truth[baseline, metric]),
                    "before": _said_before(found, candidate, baseline, metric),
                    "now": outcome(verdict),
                    "no gain": verdict.candidate_wins <= 1 - DECIDED,
                }


def true_scores(population: Population, rng: np.random.Generator, tables: int) -> pd.Series:
    """(loss, metric) -> mean score on a very large sample over models of many training tables."""
    judge = population.rows(rng, JUDGED_ON / population.positives)
    parts = [_judged_models(population, rng, judge) for _ in range(tables // AT_ONCE)]
    return pd.concat(parts).groupby(["loss", "metric"])["score"].mean()


def true_outcome(difference: float, rope: float = ROPE) -> str:
    """'candidate', 'draw' or 'baseline'."""
    return "candidate" if difference > rope else "baseline" if difference < -rope else "draw"


def calibration(verdicts: pd.DataFrame, rule: str) -> list[str]:
    """Winners named, right ones, draws named, right ones, most false winners of one contest; how
    often the advice says that nothing is gained, right ones."""
    said, right = verdicts[rule], verdicts[rule] == verdicts["true"]
    winner, draw = said.isin(("candidate", "baseline")), said == "draw"
    false_winners = (winner & ~right).groupby(verdicts["contest"]).mean()
    found = [
        f"{winner.mean():.1%}", _share(right[winner]), f"{draw.mean():.1%}", _share(right[draw]),
        f"{false_winners.max():.1%}",
    ]  # fmt: skip
    if rule == "before":
        return [*found, "", ""]
    none = verdicts["no gain"]
    return [*found, f"{none.mean():.1%}", _share(verdicts["true"][none] != "candidate")]


def _share(right: pd.Series) -> str:
    return f"{right.mean():.1%} of {len(right)}" if len(right) else "none named"


def _judged_models(
    population: Population, rng: np.random.Generator, judge: tuple[np.ndarray, np.ndarray]
) -> pd.DataFrame:
    """Tidy scores of models of AT_ONCE tables, each of nine tenths of the rows, on the judge's."""
    tables = [population.rows(rng, 1 - 1 / FOLDS) for _ in range(AT_ONCE)]
    features, labels = map(np.concatenate, zip(judge, *tables, strict=True))
    dataset, settings = _dataset(features, labels), ComparisonSettings(LOSSES, curves=1)
    valid, size = np.arange(len(judge[1])), len(tables[0][1])
    folds = [
        Fold(number, len(valid) + number * size + np.arange(size), valid, number, number, number)
        for number in range(AT_ONCE)
    ]
    assembly = _Builder(dataset, settings, None).build(folds, range(len(LOSSES)))
    training, record = train(assembly.study), Record(assembly)
    for event in training:
        record.add(event)
    record.finish(training)
    return tabulate(dataset, settings, [record], 0.0).scores


def _said_before(found: Comparison, *contest: str) -> str:
    """Ten folds, no floor, the most probable outcome from 0.8 on."""
    verdict = fold_verdict(found.scores[found.scores["fold"] < FOLDS], *contest)
    highest = max(verdict.candidate_wins, verdict.draw, verdict.baseline_wins)
    return verdict.winner if highest >= BEFORE else "undecided"


def _dataset(features: np.ndarray, labels: Iterable[int]) -> Dataset:
    frame = pd.DataFrame(features, columns=[f"x{number}" for number in range(features.shape[1])])
    return dataset_from_frame(frame.assign(y=labels), "y", "1")


if __name__ == "__main__":
    main()
