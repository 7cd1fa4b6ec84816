"""What the points of learning curves add to a comparison: at most 10 % for the default 100.

    OMP_NUM_THREADS=1 python -m tests.benchmarks.engine_curves [--rounds 5]

10 folds x 8 losses under both protocols, tables of results included. Each line is measured in
interleaved rounds in one run, on one thread, as processor time.
"""

import argparse
import time
from datetime import date
from itertools import product
from statistics import median

import torch

import anyloss_core as al
from tests.benchmarks.engine_speed import SIZES
from tests.benchmarks.one_by_one import LOSSES
from tests.support.generated import synthetic

MOST = 0.10  # what 100 points may add
POINTS = (1, 100)  # without curves, and with those of a comparison by default


def seconds(dataset, model, protocol, curves):
    started = time.process_time()
    al.compare(dataset, list(LOSSES), model=model, protocol=protocol, curves=curves)
    return time.process_time() - started


def measure(dataset, model, protocol, rounds):
    """Median seconds without curves, and the median of what curves add in the same round."""
    pairs = [[seconds(dataset, model, protocol, n) for n in POINTS] for _ in range(rounds)]
    return median(plain for plain, _ in pairs), median(with_ / plain - 1 for plain, with_ in pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(f"{date.today()}, one thread; wanted: at most {MOST:+.0%}")
    print("protocol model    rows   F  plain s   curves")
    for protocol, model in product(("fresh", "paper"), ("slp", "mlp")):
        for rows, features in SIZES:
            dataset = synthetic(rows, features=features, imbalance=4)
            plain, added = measure(dataset, model, protocol, options.rounds)
            line = f"{protocol:8} {model:5} {rows:7,} {features:4} {plain:7.2f} {added:+8.1%}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
