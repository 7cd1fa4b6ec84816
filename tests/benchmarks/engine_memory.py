"""Peak memory of two large runs, each in a process of its own.

OMP_NUM_THREADS=1 python -m tests.benchmarks.engine_memory
"""

import resource
import subprocess
import sys
from datetime import date

RUNS = {  # name -> (limit in GB, rows, features, losses, folds)
    "80 SLPs": (1.5, 100_000, 8, "eight", 10),
    "comparison": (4.0, 800_000, 7, "four", 5),
}
LOSSES = {
    "four": ("mse", "bce", "anyloss:f1", "anyloss:balanced_accuracy"),
    "eight": (
        *("mse", "bce", "anyloss:accuracy", "anyloss:f1", "anyloss:f0.5", "anyloss:f2"),
        *("anyloss:gmean", "anyloss:balanced_accuracy"),
    ),
}


def run(name, protocol):
    from anyloss_core.comparison.comparison import compare
    from tests.support.generated import synthetic

    _, rows, features, losses, folds = RUNS[name]
    data = synthetic(rows=rows, features=features, imbalance=9, seed=0)
    compare(data, losses=LOSSES[losses], protocol=protocol, folds=folds, epochs=3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(peak * (1 if sys.platform == "darwin" else 1024) / 1e9)


def main():
    print(f"{date.today()}\nrun          protocol      rows  F  models  peak GB  limit")
    for name, (limit, rows, features, losses, folds) in RUNS.items():
        for protocol in ("fresh", "paper"):
            command = [sys.executable, "-m", __spec__.name, name, protocol]
            found = subprocess.run(command, capture_output=True, text=True, check=True)
            models = folds * len(LOSSES[losses])
            print(
                f"{name:12} {protocol:8} {rows:9,} {features:2} {models:7} "
                f"{float(found.stdout):8.2f} {limit:6.1f}",
                flush=True,
            )


if __name__ == "__main__":
    run(*sys.argv[1:]) if len(sys.argv) > 1 else main()
