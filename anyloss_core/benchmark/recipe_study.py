"""What do chosen recipes reach, and which default do they start from? AnyLoss and its rivals.

Every task of the real suite (three folds, drawn three times where a class is small) and of the
large one (one split, 4:1). AnyLoss is trained for each metric by which all is judged: F1, MCC,
G-mean, balanced accuracy, accuracy, and the cost of five per missed positive and one per false
alarm. Rivals get what AnyLoss gets: recipes chosen and thresholds tuned on the same inner folds.
The default recipe is chosen from half A of the tables (every second by name) and confirmed on half
B. The scores are kept in recipe_study.csv beside this file. To make them again (it goes on where it
was interrupted; hours of one core), and to repeat the choice:

    python -m anyloss_core.benchmark.recipe_study scores.csv [--model slp|mlp] [--largest ROWS]
    python -m anyloss_core.benchmark.recipe_study --choose
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from anyloss_core.benchmark.evidence import Evidence, from_table, run_test
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.protocols import FRESH, Plan
from anyloss_core.comparison.settings import amplifier_text
from anyloss_core.comparison.suite_study import extend_study, read_study
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.suites.real_suite import RealTable, large_suite, real_suite
from anyloss_core.statistics.small_data import usual_repeats

KEPT = Path(__file__).with_suffix(".csv")
MODELS = ("slp", "mlp")
SIZES = ("small", "large")
COST = "1-(5*FN+FP)/(5*TP+5*FN+TN+FP)"  # 1: nothing is missed, and no false alarm
METRICS = ("f1", "mcc", "gmean", "balanced_accuracy", "accuracy", COST)
AIMS = {"slp": METRICS, "mlp": METRICS[:4]}  # of AnyLoss
TUNED = ("bce+threshold", "bce+search")
# Of scikit-learn: they have no network, so they are trained with the single layer only.
REFERENCES = ("logistic_regression", "boosted_trees")
PLAIN = ("bce", "mse", "weighted_bce", "bce+smote")
FOR_F1 = ("sol:f1", "soft:f1", "sigmoid_f1", "lee:f1", "bce+online_f1")
SETTINGS: dict[str, Any] = {"protocol": "fresh", "seed": 0, "curves": 1}
FOLDS: dict[str, dict[str, Any]] = {"small": {"folds": 3}, "large": {"folds": 5, "held_out": 1}}
REPEATS = 3  # of the folds of a table that a comparison repeats as well


def tables() -> tuple[RealTable, ...]:
    """All tasks of both suites."""
    return (*real_suite(), *large_suite())


def losses_of(model: str, size: str) -> tuple[str, ...]:
    """What is trained on a table of this size."""
    ours = tuple(f"anyloss:{metric}" for metric in AIMS[model])
    others = REFERENCES if model == "slp" else ()
    return (*ours, *recipes_of(model, size), *TUNED, *others, *PLAIN, *FOR_F1)


def recipes_of(model: str, size: str) -> tuple[str, ...]:
    """The recipes for F1 between which the automatic chooses, each as a loss of its own."""
    plan: Plan = FRESH.plans[model] if size == "small" else FRESH.large[model]
    usual = (plan.L, plan.warm_up[""])
    return tuple(
        f"anyloss:f1@L={amplifier_text(L)},warm_up={warm_up:g}"
        for L, warm_up in dict.fromkeys([usual, *plan.search])
    )


def run_study(tasks: Iterable[RealTable], file: Path, model: str) -> None:
    """Compare on every task that the file does not hold yet; each is written when done."""
    for task in tasks:
        size = "large" if task.large else "small"

        def work(dataset: Dataset, size: str = size) -> pd.DataFrame:
            losses = losses_of(model, size)
            repeats = REPEATS if usual_repeats(dataset.minority, dataset.rows) > 1 else 1
            found = compare(
                dataset, losses, model=model, repeats=repeats, **SETTINGS, **FOLDS[size]
            )
            scores = found.scores_of(METRICS)
            means = scores.pivot_table("score", "loss", "metric", sort=False)[list(METRICS)]
            seconds = pd.Series(found.seconds, name="seconds").round(2)
            return means.loc[list(losses)].round(5).join(seconds).reset_index(names="loss")

        extend_study(file, {task.name: task.reference}, work, model=model)


def load_study(
    model: str, half: str | None = None, size: str | None = None, file: Path = KEPT
) -> Evidence:
    """The kept scores of one model: of all tables, of half 'A' or 'B', of 'small' or 'large'."""
    table = read_study(file, model=model)
    if model != "slp":
        others = read_study(file, model="slp")
        others = others[others["loss"].isin(REFERENCES)]
        table = pd.concat([table, others[others["dataset"].isin(table["dataset"])]])
    table = table.drop(columns="seconds")
    if half is not None:
        table = table[table["dataset"].isin(half_of_suite(half))]
    if size is not None:
        table = table[table["dataset"].str.startswith("large/") == (size == "large")]
    tidy = table.melt(["dataset", "loss"], var_name="metric", value_name="score")
    return from_table(tidy.dropna())


def half_of_suite(half: str) -> list[str]:
    """'A': every second table of each suite by name, on which the defaults are chosen; 'B'."""
    start = 0 if half == "A" else 1
    names = [sorted(task.name for task in suite) for suite in (real_suite(), large_suite())]
    return [name for suite in names for name in suite[start::2]]


def rivals_of(metric: str) -> list[str]:
    """What AnyLoss for a metric has to beat."""
    return [*PLAIN, *TUNED, *REFERENCES, *(FOR_F1 if metric == "f1" else ())]


def verdicts(evidence: Evidence, rope: float = 0.01) -> pd.DataFrame:
    """metric, baseline, mean scores, wins, ties, losses, and how probable each is the most frequent
    outcome; over the tables that have both."""
    rows = []
    for metric in METRICS:
        for baseline in rivals_of(metric):
            row = contest(evidence, f"anyloss:{metric}", baseline, metric, rope)
            rows += [row] if row else []
    return pd.DataFrame(rows)


def contest(
    evidence: Evidence, candidate: str, baseline: str, metric: str, rope: float = 0.01
) -> dict[str, Any] | None:
    """One candidate against one baseline; None if no table has both."""
    pair = evidence.of(metric, candidate, baseline).pivot(
        index="dataset", columns="loss", values="score"
    )
    if not {candidate, baseline} <= set(pair) or not len(pair := pair.dropna()):
        return None
    (verdict,) = run_test(evidence, "sign", metric, baseline, rope, candidate)
    return {
        "metric": metric,
        "baseline": baseline,
        "score": pair[candidate].mean(),
        "baseline_score": pair[baseline].mean(),
        "tables": len(pair),
        "wins": verdict.wins,
        "ties": verdict.ties,
        "losses": verdict.losses,
        "better": verdict.candidate_wins,
        "same": verdict.draw,
        "worse": verdict.baseline_wins,
    }


def choice_of_recipe(model: str, size: str, file: Path = KEPT) -> pd.DataFrame:
    """Every recipe for F1 and its mean on half A, from which the default is chosen, and on B."""
    means = {}
    for half in "AB":
        scores = load_study(model, half, size, file).of("f1", *recipes_of(model, size))
        means[half] = scores.groupby("loss")["score"].mean()
    return pd.DataFrame(means).sort_values("A", ascending=False)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", type=Path, nargs="?", default=KEPT)
    parser.add_argument("--model", choices=MODELS)
    parser.add_argument("--largest", type=int, default=10**9, help="rows")
    parser.add_argument("--choose", action="store_true", help="train nothing: show the choice")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    for model in [options.model] if options.model else MODELS:
        if options.choose:
            for size in SIZES:
                print(f"\n{model}, {size}\n{choice_of_recipe(model, size, options.file).round(4)}")
            continue
        tasks = [task for task in tables() if task.rows <= options.largest]
        run_study(sorted(tasks, key=lambda task: task.rows), options.file, model)


if __name__ == "__main__":
    main()
