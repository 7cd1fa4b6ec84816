"""Measure units of many shapes and fit the coefficients of `cost_model`.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.cost_fit [--quick]

Processor seconds of one thread are counted, so that other work on the machine matters little.
"""

import argparse
import itertools
import platform
import time
from datetime import date

import numpy as np
import torch
from scipy.optimize import nnls

from anyloss_core.benchmark.settings import comparison_settings
from anyloss_core.benchmark.units import unit_value
from anyloss_core.comparison.comparison import Comparing
from anyloss_core.comparison.cost_model import Terms, terms_of
from anyloss_core.comparison.estimates import comparison_load
from tests.support.generated import synthetic

EIGHT = [f"anyloss:{m}" for m in ("accuracy", "f1", "f0.5", "f2", "gmean", "balanced_accuracy")]
EIGHT = ["mse", "bce", *EIGHT]
ROWS, FEATURES = (300, 1200, 5000), (4, 16, 64)
ROUNDS = 2  # the quickest counts: other work on the machine can only slow it down
WIDE = ((16,), (64,), (32, 32))
EPOCHS = {"slp": 120, "mlp": 60}  # enough to tell the steps from the rest


def shapes(model):
    """(rows, features, settings) of each measurement."""
    for rows, features in itertools.product(ROWS, FEATURES):
        for losses, folds, seeds, longer in (
            (EIGHT, 10, 1, 1),
            (EIGHT[1:4], 5, 1, 4),  # other epochs, to tell a model from its steps
            (EIGHT[:2], 5, 3, 2),
        ):
            yield (
                rows,
                features,
                comparison_settings(
                    losses=losses,
                    folds=folds,
                    seeds=seeds,
                    model=model,
                    epochs=EPOCHS[model] * longer,
                ),
            )
    mini = {"model": model, "epochs": 20, "protocol": "paper"}
    yield 1200, 16, comparison_settings(losses=EIGHT, folds=10, **mini)
    for hidden in WIDE if model == "mlp" else ():  # to tell units from parameters
        wide = {"model": model, "epochs": 20, "hidden": hidden}
        yield 1200, 16, comparison_settings(losses=EIGHT[1:4], folds=5, **wide)


def spent(rows, features, settings):
    """Processor seconds of one unit, from the opened table to what is kept."""
    data = synthetic(rows=rows, features=features, imbalance=4.0)
    begun = time.process_time()
    comparing = Comparing(data, settings)
    for _ in comparing:
        pass
    unit_value(data, comparing.result())
    return time.process_time() - begun


def fit(model, every):
    """Non-negative least squares of the relative error."""
    found = []
    for rows, features, settings in itertools.islice(shapes(model), 0, None, every):
        seconds = min(spent(rows, features, settings) for _ in range(ROUNDS))
        found.append((terms_of(comparison_load(settings, rows, features)), seconds))
        print(f"  {model} {rows:6} rows {features:3} features {seconds:8.2f} s", flush=True)
    terms, seconds = np.array([t for t, _ in found]), np.array([s for _, s in found])
    coefficients, _ = nnls(terms / seconds[:, None], np.ones(len(seconds)))
    errors = np.abs(terms @ coefficients / seconds - 1)
    return coefficients, np.median(errors), errors.max()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="every fourth shape")
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(
        f"{platform.processor() or platform.machine()}, torch {torch.__version__}, {date.today()}"
    )
    for model in ("slp", "mlp"):
        coefficients, usual, worst = fit(model, 4 if options.quick else 1)
        named = ", ".join(f"{n} {c:.2e}" for n, c in zip(Terms._fields, coefficients, strict=True))
        print(f"{model}: {named}; relative error {usual:.0%} (median), {worst:.0%} (largest)")


if __name__ == "__main__":
    main()
