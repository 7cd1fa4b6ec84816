"""How long the whole real suite takes, and how much faster that is than one model at a time.

    python -m tests.benchmarks.suite_speed [--protocol paper|fresh] [--workers 2] [--largest ROWS]

All tasks of the suite, 10 folds, 8 losses, one seed, MLP, 100 epochs. The ratio is measured on a
sample of units in the same run: each is trained by the benchmark's own unit and, right after it,
by plain torch one model after the other (a few epochs, scaled up), both on one thread.
"""

import argparse
import platform
import tempfile
import time
from datetime import date
from statistics import median

import numpy as np
import torch
from torch import nn

from anyloss_core.benchmark.benchmark import start_settings
from anyloss_core.benchmark.settings import BenchmarkSettings, comparison_settings, suite_items
from anyloss_core.benchmark.units import UnitTask, work
from anyloss_core.data.preparation import prepare_fresh
from anyloss_core.data.suites.real_suite import LARGEST
from anyloss_core.data.suites.references import open_reference
from anyloss_core.jobs.jobs import run_job
from anyloss_core.store.store import Store
from tests.benchmarks.one_by_one import LOSSES, torch_loss, torch_mlp

EPOCHS, TRIAL, FOLDS = 100, 6, 10


def torch_full_batch(x, y, name, epochs):
    """The network of the 'fresh' protocol on all rows at once."""
    net = nn.Sequential(
        nn.Linear(x.shape[1], 4, dtype=x.dtype), nn.Tanh(), nn.Linear(4, 1, dtype=x.dtype)
    )
    optimiser = torch.optim.Adam(net.parameters(), lr=0.03)
    for _ in range(epochs):
        optimiser.zero_grad()
        torch_loss(name, net(x)[:, 0], y).backward()
        optimiser.step()


def one_by_one_seconds(item, protocol):
    """All folds and losses of a data set in plain torch, from one fold and a few epochs.

    A network is made once and trained for many epochs: only the epochs are scaled up.
    """
    data = open_reference(item.reference)
    rows = np.arange(data.rows)[np.arange(data.rows) % FOLDS != 0]
    x = torch.as_tensor(prepare_fresh(data, rows).transform(data.frame)[rows])
    y = torch.as_tensor(data.labels[rows]).double()
    loop = torch_mlp if protocol == "paper" else torch_full_batch
    loop(x, y, "bce", 1)  # the first call of all loads torch's optimisers
    one, several = (loop_seconds(loop, x, y, epochs) for epochs in (1, TRIAL))
    return FOLDS * (one + (several - one) * (EPOCHS - 1) / (TRIAL - 1))


def loop_seconds(loop, x, y, epochs):
    """One network after the other, a network per loss."""
    begun = time.process_time()
    for name in LOSSES:
        loop(x, y, name, epochs)
    return time.process_time() - begun


def unit_seconds(item, comparison):
    """The same data set as a unit of the benchmark, reading and tabulating included."""
    begun = time.process_time()
    outcome = work(UnitTask(item, comparison))
    assert outcome.value is not None, outcome.reason
    return time.process_time() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--protocol", choices=("paper", "fresh"), default="paper")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sample", type=int, default=7, help="units for the ratio")
    parser.add_argument("--largest", type=int, default=LARGEST, help="leave out larger tables")
    options = parser.parse_args()
    settings = {"protocol": options.protocol, "model": "mlp", "folds": FOLDS, "epochs": EPOCHS}
    items = [item for item in suite_items("real") if item.rows <= options.largest]
    print(
        f"{platform.processor() or platform.machine()}, torch {torch.__version__}, {date.today()}"
    )
    whole_suite(items, settings, options)
    torch.set_num_threads(1)
    comparison = comparison_settings(losses=tuple(LOSSES), **settings).to_dict()
    by_size = sorted(items, key=lambda item: item.rows)
    ratios = []
    for place in np.linspace(0, len(by_size) - 1, options.sample).round().astype(int):
        item = by_size[place]
        ours, theirs = unit_seconds(item, comparison), one_by_one_seconds(item, options.protocol)
        ratios.append(theirs / ours)
        print(f"{item.name:36} {item.rows:6} rows {ours:8.1f} s {ratios[-1]:6.1f} x", flush=True)
    print(f"one by one takes {median(ratios):.1f} times as long (median of {len(ratios)} units)")


def whole_suite(items, settings, options):
    """Wall-clock time of the benchmark in a store of its own."""
    chosen = BenchmarkSettings(
        "real", tuple(items), comparison_settings(losses=tuple(LOSSES), **settings)
    )
    with tempfile.TemporaryDirectory() as home:
        store = Store(home)
        how = start_settings(chosen, options.workers)
        begun = time.perf_counter()
        ended = run_job(store, store.create_run("benchmark", how, queue=False))
        seconds = time.perf_counter() - begun
        spent = sum(unit.seconds for unit in store.units(ended.id, "done"))
    print(
        f"{ended.message}; {len(LOSSES)} losses, {FOLDS} folds, MLP, {EPOCHS} epochs, protocol "
        f"{options.protocol}, {options.workers} processes: {seconds / 60:.1f} min "
        f"({spent / 60:.1f} min of units)",
        flush=True,
    )


if __name__ == "__main__":
    main()
