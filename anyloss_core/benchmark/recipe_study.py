"""What do chosen recipes reach, and which default do they start from? AnyLoss and its rivals.

Every task of the real suite (three folds, drawn three times where a class is small) and of the
large one (one split, 4:1). AnyLoss is trained for each metric by which all is judged: F1, MCC,
G-mean, balanced accuracy, accuracy, and the cost of five per missed positive and one per false
alarm. Rivals get what AnyLoss gets: recipes chosen and thresholds tuned on the same inner folds.
The default recipe is chosen from half A of the tables (every second by name) and confirmed on half
B. The scores are kept in recipe_study.csv beside this file. To make them again (it goes on where it
was interrupted; hours of one core), and to have them as the tables of README.md:

    python -m anyloss_core.benchmark.recipe_study scores.csv [--model slp|mlp] [--largest ROWS]
    python -m anyloss_core.benchmark.recipe_study --report
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import torch

from anyloss_core.benchmark.evidence import Evidence, from_table, run_test
from anyloss_core.common.wording import metric_words
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.protocols import FRESH, Plan
from anyloss_core.comparison.recipes import choosing
from anyloss_core.comparison.settings import amplifier_text
from anyloss_core.comparison.suite_study import extend_study, read_study
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.suites.real_suite import RealTable, large_suite, real_suite
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.statistics.small_data import usual_repeats

KEPT = Path(__file__).with_suffix(".csv")
MODELS = ("slp", "mlp")
SIZES = ("small", "large")
COST = "1-(5*FN+FP)/(5*TP+5*FN+TN+FP)"  # 1: nothing is missed, and no false alarm
METRICS = ("f1", "mcc", "gmean", "balanced_accuracy", "accuracy", COST)
TUNED = ("bce+threshold", "bce+search")
# Of scikit-learn: they have no network, so they are trained with the single layer only.
REFERENCES = ("logistic_regression", "boosted_trees")
PLAIN = ("bce", "mse", "weighted_bce", "bce+smote")
FOR_F1 = ("sol:f1", "soft:f1", "sigmoid_f1", "lee:f1", "bce+online_f1")
SETTINGS: dict[str, Any] = {"protocol": "fresh", "seed": 0, "curves": 1}
FOLDS: dict[str, dict[str, Any]] = {"small": {"folds": 3}, "large": {"folds": 5, "held_out": 1}}
REPEATS = 3  # of the folds of a table that a comparison repeats as well
# What every page that shows the kept scores says of them.
MADE = "2026-11-19, with the defaults of that day"
DRAWN = "three folds, drawn three times where a class has fewer than 200 rows"  # of a small table
HEADS = {
    "anyloss": "AnyLoss",
    "bce": "BCE",
    "bce+threshold": "tuned threshold",
    "bce+search": "BCE, best form and threshold",
    "weighted_bce": "weighted BCE",
    "bce+smote": "BCE + SMOTE",
    "logistic_regression": "logistic regression",
    "boosted_trees": "boosted trees",
}
F1_HEADS = {
    "sol:f1": "SOL, chosen too",
    "soft:f1": "soft-F1, same warm-up",
    "sigmoid_f1": "sigmoidF1, same warm-up",
    "lee:f1": "Lee-F1",
    "bce+online_f1": "BCE cut at half of its F1",
    "mse": "MSE",
}


def tables() -> tuple[RealTable, ...]:
    """All tasks of both suites."""
    return (*real_suite(), *large_suite())


def losses_of(model: str, size: str) -> tuple[str, ...]:
    """What is trained on a table of this size."""
    ours = tuple(f"anyloss:{metric}" for metric in METRICS)
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


def settings_for(task: RealTable) -> dict[str, Any]:
    """How a task is compared: its folds, and how often they are drawn."""
    folds = FOLDS["large" if task.large else "small"]
    few = usual_repeats(round(task.rows / (1 + task.ratio)), task.rows) > 1
    return {"repeats": REPEATS if few else 1, **SETTINGS, **folds}


def run_study(tasks: Iterable[RealTable], file: Path, model: str) -> None:
    """Compare on every task that the file does not hold yet; each is written when done."""
    for task in tasks:
        work = partial(_means, task=task, model=model)
        extend_study(file, {task.name: task.reference}, work, model=model)


def _means(dataset: Dataset, task: RealTable, model: str) -> pd.DataFrame:
    """The mean scores of every loss on one task, and the seconds it took."""
    losses = losses_of(model, "large" if task.large else "small")
    found = compare(dataset, losses, model=model, **settings_for(task))
    scores = found.scores_of(METRICS)
    means = scores.pivot_table("score", "loss", "metric", sort=False)[list(METRICS)]
    seconds = pd.Series(found.seconds, name="seconds").round(2)
    return means.loc[list(losses)].round(5).join(seconds).reset_index(names="loss")


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
    losses = [parse_loss(loss) for loss in tidy["loss"].unique()]
    return replace(from_table(tidy.dropna()), choosing=choosing(losses, FRESH.plans[model]))


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


def report(file: Path = KEPT) -> str:
    """The tables of README.md."""
    parts = []
    for size in SIZES:
        lines = [line for model in MODELS for line in _metric_lines(model, size, file)]
        parts += [f"{size.title()} tables:", _table(["", *HEADS.values()], lines)]
    sides = [(model, size) for size in SIZES for model in MODELS]
    parts += [_f1_table(sides, file), _choice_table(sides, file)]
    return "\n\n".join(parts)


def _metric_lines(model: str, size: str, file: Path) -> Iterator[list[str]]:
    """A line a metric: AnyLoss, and each rival with what AnyLoss does against it."""
    evidence = load_study(model, size=size, file=file)
    for metric in METRICS:
        name = "cost 5:1" if metric == COST else metric_words(metric)
        ours, *rivals = HEADS
        found = [contest(evidence, f"{ours}:{metric}", rival, metric) for rival in rivals]
        if found[0]:
            yield [
                f"{model.upper()}, {name}",
                f"{found[0]['score']:.3f}",
                *(
                    f"{row['baseline_score']:.3f} ({_votes(row)}; {row['better']:.2f} / "
                    f"{row['same']:.2f} / {row['worse']:.2f})"
                    if row
                    else ""
                    for row in found
                ),
            ]


def _f1_table(sides: Sequence[tuple[str, str]], file: Path) -> str:
    """The rivals that are there for F1 alone."""
    head, lines = ["F1: AnyLoss"], [[name] for name in F1_HEADS.values()]
    for model, size in sides:
        evidence = load_study(model, size=size, file=file)
        found = [contest(evidence, "anyloss:f1", rival, "f1") for rival in F1_HEADS]
        head.append(f"{model.upper()}, {size}" + (f" {found[0]['score']:.3f}" if found[0] else ""))
        for line, row in zip(lines, found, strict=True):
            line.append(f"{row['baseline_score']:.3f} ({_votes(row)})" if row else "")
    return _table(head, lines)


def _choice_table(sides: Sequence[tuple[str, str]], file: Path) -> str:
    """The best recipe on half A, and what it and the best one have on half B."""
    lines = []
    for model, size in sides:
        means = choice_of_recipe(model, size, file)
        taken, best = means.index[0], means["B"].idxmax()
        names = [str(loss).partition("@")[2] for loss in (taken, best)]
        figures = [f"{value:.3f}" for value in (*means.loc[taken], means.loc[best, "B"])]
        last = f"{names[1]} ({figures[2]})"
        lines.append([f"{model.upper()}, {size}", names[0], *figures[:2], last])
    return _table(["", "best of the recipes on half A", "A", "B", "best on half B"], lines)


def _votes(row: dict[str, Any]) -> str:
    return f"{row['wins']} / {row['ties']} / {row['losses']}"


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """In Markdown."""
    rows = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in (head, *lines)]
    return "\n".join([rows[0], "|---" * len(head) + "|", *rows[1:]])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", type=Path, nargs="?", default=KEPT)
    parser.add_argument("--model", choices=MODELS)
    parser.add_argument("--largest", type=int, default=10**9, help="rows")
    parser.add_argument("--report", action="store_true", help="train nothing: print the tables")
    options = parser.parse_args(arguments)
    if options.report:
        print(report(options.file))
        return
    torch.set_num_threads(1)
    for model in [options.model] if options.model else MODELS:
        tasks = [task for task in tables() if task.rows <= options.largest]
        run_study(sorted(tasks, key=lambda task: task.rows), options.file, model)


if __name__ == "__main__":
    main()
