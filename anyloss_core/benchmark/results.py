"""What a benchmark found so far, read from the store: tidy scores and facts about each data set.

The store keeps counts of every fold; all scores, those of typed formulas too, follow from them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.benchmark.settings import BenchmarkSettings
from anyloss_core.benchmark.units import unpack_comparison
from anyloss_core.comparison.comparison import Comparison
from anyloss_core.comparison.job import HEADLINE, RESULT, as_read, to_record
from anyloss_core.comparison.recipes import choosing
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.comparison.tables import tuned_counts
from anyloss_core.comparison.thresholds import CUTS
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import METRICS, Score, get_score
from anyloss_core.statistics.score_table import COLUMNS
from anyloss_core.statistics.verdict_sentence import headline
from anyloss_core.store import payload
from anyloss_core.store.store import Run, Store, StoreError, Unit

# What a comparison of the page is made with; a benchmark keeps shorter curves.
CURVES, DEVICE = ComparisonSettings.curves, ComparisonSettings.device
CONFUSION = ["loss", "fold", *Counts._fields, "threshold", "dead_share"]
FACTS = ("rows", "features", "positives", "fingerprint")


@dataclass(frozen=True, eq=False)
class Benchmark:
    """All finished data sets of a benchmark, in the order of its suite."""

    run_id: str
    settings: BenchmarkSettings
    confusion: pd.DataFrame  # dataset, loss, fold, tn, fn, fp, tp, threshold, dead_share
    cuts: pd.DataFrame  # dataset and what `Comparison.cuts` has
    datasets: pd.DataFrame  # dataset, reference, status, reason, seconds, facts, notes

    @property
    def metrics(self) -> dict[str, Score]:
        """The named metrics, and every formula that a loss of this benchmark aims at."""
        aims = [spec.score for spec in self.settings.comparison.specs if spec.score is not None]
        return METRICS | {score.name: score for score in aims if score.name not in METRICS}

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Tidy dataset, loss, metric, score: means over folds and seeds."""
        return mean_scores(self.fold_scores)

    @cached_property
    def fold_scores(self) -> pd.DataFrame:
        """Tidy dataset, loss, fold, metric, score."""
        return score_counts(self.confusion, self.metrics, self.cuts)

    def fold_scores_with(self, formulas: Sequence[str]) -> pd.DataFrame:
        """As `fold_scores`, with typed formulas as further metrics."""
        extra = {text: get_score(text) for text in formulas if text not in self.metrics}
        if not extra:
            return self.fold_scores
        found = score_counts(self.confusion, extra, self.cuts)
        return pd.concat([self.fold_scores, found])

    @property
    def choosing(self) -> tuple[str, ...]:
        """The losses whose recipe is chosen on inner folds."""
        compared = self.settings.comparison
        return choosing(compared.specs, compared.plan)

    @property
    def done(self) -> pd.DataFrame:
        """The data sets that have scores."""
        return self.datasets[self.datasets["status"] == "done"]

    @property
    def failed(self) -> pd.DataFrame:
        """Data sets without scores, and why."""
        return self.datasets.loc[self.datasets["status"] == "failed", ["dataset", "reason"]]

    @property
    def ratios(self) -> dict[str, float]:
        """Data set -> n of its imbalance n:1."""
        return dict(zip(self.done["dataset"], self.done["ratio"], strict=True))

    @property
    def positive_shares(self) -> dict[str, float]:
        """Data set -> share of its positive rows."""
        return dict(zip(self.done["dataset"], self.done["positive_share"], strict=True))

    @property
    def seconds(self) -> float:
        """Time of all units, added up."""
        return float(self.datasets["seconds"].sum())


def load_benchmark(store: Store, run: Run | str) -> Benchmark:
    """What a run of kind 'benchmark' has finished."""
    run = store.run(run) if isinstance(run, str) else run
    settings = BenchmarkSettings.from_dict(run.settings)
    units = {unit.key: unit for unit in store.units(run.id)}
    ordered = [units[item.name] for item in settings.items if item.name in units]
    tables = (_tables(ordered, "confusion", CONFUSION), _tables(ordered, "cuts", CUTS))
    return Benchmark(run.id, settings, *tables, _datasets(settings, ordered))


def load_unit(store: Store, run_id: str, name: str) -> Comparison:
    """The whole comparison of one data set."""
    found = [unit for unit in store.units(run_id, "done") if unit.key == name]
    if not found:
        raise StoreError(f"run {run_id} has no finished data set {name!r}")
    return unpack_comparison(found[0].payload)


def open_unit(store: Store, benchmark: Benchmark, name: str, owner: str = "") -> str:
    """The comparison of one data set as a finished run of this owner, made at the first call.

    What comes from an imported benchmark is an imported run, made at every call.
    """
    imported = store.run(benchmark.run_id).imported
    item = next(item for item in benchmark.settings.items if item.name == name)
    plain = {**benchmark.settings.comparison.to_dict(), "curves": CURVES, "device": DEVICE}
    settings = {"data": item.reference, "comparison": plain}
    text = payload.to_text(settings)
    for known in () if imported else store.runs("compare", owner=owner, imported=False):
        if known.title == name and payload.to_text(known.settings) == text:
            return known.id
    comparison = load_unit(store, benchmark.run_id, name)
    results = {
        RESULT: to_record(comparison),
        HEADLINE: headline(comparison.scores, name, comparison.settings),
    }
    return store.keep_finished("compare", settings, results, name, owner, imported)


def score_counts(
    confusion: pd.DataFrame, metrics: Mapping[str, Score], cuts: pd.DataFrame
) -> pd.DataFrame:
    """Every metric on every row of counts, tidy; tuned thresholds are tuned for each."""
    keys = ["dataset", "loss", "fold"]
    counts = tuned_counts(confusion, cuts, metrics.values())
    pairs = zip(metrics.items(), counts, strict=True)
    wide = confusion[keys].assign(**{name: score(own) for (name, score), own in pairs})
    return wide.melt(keys, var_name="metric", value_name="score")


def mean_scores(fold_scores: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, loss and metric."""
    keys = list(COLUMNS[:3])
    means = fold_scores.groupby(keys, sort=False, as_index=False)["score"].mean()
    return means[list(COLUMNS)]


def write_scores(scores: pd.DataFrame, path: str | Path) -> None:
    """Tidy scores as CSV; the file is there whole or not at all."""
    path = Path(path)
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_bytes(harmless_csv(scores[list(COLUMNS)]))
    unfinished.replace(path)


def _tables(units: Sequence[Unit], name: str, columns: Sequence[str]) -> pd.DataFrame:
    """A table of all finished units, one below the other."""
    done = [unit for unit in units if unit.status == "done"]
    tables = [as_read(unit.payload)[name].assign(dataset=unit.key) for unit in done]
    filled = [table for table in tables if len(table)]
    if not filled:
        return pd.DataFrame(columns=["dataset", *columns])
    return pd.concat(filled, ignore_index=True)[["dataset", *columns]]


def _datasets(settings: BenchmarkSettings, units: Sequence[Unit]) -> pd.DataFrame:
    references = {item.name: item.reference for item in settings.items}
    rows = [_facts(unit, references[unit.key]) for unit in units]
    columns = ["dataset", "reference", "status", "reason", "seconds", *FACTS, "notes"]
    table = pd.DataFrame(rows, columns=columns)
    counts = table[["rows", "positives"]].astype(np.float64)
    return table.assign(
        positive_share=counts["positives"] / counts["rows"],
        ratio=counts["rows"] / counts["positives"] - 1,
    )


def _facts(unit: Unit, reference: str) -> dict[str, Any]:
    value = unit.payload or {}
    return {
        "dataset": unit.key,
        "reference": reference,
        "status": unit.status,
        "reason": unit.reason,
        "seconds": unit.seconds,
        **{name: value.get(name) for name in FACTS},
        "notes": "; ".join(value.get("notes", ())),
    }
