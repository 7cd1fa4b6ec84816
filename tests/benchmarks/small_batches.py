"""Batches smaller than the metric: does the memory of the class sums help?

    python -m tests.benchmarks.small_batches

Is it an 8? The handwritten digits (1,797 rows, 64 pixels), a linear model, Adam, as many steps for
every batch size. Positives are left out until 1 %, 5 % or 10 % are left; half of the rows are held
out, over several splits, which are trained side by side. Shown are F1 and MCC on held-out rows:
AnyLoss with and without memory, beside BCE whose threshold is tuned on the training rows. Batches
are drawn at random, or stratified, as the engine draws them: each holds its share of positives.
Nobody takes a warm-up.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator
from itertools import islice, product

import numpy as np
import pandas as pd
import torch
from sklearn.datasets import load_digits
from sklearn.metrics import f1_score, matthews_corrcoef
from sklearn.model_selection import StratifiedShuffleSplit
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.counts_loss import AnyLoss
from anyloss_core.losses.messages import LossWarning
from anyloss_core.losses.scores import get_score

SHARES = (0.01, 0.05, 0.10)
BATCHES = (16, 32, 64, 256, 0)  # 0: all rows
MEMORIES = (0.0, 0.9)
DRAWN = ("at random", "stratified")
PLACE = ["metric", "share", "loss", "batch"]
SCORES = {"f1": f1_score, "mcc": matthews_corrcoef}
STEPS, LR = 1_000, 0.03


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=20)
    splits = parser.parse_args().splits
    warnings.simplefilter("ignore", LossWarning)  # batches without positives are the point
    torch.set_num_threads(1)
    kinds = [(share, batch) for share in SHARES for batch in BATCHES]
    rows = [row for kind in kinds for row in measure(*kind, splits)]
    scores = pd.DataFrame(rows).set_index([*PLACE, "split"])["score"]
    found = scores.groupby(PLACE, sort=False)
    print(found.mean().unstack("batch").round(3).to_string())
    print(f"standard errors {(found.std() / splits**0.5).median():.3f} (median)")
    for memory in MEMORIES[1:]:
        for drawn in DRAWN:
            print(f"memory {memory:g} less none, batches {drawn}, with the standard error")
            print(gains(scores, drawn, memory).to_string())


def gains(scores: pd.Series, drawn: str, memory: float) -> pd.DataFrame:
    """What the memory changes, as mean and standard error of the differences of single splits."""
    with_it, without = (
        scores.xs(f"AnyLoss, {drawn}, memory {own:g}", level="loss") for own in (memory, 0.0)
    )
    found = (with_it - without).groupby(["metric", "share", "batch"], sort=False)
    error = found.std() / found.count() ** 0.5
    return (found.mean().map("{:+.3f} ".format) + error.map("{:.3f}".format)).unstack("batch")


def measure(share: float, batch: int, splits: int) -> list[dict[str, object]]:
    """Scores of all losses on all splits."""
    x, y, train = tables_with(share, splits)  # (M, N, F), (M, N), (M, n)
    found: list[dict[str, object]] = []

    def note(metric: str, loss: str, logits: np.ndarray, cuts: list[float]) -> None:
        parts = zip(y.numpy(), train.numpy(), logits, cuts, strict=True)
        for split, (labels, rows, own, cut) in enumerate(parts):
            held_out = np.setdiff1d(np.arange(len(labels)), rows)
            value = SCORES[metric](labels[held_out], own[held_out] > cut)
            place = {"metric": metric, "share": share, "loss": loss, "batch": batch}
            found.append({**place, "split": split, "score": value})

    bce = trained(_bce, x, y, train, batch, False)
    for metric in SCORES:
        parts = zip(bce, y.numpy(), train.numpy(), strict=True)
        cuts = [best_cut(metric, own[rows], labels[rows]) for own, labels, rows in parts]
        note(metric, "BCE, tuned threshold", bce, cuts)
        for drawn, memory in product(DRAWN if batch else DRAWN[:1], MEMORIES):
            loss = AnyLoss(metric, memory=memory, stacked=True)
            own = trained(loss, x, y, train, batch, drawn == "stratified")
            note(metric, f"AnyLoss, {drawn}, memory {memory:g}", own, [0.0] * splits)
    return found


def _bce(logits: Tensor, labels: Tensor) -> Tensor:
    return binary_cross_entropy_with_logits(logits, labels, reduction="none").mean(-1)


def best_cut(metric: str, logits: np.ndarray, labels: np.ndarray) -> float:
    """The output above which rows are positive, where the metric is best on these rows."""
    order = np.argsort(logits)
    fn, tn = np.cumsum(labels[order]), np.cumsum(~labels[order])
    scores = get_score(metric)(Counts(tn, fn, (~labels).sum() - tn, labels.sum() - fn))
    return float(logits[order][np.argmax(scores)])


def tables_with(share: float, splits: int) -> tuple[Tensor, Tensor, Tensor]:
    """Pixels and labels with so many positives, and the training rows of each split."""
    digits = load_digits()
    positive = np.flatnonzero(digits.target == 8)
    negative = np.flatnonzero(digits.target != 8)
    wanted = min(round(share * len(negative) / (1 - share)), len(positive))
    parts = []
    for seed in range(splits):
        kept = np.random.default_rng(seed).permutation(positive)[:wanted]
        rows = np.concatenate([kept, negative])
        x, y = digits.data[rows] / 16, digits.target[rows] == 8
        splitter = StratifiedShuffleSplit(1, test_size=0.5, random_state=seed)
        own = next(splitter.split(x, y))[0]
        own = own[np.argsort(~y[own], kind="stable")]  # positives first, equally many in all splits
        parts.append((x.astype(np.float32), y, own))
    x, y, train = (torch.from_numpy(np.stack(part)) for part in zip(*parts, strict=True))
    return x, y, train


def trained(
    loss: Callable[[Tensor, Tensor], Tensor],
    x: Tensor,
    y: Tensor,
    train: Tensor,
    batch: int,
    stratified: bool,
) -> np.ndarray:
    """The outputs of all rows in the end."""
    random = torch.Generator().manual_seed(0)
    weights = (0.1 * torch.randn(len(x), x.shape[2], 1, generator=random)).requires_grad_()
    bias = torch.zeros(len(x), 1, requires_grad=True)
    optimiser = torch.optim.Adam([weights, bias], LR)
    labels, models = y.float(), torch.arange(len(x))[:, None]
    parts = (int(y[0, train[0]].sum()),) if stratified else ()
    for places in islice(_batches(train.shape[1], batch, random, *parts), STEPS):
        chosen = train[:, places]
        optimiser.zero_grad()
        logits = (x[models, chosen] @ weights)[..., 0] + bias
        loss(logits, labels[models, chosen]).sum().backward()
        optimiser.step()
    with torch.no_grad():
        return ((x @ weights)[..., 0] + bias).numpy()


def _batches(
    rows: int, size: int, random: torch.Generator, first: int | None = None
) -> Iterator[Tensor]:
    """Rows in a new order every epoch, without end; the `first` ones are spread evenly over it."""
    while True:
        parts = [rows] if first is None else [first, rows - first]
        places = [(torch.randperm(n, generator=random) + 0.5) / n for n in parts]
        yield from torch.cat(places).argsort().split(size or rows)


if __name__ == "__main__":
    main()
