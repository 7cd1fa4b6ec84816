"""Do the defaults hold? The rivals of AnyLoss on every table of the real suite, and the verdict.

The defaults of 'fresh' of 2026-11-16 were chosen on one half of the suite (A: every second table by
name) and confirmed on the other (B). The scores are kept in default_study.csv beside this file; the
page Many data sets opens them and says what has changed since (`OLDER_PLAN`). To make them again
(it goes on where it was interrupted):

    python -m anyloss_core.benchmark.default_study scores.csv [slp|mlp]
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from anyloss_core.benchmark.evidence import Evidence, from_table, run_test
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.suite_study import extend_study, read_study
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.suites.real_suite import real_suite

KEPT = Path(__file__).with_suffix(".csv")
MODELS = ("slp", "mlp")
METRICS = ("f1", "gmean", "balanced_accuracy", "mcc", "accuracy")
TUNED = tuple(f"bce+threshold@metric={metric}" for metric in METRICS)
RIVALS = ("bce", *TUNED, "weighted_bce", "bce+smote", "bce+undersample", "mse")
LOSSES = (
    *(f"anyloss:{metric}" for metric in METRICS),
    *RIVALS,
    *(f"sol:{metric}" for metric in METRICS),
)
# What the kept scores were made with, beside today's defaults (`comparison/protocols.py`).
OLDER_PLAN = (
    "The single layer was trained for 300 epochs at a constant rate of 0.03 then, thresholds were "
    "tuned in three inner folds, SOL had no warm-up, and SMOTE drew between categories as if they "
    "were numbers. Today's defaults train it until BCE stands still: a new run gives other figures."
)
SETTINGS: dict[str, Any] = {"protocol": "fresh", "folds": 10, "repeats": 1, "seed": 0, "curves": 2}


def run_study(references: Iterable[str], file: Path, model: str) -> None:
    """Compare on every data set that the file does not hold yet; each is written when done."""

    def work(dataset: Dataset) -> pd.DataFrame:
        scores = compare(dataset, LOSSES, model=model, **SETTINGS).scores
        means = scores.pivot_table("score", "loss", "metric", sort=False)[list(METRICS)].round(5)
        return means.loc[list(LOSSES)].reset_index()

    named = {reference.partition(":")[2]: reference for reference in references}
    extend_study(file, named, work, model=model)


def load_study(model: str, half: str | None = None, file: Path = KEPT) -> Evidence:
    """The kept scores of one model, on both halves of the suite or on 'A' or 'B'."""
    table = read_study(file, model=model)
    if half is not None:
        table = table[table["dataset"].isin(half_of_suite(half))]
    return from_table(table.melt(["dataset", "loss"], var_name="metric", value_name="score"))


def half_of_suite(half: str) -> list[str]:
    """'A': every second table by name, on which the defaults were chosen; 'B': the others."""
    names = sorted(entry.name for entry in real_suite())
    return names[0 if half == "A" else 1 :: 2]


def rivals_of(metric: str) -> list[str]:
    """What AnyLoss for a metric has to beat; a threshold tuned for another aim is no rival."""
    tuned = f"bce+threshold@metric={metric}"
    return [loss for loss in RIVALS if loss not in TUNED or loss == tuned] + [f"sol:{metric}"]


def verdicts(evidence: Evidence, rope: float = 0.01) -> pd.DataFrame:
    """metric, baseline, mean scores, wins, ties, losses, and how probable each is the most frequent
    outcome."""
    rows = []
    for metric in METRICS:
        means = evidence.of(metric).groupby("loss")["score"].mean()
        candidate = f"anyloss:{metric}"
        for baseline in rivals_of(metric):
            (verdict,) = run_test(evidence, "sign", metric, baseline, rope, candidate)
            chances = (verdict.candidate_wins, verdict.draw, verdict.baseline_wins)
            votes = (verdict.wins, verdict.ties, verdict.losses)
            rows.append((metric, baseline, means[candidate], means[baseline], *votes, *chances))
    names = ["metric", "baseline", "score", "baseline_score", "wins", "ties", "losses"]
    return pd.DataFrame(rows, columns=[*names, "better", "same", "worse"])


if __name__ == "__main__":
    for kind in sys.argv[2:] or MODELS:
        run_study([task.reference for task in real_suite()], Path(sys.argv[1]), kind)
