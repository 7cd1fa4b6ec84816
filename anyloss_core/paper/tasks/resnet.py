"""ResNet-50 on digits, one against the rest: the losses work in any network.

The published scores are of MNIST_784; offline the network learns scikit-learn's 1,797 digits,
scaled up to 32 x 32, so the figures stand side by side as what they are: another data set, a
narrower network. MNIST comes from OpenML when there is a network, or from a CSV with labels.
"""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import torch
from sklearn.datasets import fetch_openml, load_digits
from sklearn.model_selection import train_test_split
from torch import Tensor
from torch.nn.functional import interpolate

from anyloss_core.losses.confusion import hard_counts
from anyloss_core.losses.losses import BCELoss, Loss
from anyloss_core.losses.outputs import cut
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import LossSpec, parse_loss
from anyloss_core.paper.cells import Cell, OnProgress, Result, Where, noisy_cell, shifted
from anyloss_core.paper.tables import load_table
from anyloss_core.paper.tasks.resnet_model import ResNet50

SIDE = 32  # pixels; both kinds of digits are scaled to this
POSITIVE = 8  # the digit found against the other nine
METRICS = ("accuracy", "f1", "balanced_accuracy")
LOSSES = ("mse", "bce", "anyloss:accuracy", "anyloss:f1", "anyloss:balanced_accuracy")
# Tried on the digits: a constant L = 73 from a fresh start leaves the network where it began (F-1
# 0.22), and with BCE for the first 0.3 or 0.5 of the steps it forgets again (0.45, 0.57); AnyLoss
# for the last steps, at falling learning rates, keeps what BCE found and aims at the metric.
RAMP = "L=10..73,warm_up=0.8"
LABEL_COLUMNS = ("label", "class", "target")  # Kaggle's, OpenML's and scikit-learn's name


@dataclass(frozen=True)
class ResNetSettings:
    """How the network is trained, the same for every loss."""

    source: str = "digits"  # or "mnist_784", fetched from OpenML
    epochs: int = 16
    seed: int = 0
    rows: int | None = None  # of the source, all if None
    batch: int = 64
    lr: float = 2e-3  # the highest of a cycle that ends near 0


def reproduce_resnet(
    progress: OnProgress, csv: str | PathLike | None = None, **chosen: Any
) -> Result:
    """Train the same network from the same start with every loss; scores on a held-out fifth.

    `csv` is a table of digits with labels instead of a source; `chosen` are `ResNetSettings`.
    """
    settings = ResNetSettings(**chosen)
    progress(0.0, "loading the images")
    images, labels = load_images(csv or settings.source, settings.rows)
    rows = train_test_split(
        np.arange(len(labels)), test_size=0.2, stratify=labels, random_state=settings.seed
    )
    scores, curves = {}, {}
    with _all_cores():
        for part, loss in enumerate(LOSSES):
            own = shifted(progress, part, len(LOSSES))
            scores[loss], curves[loss] = _train(images, labels, rows, loss, settings, own)
    name = "csv" if csv else settings.source
    cells = _cells(scores, name, settings.epochs)
    return Result(cells, asdict(settings), {"curves": curves, "scores": scores})


def load_images(source: str | PathLike, rows: int | None = None) -> tuple[Tensor, Tensor]:
    """Images (n, 1, 32, 32) from 0 to 1 and labels (n,): 1 for the digit 8."""
    if source == "digits":
        pixels, digits = load_digits(return_X_y=True)
    elif source == "mnist_784":
        pixels, digits = _from_openml()
    else:
        pixels, digits = _from_csv(source)
    pixels, digits = pixels[:rows], digits[:rows]
    side = round(pixels.shape[1] ** 0.5)
    if side**2 != pixels.shape[1]:
        raise ValueError(f"source: {pixels.shape[1]} pixel columns make no square; MNIST has 784")
    images = torch.from_numpy((pixels / pixels.max()).astype(np.float32))
    images = interpolate(images.reshape(-1, 1, side, side), size=SIDE, mode="bilinear")
    return images, torch.from_numpy((np.asarray(digits, dtype=int) == POSITIVE).astype(np.float32))


@contextmanager
def _all_cores() -> Iterator[None]:
    """Convolutions, unlike the tiny networks elsewhere, are worth all threads of the machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(os.cpu_count() or 1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _from_openml() -> tuple[np.ndarray, np.ndarray]:
    try:
        return fetch_openml("mnist_784", version=1, return_X_y=True, as_frame=False)
    except OSError as error:
        raise ValueError(
            f"source: MNIST_784 could not be fetched from OpenML ({error}); connect to a network, "
            "give the path of its CSV, or use 'digits'"
        ) from error


def _from_csv(path: str | PathLike) -> tuple[np.ndarray, np.ndarray]:
    table = pd.read_csv(path)
    label = next((name for name in LABEL_COLUMNS if name in table.columns), None)
    if label is None:
        raise ValueError(f"source: the CSV needs a column named {' or '.join(LABEL_COLUMNS)}")
    return table.drop(columns=label).to_numpy(dtype=np.float32), table[label].to_numpy()


def _train(
    images: Tensor,
    labels: Tensor,
    rows: list[np.ndarray],
    loss: str,
    settings: ResNetSettings,
    progress: OnProgress,
) -> tuple[dict[str, float], list[float]]:
    with torch.random.fork_rng():
        torch.manual_seed(settings.seed)
        network = ResNet50()
        batches = math.ceil(len(rows[0]) / settings.batch)
        steps = settings.epochs * batches
        optimizer = torch.optim.Adam(network.parameters(), lr=settings.lr)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings.lr, total_steps=steps)
        spec, values = parse_loss(f"{loss}@{RAMP}" if loss.startswith("anyloss") else loss), []
        network.train()
        for step in range(steps):
            if step % batches == 0:
                order = torch.from_numpy(rows[0])[torch.randperm(len(rows[0]))]
            batch = order[step % batches * settings.batch :][: settings.batch]
            optimizer.zero_grad()
            value = _loss_at(spec, step, steps)(network(images[batch]), labels[batch])
            value.backward()
            optimizer.step()
            schedule.step()
            values.append(value.item())
            progress((step + 1) / steps, f"ResNet-50 with {loss}")
    curve = np.reshape(values, (settings.epochs, batches)).mean(axis=1)
    held_out = torch.from_numpy(rows[1])
    return _held_out_scores(network, images, labels, held_out, cut(spec)), curve.tolist()


def _loss_at(spec: LossSpec, step: int, steps: int) -> Loss:
    """The loss of a step: BCE during the warm-up, then L grows."""
    phase = spec.at(step, steps)
    return BCELoss() if phase.warming_up else replace(spec, L=phase.L).build()


@torch.no_grad()
def _held_out_scores(
    network: ResNet50, images: Tensor, labels: Tensor, rows: Tensor, above: float
) -> dict[str, float]:
    network.eval()
    logits = torch.cat([network(images[part]) for part in rows.split(256)])
    counts = hard_counts(labels[rows], (logits > above).float())
    return {metric: float(get_score(metric)(counts)) for metric in METRICS}


def _cells(scores: dict[str, dict[str, float]], name: str, epochs: int) -> list[Cell]:
    """The paper shows, per metric, MSE, BCE and the AnyLoss that aims at the metric."""
    why = (
        f"other data and network: {name!r}, a quarter of the width, {epochs} epochs; "
        "the paper names neither its digit nor its settings"
    )
    cells = []
    for row in load_table("resnet50_mnist").itertuples():
        where = Where("resnet50_mnist", name, row.loss, row.metric)
        cells.append(noisy_cell(where, row.score, [scores[row.loss][row.metric]], why))
    return cells
