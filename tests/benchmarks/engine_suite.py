"""The 102 synthetic data sets, 10 folds x 8 losses, SLP and MLP, in two processes: total time.

OMP_NUM_THREADS=1 python -m tests.benchmarks.engine_suite [--processes 2] [--model slp|mlp]
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context

import torch

from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.entries import load_twin, twin_settings
from tests.benchmarks.one_by_one import LOSSES


def unit(number, model):
    """One data set as the 'paper' protocol trains it: (rows, features, seconds)."""
    torch.set_num_threads(1)
    dataset = load_twin(number)
    found = compare(dataset, losses=tuple(LOSSES), model=model, protocol="paper", curves=10)
    return dataset.rows, dataset.frame.shape[1], found.total_seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--model", choices=["slp", "mlp"])
    options = parser.parse_args()
    # Large ones first, so that no process is left with a long one at the end.
    sizes = {number: load_twin(number).rows for number in twin_settings()}
    numbers = sorted(sizes, key=sizes.get, reverse=True)
    print(f"{date.today()}, {options.processes} processes of one thread")
    for model in [options.model] if options.model else ["slp", "mlp"]:
        started = time.perf_counter()
        with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
            units = list(pool.map(unit, numbers, [model] * len(numbers)))
        total = time.perf_counter() - started
        longest = max(units, key=lambda found: found[2])
        print(
            f"{model}: {len(units)} data sets in {total:.0f} s; the longest, "
            f"{longest[0]:,} x {longest[1]}, took {longest[2]:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
