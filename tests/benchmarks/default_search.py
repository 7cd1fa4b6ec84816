"""What the defaults of 'fresh' are worth: one setting changed at a time, on half A of the suite.

    python -m tests.benchmarks.default_search [--model slp|mlp] [--largest ROWS] [--workers 2]

For every variant, rivals under the same settings: the mean score of AnyLoss over F1, G-mean and
balanced accuracy, the least probability that wins over BCE lead and the largest that losses to BCE
with a tuned threshold do (Bayesian sign test, rope 0.01), each with tables won / tied / lost. Half
B is not looked at.
"""

import argparse
from datetime import date

import pandas as pd
import torch
from joblib import Parallel, delayed

from anyloss_core.benchmark.evidence import from_table, run_test
from anyloss_core.benchmark.recipe_study import half_of_suite
from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.real_suite import real_suite
from anyloss_core.data.suites.references import open_reference

METRICS = ("f1", "gmean", "balanced_accuracy")
ROPE = 0.01
# name -> (options of AnyLoss, settings of the comparison)
COMMON = {
    "default": ("", {}),
    "no warm-up": ("warm_up=0", {}),
    "warm-up 0.3": ("warm_up=0.3", {}),
    "L = 10": ("L=10", {}),
    "L = 73": ("L=73", {}),
    "L = 5..73": ("L=5..73", {}),
    "learning rate 0.01": ("", {"lr": 0.01}),
    "learning rate 0.1": ("", {"lr": 0.1}),
    "batches of 32": ("", {"batch": 32}),
    "batches of 256": ("", {"batch": 256}),
}
VARIANTS = {
    "slp": COMMON
    | {
        "100 epochs": ("", {"epochs": 100}),
        "1,000 epochs": ("", {"epochs": 1000}),
        "Glorot instead of zeros": ("", {"initial": "glorot"}),
    },
    "mlp": COMMON
    | {
        "100 epochs": ("", {"epochs": 100}),
        "400 epochs": ("", {"epochs": 400}),
        "He instead of Glorot": ("", {"initial": "he"}),
    },
}


def unit(reference, model, variant):
    """Mean scores of AnyLoss and its rivals on one table."""
    torch.set_num_threads(1)
    options, settings = VARIANTS[model][variant]
    ours = {f"anyloss:{m}" + (f"@{options}" if options else ""): f"anyloss:{m}" for m in METRICS}
    losses = [*ours, "bce", *(f"bce+threshold@metric={metric}" for metric in METRICS)]
    found = compare(open_reference(reference), losses, model=model, repeats=1, curves=2, **settings)
    means = found.scores.groupby(["loss", "metric"], sort=False)["score"].mean().reset_index()
    means = means[means["metric"].isin(METRICS)].assign(dataset=reference, variant=variant)
    plain = dict(zip(list(found.seconds)[: len(ours)], ours.values(), strict=True))
    return means.assign(loss=means["loss"].replace(plain))


def judged(scores):
    """The mean score, and the verdicts against BCE and a tuned threshold in the worst metric."""
    evidence = from_table(scores[["dataset", "loss", "metric", "score"]])
    better, worse, means = [], [], []
    for metric in METRICS:
        ours = f"anyloss:{metric}"
        (bce,) = run_test(evidence, "sign", metric, "bce", ROPE, ours)
        (tuned,) = run_test(evidence, "sign", metric, f"bce+threshold@metric={metric}", ROPE, ours)
        better.append(bce)
        worse.append(tuned)
        means.append(evidence.of(metric).query("loss == @ours")["score"].mean())
    least = min(better, key=lambda verdict: verdict.candidate_wins)
    return sum(means) / 3, least, max(worse, key=lambda verdict: verdict.baseline_wins)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", choices=["slp", "mlp"])
    parser.add_argument("--largest", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    half = set(half_of_suite("A"))
    tables = [task for task in real_suite() if task.name in half]
    small = [task.reference for task in tables if task.rows <= options.largest]
    print(f"{len(small)} tables of half A with at most {options.largest:,} rows, {date.today()}")
    for model in [options.model] if options.model else VARIANTS:
        for variant in VARIANTS[model]:
            parts = Parallel(options.workers)(
                delayed(unit)(reference, model, variant) for reference in small
            )
            score, bce, tuned = judged(pd.concat(parts))
            print(
                f"{model} {variant:26} score {score:.3f}  better than BCE "
                f"{bce.candidate_wins:.2f} ({bce.votes})  worse than tuned "
                f"{tuned.baseline_wins:.2f} ({tuned.votes})",
                flush=True,
            )


if __name__ == "__main__":
    main()
