"""Where AnyLoss-F1 beats BCE with a tuned threshold, why, and is it known in advance?

    python -m tests.benchmarks.why_it_wins FILE.csv --model slp|mlp [--largest ROWS]

For each table of the real suite, three folds: what inner rows promise and what held-out rows give;
BCE with a tuned threshold trained several times as long; and what the tuned threshold loses against
the best one in hindsight. The file goes on where it was interrupted. Then prints what the README
says of it.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import pandas as pd
import torch

from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.comparison.suite_study import extend_study, read_study
from anyloss_core.data.suites.real_suite import real_suite
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score

LOSSES = ["bce+threshold", "anyloss:f1"]
LONGER = {"slp": 5, "mlp": 4}  # times the epochs
EDGES = (0, 60, 150, 400, 10**9)  # rows of the rarer class
CLEAR = 0.02  # a gain that is more than chance, mostly


def work(dataset, model):
    """promise, error, bce, anyloss, longer, hindsight: mean F1 over three folds."""
    settings = {"model": model, "folds": 3, "repeats": 1, "curves": 1}
    plan = ComparisonSettings(model=model).for_rows(dataset.rows).plan
    found = compare(dataset, LOSSES, **settings)
    longer = compare(dataset, LOSSES[:1], epochs=LONGER[model] * plan.epochs, **settings)
    recipes = found.recipes[found.recipes["loss"] == "anyloss:f1"]
    scores, cuts = means(found), found.cuts
    at_cuts = get_score("f1")(Counts(*(cuts[name].to_numpy(float) for name in Counts._fields)))
    row = {
        "minority": dataset.minority,
        "promise": recipes["promise"].mean(),
        "error": recipes["promise_error"].mean(),
        "bce": scores["bce+threshold"],
        "anyloss": scores["anyloss:f1"],
        "longer": means(longer)["bce+threshold"],
        "hindsight": cuts.assign(f1=at_cuts).groupby("fold")["f1"].max().mean(),
    }
    return pd.DataFrame([row]).round(5)


def means(comparison):
    scores = comparison.scores_of(["f1"])
    return scores.groupby("loss")["score"].mean()


def tell(table, model):
    gain, promise = table["anyloss"] - table["bce"], table["promise"]
    known = promise.notna()
    print(f"{model}: {len(table)} tables")
    print(f"promised {promise.mean():+.4f}, given {gain[known].mean():+.4f}")
    print(f"rank correlation {promise[known].corr(gain[known], method='spearman'):.2f}")
    for low, high in pairwise(EDGES):
        part = table[table["minority"].between(low, high - 1)]
        lost = (part["hindsight"] - part["bce"]).mean()
        print(f"rarer class {low} to {high}: {len(part)} tables, threshold loses {lost:.3f}")
    ahead = table[gain > CLEAR]
    print(f"ahead by more than {CLEAR:g} on {len(ahead)}: mean F1 of BCE {ahead['bce'].mean():.3f}")
    print(f"  {LONGER[model]} times as long {ahead['longer'].mean():.3f}")
    print(f"  AnyLoss {ahead['anyloss'].mean():.3f}")
    everywhere = (table["longer"] - table["bce"]).mean()
    print(f"everywhere: longer {everywhere:+.4f}, AnyLoss {gain.mean():+.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--model", choices=list(LONGER), required=True)
    parser.add_argument("--largest", type=int, default=2_000, help="rows")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tasks = sorted((t for t in real_suite() if t.rows <= options.largest), key=lambda t: t.rows)
    references = {task.name: task.reference for task in tasks}
    model = options.model
    extend_study(options.file, references, lambda data: work(data, model), model=model)
    tell(read_study(options.file, model=model), model)


if __name__ == "__main__":
    main()
