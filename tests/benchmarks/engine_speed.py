"""How much faster a stack is than one model after the other: a table of ratios.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.engine_speed [--quick]

80 models = 10 folds x 8 losses. Each line is measured in interleaved rounds in one run, on one
thread, and shows medians of processor time (a busy machine disturbs it least). The one-by-one
loops run a few epochs and are scaled up; the engine runs all of its epochs, set-up included.
"""

import argparse
import platform
import time
from dataclasses import replace
from datetime import date
from statistics import median

import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold

from anyloss_core.comparison.protocols import PAPER, batch_of, trained_as
from anyloss_core.engine.loop import train
from anyloss_core.engine.study import Recipe, Rows, Study, Watch
from anyloss_core.losses.spelling import parse_loss
from tests.benchmarks.one_by_one import LOSSES, numpy_slp, torch_mlp, torch_slp

SIZES = ((250, 12), (1000, 20), (2000, 76), (10000, 14))
WANTED = {"mlp": (60, 40, 25, 20), "slp": (35, 25, 15, 7)}
EPOCHS = {"mlp": 100, "slp": 1000}
TRIAL = {"mlp": 2, "slp": 40}  # epochs of the one-by-one loops, at most
TYPED = {  # every metric as a user would type it
    "accuracy": "(TP + TN) / (TP + TN + FP + FN)",
    "f1": "2 * TP / (2 * TP + FN + FP)",
    "f0.5": "1.25 * TP / (1.25 * TP + 0.25 * FN + FP)",
    "f2": "5 * TP / (5 * TP + 4 * FN + FP)",
    "gmean": "sqrt(TP / (TP + FN) * TN / (TN + FP))",
    "balanced_accuracy": "(TP / (TP + FN) + TN / (TN + FP)) / 2",
}


def make_study(x, y, model, epochs, typed=False, watch=None):
    """10 folds x 8 losses as the 'paper' protocol trains them."""
    plan = PAPER.plans[model]
    parts = StratifiedKFold(10, shuffle=True, random_state=2).split(x, y)
    rows = tuple(Rows(train, valid, seed=fold) for fold, (train, valid) in enumerate(parts))
    models = []
    for fold, part in enumerate(rows):
        for name in LOSSES:
            spec = parse_loss(name)
            batch = batch_of(spec, plan, len(part.train))
            if typed and spec.score:
                spec = parse_loss(f"anyloss:{TYPED[spec.score.name]}")
            models.append(Recipe(trained_as(spec, plan), fold, 0.01, batch))
    watch = watch or Watch(every=epochs, detail="scores")
    return Study(x, y, rows, tuple(models), plan.network, plan.optimiser, epochs, watch=watch)


def stacked_seconds(study):
    started = time.process_time()
    for event in train(study):
        event.scores("f1")
    return time.process_time() - started


def one_by_one_seconds(loop, x, y, epochs, trial):
    """Ten times one fold of each loss, scaled to all epochs."""
    started = time.process_time()
    for name in LOSSES:
        loop(x, y, name, trial)
    return (time.process_time() - started) * 10 * epochs / trial


def data(rows, features):
    x, y = make_classification(
        rows, features, n_informative=min(features, 6), n_redundant=0, weights=[0.8], random_state=0
    )
    return (x - x.mean(0)) / x.std(0), y


def measure(rows, features, model, rounds, epochs=None, typed=True):
    """Medians: seconds of the stack, with events, with formulas, torch and NumPy one by one.

    'events' are losses and validation scores of all models, 100 times.
    """
    x, y = data(rows, features)
    epochs = epochs or EPOCHS[model]
    trial = min(TRIAL[model], epochs)
    study = make_study(x, y, model, epochs)
    setups = {
        "stack": study,
        "events": replace(study, watch=Watch(every=max(1, epochs // 100), detail="scores")),
        "typed": make_study(x, y, model, epochs, typed=True),
    }
    part = study.rows[0].train
    tensors = torch.as_tensor(x[part]), torch.as_tensor(y[part]).double()
    seconds = {name: [] for name in (*setups, "torch", "numpy")}
    for _ in range(rounds):
        for name, setup in setups.items():
            seconds[name].append(stacked_seconds(setup))
        loop = torch_mlp if model == "mlp" else torch_slp
        seconds["torch"].append(one_by_one_seconds(loop, *tensors, epochs, trial))
        if model == "slp":
            arrays = x[part], y[part].astype(float)
            seconds["numpy"].append(one_by_one_seconds(numpy_slp, *arrays, epochs, trial))
    return {name: median(values) for name, values in seconds.items() if values}


def line(model, rows, features, found, wanted):
    ratio = found["torch"] / found["stack"]
    typed = found["torch"] / found["typed"]
    events = found["events"] / found["stack"] - 1
    numpy = f"{found['numpy'] / found['stack']:6.1f}" if "numpy" in found else "     -"
    goal = f"{wanted:5d}" if wanted else "    -"
    return (
        f"{model:5} {rows:7,} {features:4} {found['stack']:9.2f} {ratio:9.1f} {goal} "
        f"{typed:9.1f} {numpy} {events:+8.0%}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer epochs, for a first look")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(f"{platform.machine()}, torch {torch.__version__}, {date.today()}")
    print("model    rows   F   stack s  x torch  goal  formulas x numpy   events")
    for model in ("mlp", "slp"):
        for (rows, features), wanted in zip(SIZES, WANTED[model], strict=True):
            epochs = EPOCHS[model] // 10 if options.quick else None
            found = measure(rows, features, model, options.rounds, epochs)
            print(line(model, rows, features, found, wanted), flush=True)
    found = measure(100_000, 8, "slp", options.rounds, epochs=5 if options.quick else 20)
    print(line("slp", 100_000, 8, found, None), flush=True)


if __name__ == "__main__":
    np.seterr(over="ignore")
    main()
