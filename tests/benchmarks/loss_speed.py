"""What a loss costs: forward and backward of a 100,000 x 8 SLP, over torch's own BCE.

    python -m tests.benchmarks.loss_speed

Every loss takes its turn in each round, in changing order: a few steps, as a training takes them,
after one that warms the caches. The table shows the quickest tenth of the processor's time, since
what slows the others on a busy machine is not the loss's, and its ratio to
torch.nn.BCEWithLogitsLoss in the same run.
Targets: AnyLoss at most 1.35 x in float64 and 1.25 x in float32, its tensor path (`any_loss`) at
most 1.8 x, SOL at most 1.6 x. Labels are checked and counted in every call.
"""

import random
import statistics
import time

import torch

from anyloss_core.functional import any_loss
from anyloss_core.losses.spelling import get_loss

ROWS, FEATURES, ROUNDS, STEPS = 100_000, 8, 20, 5
METRICS = ["accuracy", "f1", "f0.5", "f2", "gmean", "balanced_accuracy", "mcc"]
LOSSES = [f"anyloss:{metric}" for metric in METRICS]
LOSSES += ["sol:accuracy", "sol:f1", "sol:balanced_accuracy", "soft:f1", "bce", "focal"]


def main() -> None:
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {ROWS:,} x {FEATURES}")
    print(f"{'loss':28}{'float64 ms':>12}{'ratio':>8}{'float32 ms':>14}{'ratio':>8}")
    results = {dtype: measure(dtype) for dtype in (torch.float64, torch.float32)}
    base = {dtype: times["torch BCE"] for dtype, times in results.items()}
    for name in results[torch.float64]:
        cells = [
            f"{times[name] * 1e3:12.2f}{times[name] / base[dtype]:8.2f}"
            for dtype, times in results.items()
        ]
        print(f"{name:28}{cells[0]}  {cells[1]}")


def measure(dtype: torch.dtype) -> dict[str, float]:
    """Seconds of one step of each loss, the quickest tenth."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(ROWS, FEATURES, generator=generator, dtype=dtype)
    labels = (torch.rand(ROWS, generator=generator) < 0.1).to(dtype)
    network = torch.nn.Linear(FEATURES, 1, dtype=dtype)
    losses = {"torch BCE": torch.nn.BCEWithLogitsLoss()}
    losses |= {spelling: get_loss(spelling) for spelling in LOSSES}
    losses["any_loss, tensor path"] = any_loss
    times: dict[str, list[float]] = {name: [] for name in losses}
    for _ in range(ROUNDS):
        for name, loss in random.sample(list(losses.items()), len(losses)):
            for step in range(STEPS + 1):
                network.zero_grad()
                started = time.process_time()
                loss(network(x).squeeze(-1), labels).backward()
                if step:
                    times[name].append(time.process_time() - started)
    return {name: statistics.quantiles(seconds, n=10)[0] for name, seconds in times.items()}


if __name__ == "__main__":
    main()
