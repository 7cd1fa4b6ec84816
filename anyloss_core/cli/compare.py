"""Compare losses on one table by cross-validation and say which is best.

Every loss is trained on the same folds from the same start; preparation is fitted inside the
training rows. Losses are spelled mse, bce, weighted_bce, focal, sigmoid_f1, anyloss:METRIC,
sol:METRIC, soft:METRIC, lee:f1, bce+smote, bce+undersample, bce+threshold, bce+search,
bce+online_f1; logistic_regression and boosted_trees are scikit-learn's. Options
follow an @, as in anyloss:f1@L=50,lr=0.01. A METRIC may be a formula, as in
"anyloss:TP / (TP + FP + FN)".
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyloss_core.cli.console import (
    ProgressBar,
    add_yes,
    check_patience,
    filled,
    number_list,
    output_file,
    print_table,
    rope_width,
    write_json,
)

if TYPE_CHECKING:
    from anyloss_core.comparison.comparison import Comparison
    from anyloss_core.data.dataset import Dataset

SUMMARY = "which loss is best on this table?"
EXAMPLES = """\
examples:
  compare credit.csv --target default --losses bce,anyloss:f1,bce+threshold
  compare credit.csv --target default --model mlp --folds 5 --json result.json
  compare builtin:breast_cancer_imbalanced --protocol paper --losses mse,bce,anyloss:gmean
  compare credit.csv --target default --goal "cost: miss=50, alarm=1, hit=10, in=EUR"
  compare credit.csv --target default --report report.html --save-model model.zip --calibrate
"""
SHOWN = ("accuracy", "f1", "gmean", "balanced_accuracy", "mcc")  # unless --metrics names others
PASSED_ON = (
    *("model", "protocol", "folds", "seed", "repeats", "seeds"),
    *("epochs", "lr", "schedule", "batch"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `compare`."""
    parser.add_argument(
        "file", metavar="FILE", help="CSV, TSV, Excel or Parquet, or a reference: builtin:random"
    )
    parser.add_argument("--target", metavar="COL", help="column to predict; proposed if left out")
    parser.add_argument("--positive", metavar="VALUE", help="class to find; default: the rarer one")
    parser.add_argument("--drop", default="", metavar="COLS", help="columns to leave out: id,name")
    parser.add_argument(
        "--goal",
        help='what is wanted: a metric, a formula, "cost: miss=50, alarm=1" or "precision at '
        'recall >= 0.9"; default: what the losses aim at',
    )
    parser.add_argument("--losses", help="default: bce and AnyLoss of the goal (F1)")
    parser.add_argument("--model", default="slp", help="slp or mlp; default: %(default)s")
    parser.add_argument("--hidden", metavar="WIDTHS", help="hidden layers of the mlp: 4 or 16,8")
    parser.add_argument("--protocol", default="fresh", help="fresh, paper or as_released")
    parser.add_argument("--folds", type=int, default=10, help="default: %(default)s")
    parser.add_argument(
        "--repeats", type=int, help="of the cross-validation (default: 5 on a small table, else 1)"
    )
    parser.add_argument("--seeds", type=int, default=1, help="starts per fold")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument("--epochs", type=int, help="default: the protocol's")
    parser.add_argument("--lr", type=float, help="learning rate; default: the protocol's")
    parser.add_argument(
        "--schedule", help="of the rate: constant, linear or cosine; default: the protocol's"
    )
    parser.add_argument("--batch", type=float, help="rows, or below 1 a share; 0: all rows")
    parser.add_argument(
        "--metrics", type=filled, default=",".join(SHOWN), help="columns of the printed table"
    )
    parser.add_argument("--baseline", help="loss to hold the others against; default: bce")
    parser.add_argument(
        "--rope", type=rope_width, default=0.01, help="smaller differences are draws"
    )
    parser.add_argument(
        "--json", type=output_file, metavar="OUT", help="all scores as JSON; - for standard output"
    )
    parser.add_argument(
        "--report", type=output_file, metavar="OUT.html", help="a self-contained report"
    )
    parser.add_argument(
        "--save-model", type=output_file, metavar="OUT.zip", help="the first AnyLoss, on all rows"
    )
    parser.add_argument(
        "--calibrate", action="store_true", help="with --save-model: probabilities, not scores only"
    )
    add_yes(parser)


def run(chosen: argparse.Namespace) -> None:
    """Compare, write what was asked for, print the table and the sentence."""
    from anyloss_core.comparison.comparison import ComparisonSettings, compare
    from anyloss_core.comparison.estimates import estimate_comparison
    from anyloss_core.losses.scores import get_score
    from anyloss_core.losses.spelling import split_losses
    from anyloss_core.statistics.goal import DEFAULT, parse_goal

    if chosen.report:  # tell that plotly is missing before the work
        import anyloss_core.figures  # noqa: F401
    given = {name: getattr(chosen, name) for name in PASSED_ON}
    if chosen.hidden:
        example = "widths such as 4 or 16,8"
        given["hidden"] = number_list(chosen.hidden, "--hidden", example, int)
    goal = None if chosen.goal is None else parse_goal(chosen.goal)
    usual = ["bce", parse_goal(goal or DEFAULT).loss]
    losses = usual if chosen.losses is None else split_losses(chosen.losses)
    given["goal"] = goal and goal.text
    settings = ComparisonSettings(losses=tuple(losses), **given)
    metrics = [get_score(name).name for name in split_losses(chosen.metrics)]
    metrics = list(dict.fromkeys(([goal.metric] if goal else []) + metrics))
    dataset = open_data(chosen)
    if chosen.baseline is not None and chosen.baseline not in settings.names:
        raise ValueError(f"--baseline must be one of the losses {', '.join(settings.names)}")
    check_patience(estimate_comparison(dataset, settings).seconds, chosen.yes)
    with ProgressBar(f"comparing {len(settings.losses)} losses") as progress:
        comparison = compare(
            dataset,
            **settings.to_dict(),
            on_progress=lambda now: progress(now.fraction, now.what),
        )
    try:
        _write_files(dataset, comparison, settings, chosen)
    finally:  # a file that cannot be written takes no table along, and no table a file
        if chosen.json != "-":
            _print(dataset, comparison, metrics, chosen)


def open_data(chosen: argparse.Namespace) -> Dataset:
    """The table named on the command line; a path wins over a reference."""
    from anyloss_core.data.reading.table import load_csv
    from anyloss_core.data.suites.references import KINDS, open_reference

    drop = tuple(name.strip() for name in chosen.drop.split(",") if name.strip())
    kind = chosen.file.partition(":")[0]
    if kind in KINDS and not Path(chosen.file).exists():
        choices = {"target": chosen.target, "positive": chosen.positive, "drop": drop}
        given = {name: value for name, value in choices.items() if value}
        return open_reference({"ref": chosen.file, **given}, files=True)
    return load_csv(chosen.file, chosen.target, chosen.positive, drop)


def _print(
    dataset: Dataset, comparison: Comparison, metrics: list[str], chosen: argparse.Namespace
) -> None:
    from anyloss_core.common.wording import loss_words, metric_words
    from anyloss_core.comparison.answer import answer
    from anyloss_core.comparison.promise import training_words
    from anyloss_core.comparison.tables import marked_table, method_words
    from anyloss_core.data.profile import leak_words

    print(
        f"{dataset.name}: {dataset.rows:,} rows, {dataset.positives:,} of class "
        f"{dataset.positive!r} in {dataset.target!r}, {len(dataset.used_columns)} columns used"
    )
    suspected = [leak_words(dataset.leaks)] if dataset.leaks else []
    for remark in (*dataset.warnings, *suspected, *comparison.notes):
        print(f"note: {remark}")
    scores = comparison.scores_of(metrics)
    print()
    marked = marked_table(scores, chosen.rope, comparison.settings)
    goal = {} if chosen.goal is None else {metrics[0]: metric_words(metrics[0])}
    print_table(marked.rename(index=loss_words, columns=goal), index=True)
    print("\nmean ± sd over the folds; ★ beats all others, ≈ not decidedly beaten by the best")
    print(f"{method_words(comparison)}\n")
    found = answer(comparison, baseline=chosen.baseline, rope=chosen.rope)
    print(f"{found.advice.text}\n{found.headline}")  # what the page says
    print(training_words(comparison, found.contest.metric))


def _write_files(
    dataset: Dataset, comparison: Comparison, settings: Any, chosen: argparse.Namespace
) -> None:
    if chosen.json:
        write_json(comparison.to_dict(), chosen.json)
    if chosen.report:
        from anyloss_core.export.report_content import comparison_report

        page = comparison_report(comparison, baseline=chosen.baseline, rope=chosen.rope)
        Path(chosen.report).write_text(page, encoding="utf-8")
    if chosen.save_model:
        from anyloss_core.export.model_file import save_model, train_final
        from anyloss_core.statistics.verdict_sentence import leading_loss

        loss = leading_loss(settings.names)
        model = train_final(dataset, loss, settings, calibrate=chosen.calibrate)
        save_model(model, chosen.save_model)
