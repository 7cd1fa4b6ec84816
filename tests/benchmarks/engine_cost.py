"""How the cost of a study grows with rows, features and models: milliseconds per epoch.

OMP_NUM_THREADS=1 python -m tests.benchmarks.engine_cost
"""

import time
from datetime import date

import numpy as np
import torch

from anyloss_core.comparison.protocols import PAPER, trained_as
from anyloss_core.engine.loop import train
from anyloss_core.engine.study import Recipe, Rows, Study, Watch
from anyloss_core.losses.spelling import parse_loss
from tests.benchmarks.engine_speed import data
from tests.benchmarks.one_by_one import LOSSES

VARIED = (
    [(rows, 10, 80) for rows in (100, 300, 1_000, 3_000, 10_000, 30_000)]
    + [(1_000, features, 80) for features in (2, 10, 30, 100, 300)]
    + [(1_000, 10, models) for models in (1, 8, 80, 400)]
)
SECONDS = 1.0  # for each figure
EVERY = 10  # epochs between two looks at the clock


def make_study(rows, features, models, model):
    """Models spread over ten folds (or fewer) and eight losses (or fewer)."""
    x, y = data(rows, features)
    plan, losses = PAPER.plans[model], list(LOSSES)[: min(models, 8)]
    order = np.random.default_rng(0).permutation(rows)
    parts = np.array_split(order, 10)
    count = max(1, models // len(losses))
    folds = tuple(
        Rows(np.setdiff1d(order, parts[fold % 10]), parts[fold % 10], seed=fold)
        for fold in range(count)
    )
    batch = None if plan.batch is None else int(plan.batch * len(folds[0].train))
    recipes = tuple(
        Recipe(trained_as(parse_loss(loss), plan), fold, 0.01, batch)
        for fold in range(count)
        for loss in losses
    )
    watch = Watch(every=EVERY, detail="scores")
    return Study(x, y, folds, recipes, plan.network, plan.optimiser, 10**6, watch=watch)


def milliseconds(study):
    """The median processor time of an epoch, a tenth of an event included."""
    times, started = [], time.process_time()
    for event in train(study):
        now = time.process_time()
        times.append((now - started) / (1 if event.epoch == 1 else EVERY))
        started = now
        if sum(times[2:]) * EVERY > SECONDS and len(times) > 4:
            break
    return 1000 * float(np.median(times[2:]))  # the first ones hold what is done once


def main():
    torch.set_num_threads(1)
    print(f"{date.today()}, one thread, milliseconds per epoch of all models")
    print("    rows    F  models       slp       mlp")
    for rows, features, models in VARIED:
        slp, mlp = (milliseconds(make_study(rows, features, models, m)) for m in ("slp", "mlp"))
        print(f"{rows:8,} {features:4} {models:7} {slp:9.2f} {mlp:9.1f}", flush=True)


if __name__ == "__main__":
    main()
