"""What does the automatic comparison of BCE, BCE with a tuned threshold and AnyLoss-F1 cost?

    python -m tests.benchmarks.comparison_cost [--largest ROWS] [--model slp|mlp]

Seconds of processor and wall clock and the peak of memory of the process, one process a line, on
made tables of 1,500, 100,000 and 2,000,000 rows (10 features, the last 14; a fifth positive), ten
folds, and how many times the same comparison takes without the search (L spelled out).
"""

import argparse
import resource
import subprocess
import sys
import time
from datetime import date

SIZES = ((1_500, 10), (100_000, 10), (2_000_000, 14))
LOSSES = {"chosen": "anyloss:f1", "spelled": "anyloss:f1@L=10"}


def one(rows, features, model, loss):
    """A comparison in this process: processor seconds, wall seconds, gigabytes at the peak."""
    import torch

    from anyloss_core.comparison.comparison import compare
    from anyloss_core.data.suites.synthetic import SyntheticSettings, generate

    torch.set_num_threads(1)
    data = generate(SyntheticSettings(rows=rows, features=features, imbalance=4.0), "made")
    spent, begun = time.process_time(), time.perf_counter()
    compare(data, ["bce", "bce+threshold", loss], model=model)
    seconds = time.process_time() - spent, time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(" ".join(f"{value:.2f}" for value in (*seconds, peak)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=SIZES[-1][0])
    parser.add_argument("--model", choices=["slp", "mlp"])
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        rows, features, model, loss = options.one
        one(int(rows), int(features), model, loss)
        return
    print(f"one thread, {date.today()}")
    for rows, features in SIZES:
        for model in [options.model] if options.model else ("slp", "mlp"):
            if rows <= options.largest:
                print(_line(rows, features, model), flush=True)


def _line(rows, features, model):
    found = {}
    for name, loss in LOSSES.items():
        command = [sys.executable, "-m", "tests.benchmarks.comparison_cost", "--one"]
        text = subprocess.check_output([*command, str(rows), str(features), model, loss], text=True)
        found[name] = [float(value) for value in text.split()]
    spent, wall, peak = found["chosen"]
    return (
        f"{rows:9,} x {features} {model}: {spent:6.1f} s of processor, {wall:6.1f} s, "
        f"{peak:.1f} GB; {spent / found['spelled'][0]:.1f} times one recipe"
    )


if __name__ == "__main__":
    main()
