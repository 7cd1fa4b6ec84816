"""From how many rows on are mini-batches better than all rows at once? The place of LARGE.

    python -m tests.benchmarks.plan_switch FILE.csv [--model slp|mlp] [--rows N,N] [--tables N]

Seeded samples of the tables of the large suite, each trained by the plan of small and by that of
large tables, one split, 4:1: F1 of BCE with a tuned threshold and of AnyLoss-F1, and the seconds.
The file goes on where it was interrupted; then prints batches minus all rows at once.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
import torch

from anyloss_core.comparison import protocols
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.suite_study import extend_study
from anyloss_core.data.suites.real_suite import large_suite

LOSSES = ["bce+threshold", "anyloss:f1"]
PLANS = {"all rows at once": 10**9, "batches": 0}  # from how many rows on the large plan holds
LEAST = 100  # positives of a sample


def work(dataset, model, rows):
    """One row a plan: F1 of both losses, and seconds."""
    chosen = np.sort(np.random.default_rng(0).permutation(dataset.rows)[:rows])
    frame = dataset.frame.iloc[chosen].reset_index(drop=True)
    sample = replace(dataset, frame=frame, labels=dataset.labels[chosen])
    found = []
    for plan, large in PLANS.items() if sample.minority >= LEAST else ():
        with mock.patch.object(protocols, "LARGE", large):
            got = compare(sample, LOSSES, model=model, folds=5, held_out=1, repeats=1, curves=1)
        f1 = got.scores_of(["f1"]).set_index("loss")["score"].round(5)
        found.append({"plan": plan, **f1, "seconds": round(sum(got.seconds.values()), 1)})
    return pd.DataFrame(found, columns=["plan", *LOSSES, "seconds"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--model", choices=["slp", "mlp"], default="mlp")
    parser.add_argument("--rows", default="6000,12000")
    parser.add_argument("--tables", type=int, default=22)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tasks = large_suite()[: options.tables]
    for rows in map(int, options.rows.split(",")):
        extend_study(
            options.file,
            {task.name: task.reference for task in tasks},
            lambda data, rows=rows: work(data, options.model, rows),
            model=options.model,
            rows=rows,
        )
    for (model, rows), part in pd.read_csv(options.file).groupby(["model", "rows"]):
        for name in (*LOSSES, "seconds"):
            wide = part.pivot(index="dataset", columns="plan", values=name)
            means, gain = wide.mean(), wide["batches"] - wide["all rows at once"]
            print(
                f"{model}, {rows} rows, {len(gain)} tables, {name}: {means['batches']:.4f} - "
                f"{means['all rows at once']:.4f} = {gain.mean():+.4f} ± {gain.sem():.4f}"
            )


if __name__ == "__main__":
    main()
