"""Batches smaller than the metric: does the memory of the class sums help?

    python -m tests.benchmarks.small_batches

Is it an 8? The handwritten digits (1,797 rows, 64 pixels), a linear model, Adam, as many epochs
for every batch size. Positives are left out until 1 %, 5 % or 10 % are left; half of the rows are
held out, over several splits. Shown are F1 and MCC on held-out rows: AnyLoss with and without
memory, beside BCE whose threshold is tuned on the training rows.
"""

import argparse
import warnings

import numpy as np
import pandas as pd
import torch
from sklearn.datasets import load_digits
from sklearn.metrics import f1_score, matthews_corrcoef
from sklearn.model_selection import StratifiedShuffleSplit
from torch import Tensor

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.counts_loss import AnyLoss
from anyloss_core.losses.messages import LossWarning
from anyloss_core.losses.scores import get_score

SHARES = (0.01, 0.05, 0.10)
BATCHES = (16, 32, 64, 256, 0)  # 0: all rows
SCORES = {"f1": f1_score, "mcc": matthews_corrcoef}
EPOCHS, LR = 20, 0.01


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=4)
    splits = parser.parse_args().splits
    warnings.simplefilter("ignore", LossWarning)  # batches without positives are the point
    torch.set_num_threads(1)
    rows = [row for share in SHARES for seed in range(splits) for row in measure(share, seed)]
    table = pd.DataFrame(rows).groupby(["metric", "share", "loss", "batch"], sort=False).mean()
    print(table["score"].unstack("batch").round(3).to_string())


def measure(share: float, seed: int) -> list[dict[str, object]]:
    """Scores of all losses and batch sizes on one split."""
    x, y = table_with(share, seed)
    train, test = next(StratifiedShuffleSplit(1, test_size=0.5, random_state=seed).split(x, y))
    found: list[dict[str, object]] = []
    for batch in BATCHES:
        logits = trained(torch.nn.BCEWithLogitsLoss(), x, y, train, batch, seed)
        for metric, score in SCORES.items():
            cut = best_cut(metric, logits[train], y[train].numpy())
            results = {"BCE, tuned threshold": score(y[test], logits[test] > cut)}
            for memory in (0.0, 0.9):
                own = trained(AnyLoss(metric, memory=memory), x, y, train, batch, seed)
                results[f"AnyLoss, memory {memory:g}"] = score(y[test], own[test] > 0)
            found += [
                {"metric": metric, "share": share, "loss": name, "batch": batch, "score": value}
                for name, value in results.items()
            ]
    return found


def best_cut(metric: str, logits: np.ndarray, labels: np.ndarray) -> float:
    """The output above which rows are positive, where the metric is best on these rows."""
    order = np.argsort(logits)
    fn, tn = np.cumsum(labels[order]), np.cumsum(~labels[order])
    scores = get_score(metric)(Counts(tn, fn, (~labels).sum() - tn, labels.sum() - fn))
    return float(logits[order][np.argmax(scores)])


def table_with(share: float, seed: int) -> tuple[Tensor, Tensor]:
    """Pixels and labels with so many positives."""
    digits = load_digits()
    positive = np.flatnonzero(digits.target == 8)
    negative = np.flatnonzero(digits.target != 8)
    wanted = min(round(share * len(negative) / (1 - share)), len(positive))
    kept = np.random.default_rng(seed).permutation(positive)[:wanted]
    rows = np.concatenate([kept, negative])
    return torch.tensor(digits.data[rows] / 16).float(), torch.tensor(digits.target[rows] == 8)


def trained(
    loss: torch.nn.Module, x: Tensor, y: Tensor, train: np.ndarray, batch: int, seed: int
) -> np.ndarray:
    """The outputs of all rows in the end; full batches take as many steps as those of 64."""
    torch.manual_seed(seed)
    model = torch.nn.Linear(x.shape[1], 1)
    optimiser = torch.optim.Adam(model.parameters(), LR)
    rows, labels = torch.from_numpy(train), y[:, None].float()
    for _ in range(EPOCHS if batch else EPOCHS * len(train) // 64):
        for chosen in rows[torch.randperm(len(rows))].split(batch or len(rows)):
            optimiser.zero_grad()
            loss(model(x[chosen]), labels[chosen]).backward()
            optimiser.step()
    with torch.no_grad():
        return model(x)[:, 0].numpy()


if __name__ == "__main__":
    main()
