"""Run after run in one process, as a worker does them: its memory must not grow.

python -m tests.load.soak --runs 300
"""

from __future__ import annotations

import argparse
import json
import tempfile
from datetime import date

import psutil

from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.jobs.jobs import run_job
from anyloss_core.live.settings import LiveSettings
from anyloss_core.store.store import Store

DATA = "synthetic:rows=600,features=6,imbalance=4,seed={seed}"
KEPT = 20  # runs in the store; older ones are deleted, so that the disk does not fill up


def soak(runs: int, warm: int) -> dict:
    """Memory after the first `warm` runs and at the end, in megabytes."""
    marks = []
    with tempfile.TemporaryDirectory(prefix="anyloss-soak-") as home:
        store = Store(home)
        for number in range(runs):
            ended = run_job(store, store.create_run(*job(number), queue=False))
            assert ended.status == "done", ended.error
            for old in store.runs(limit=100)[KEPT:]:
                store.delete_run(old.id)
            marks.append(psutil.Process().memory_full_info().uss / 1e6)
        store.close()
    return {
        "runs": runs,
        "warm": marks[warm - 1],
        "end": marks[-1],
        "most": max(marks[warm - 1 :]),
        "growth": marks[-1] / marks[warm - 1] - 1,
        "every": [round(mark, 1) for mark in marks[:: max(1, runs // 30)]],
        "date": str(date.today()),
    }


def job(number: int) -> tuple[str, dict]:
    """Kind and settings: live runs and comparisons, SLP and MLP, another data set each."""
    data = DATA.format(seed=number)
    losses, mlp = ("anyloss:f1", "bce", "mse"), number % 3 == 0
    if number % 2:
        hidden = (8,) if mlp else ()
        return "train", LiveSettings(data, losses, hidden=hidden, epochs=40).to_dict()
    settings = ComparisonSettings(losses, model="mlp" if mlp else "slp", folds=5, epochs=40)
    return "compare", job_settings(data, settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--warm", type=int, default=30, help="runs before the first look")
    chosen = parser.parse_args()
    print(json.dumps(soak(chosen.runs, min(chosen.warm, chosen.runs)), indent=1))


if __name__ == "__main__":
    main()
