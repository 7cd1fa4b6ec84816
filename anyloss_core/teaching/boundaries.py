"""Two losses learn the same points: where the line of each lies after every few epochs.

A single layer with the plan of 'fresh', BCE beside AnyLoss-F1. BCE is drawn twice: at p = 0.5 and
at the threshold with the best F1 on the points, which moves its line but cannot turn it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anyloss_core.comparison.protocols import FRESH, rate_of, schedule_of, trained_as
from anyloss_core.comparison.thresholds import counts_above
from anyloss_core.engine.loop import train
from anyloss_core.engine.models import Parameters
from anyloss_core.engine.study import Recipe, Rows, Study, Watch
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.teaching.drawing import REACH, Drawing

LOSSES = ("bce", "anyloss:f1")
METHODS = ("bce", "bce+threshold", "anyloss:f1")  # the lines that are drawn
FRAMES = 200  # many of them stand still and are not shown
F1 = get_score("f1")
EQUAL = 1e-12  # scores closer than this are equal


@dataclass(frozen=True)
class Line:
    """What a method says after an epoch: positive where weights @ x + bias > 0."""

    weights: np.ndarray  # (2,)
    bias: float
    counts: Counts[float]  # of the points

    @property
    def f1(self) -> float:
        return float(F1(Counts(*(np.asarray(entry) for entry in self.counts))))


@dataclass(frozen=True)
class Frame:
    """All lines after an epoch, in the order of METHODS."""

    epoch: int
    lines: tuple[Line, ...]


def learn(drawing: Drawing, frames: int = FRAMES) -> list[Frame]:
    """Train both losses on the points; a frame every few epochs, the last one at the end."""
    mean, spread = standard(drawing.points)
    study = study_of((drawing.points - mean) / spread, drawing.labels, LOSSES, frames=frames)
    found = []
    for event in train(study):
        if event.parameters is not None:
            weights, biases = flat(event.parameters, mean, spread)
            found.append(Frame(event.epoch, _lines(drawing, weights, biases)))
    return found


def study_of(
    features: np.ndarray,
    labels: np.ndarray,
    losses: Sequence[str],
    folds: Sequence[np.ndarray] | None = None,
    model: str = "slp",
    longer: int = 1,
    frames: int = 1,
) -> Study:
    """Every loss on every fold (all rows by default), as 'fresh' trains it by default.

    `longer` times as many epochs; the parameters are kept about `frames` times.
    """
    plan = FRESH.plans[model]
    specs = [trained_as(parse_loss(loss), plan) for loss in losses]
    none = np.arange(0)
    rows = tuple(Rows(train, none) for train in (folds or [np.arange(len(labels))]))
    recipes = tuple(
        Recipe(spec, fold, rate_of(spec, FRESH, model, "", plan), schedule=schedule_of(spec, plan))
        for fold in range(len(rows))
        for spec in specs
    )
    epochs = plan.epochs * longer
    watch = Watch(epochs, "scores", snapshots=max(1, epochs // frames))
    network, optimiser = plan.network, plan.optimiser
    return Study(
        features, labels, rows, recipes, network, optimiser, epochs, watch=watch, device="cpu"
    )


def standard(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread (2,) of the points; 1 where they do not spread."""
    spread = points.std(0)
    return points.mean(0), np.where(spread > 0, spread, 1.0)


def flat(
    parameters: Parameters, mean: np.ndarray, spread: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (M, 2) and biases (M,) of single layers for points that are not standardised."""
    weights = parameters.tensors["weight0"][:, 0].numpy() / spread
    return weights, parameters.tensors["bias0"][:, 0].numpy() - weights @ mean


def best_cut(labels: np.ndarray, logits: np.ndarray) -> float:
    """The cut with the best F1 on these rows; among equals the one nearest 0 (p = 0.5)."""
    edges = np.unique(logits)
    ends = [edges[0] - 1.0, edges[-1] + 1.0]
    cuts = np.sort(np.concatenate([(edges[1:] + edges[:-1]) / 2, ends]))
    scores = np.asarray(F1(counts_above(labels, logits, cuts)))
    good = cuts[scores >= scores.max() - EQUAL]
    return float(good[np.abs(good).argmin()])


def edge(line: Line) -> list[tuple[float, float]]:
    """The two ends of the line within the plane, its positive side at the left; none if outside."""
    corners = [(-REACH, -REACH), (REACH, -REACH), (REACH, REACH), (-REACH, REACH)]
    heights = [float(line.weights @ corner) + line.bias for corner in corners]
    leaving: list[tuple[float, float]] = []  # where a walk around the square meets the line
    entering: list[tuple[float, float]] = []
    for place, (here, height) in enumerate(zip(corners, heights, strict=True)):
        there, other = corners[place - 3], heights[place - 3]  # the next corner
        if (height > 0) != (other > 0):
            met = _between(here, there, height / (height - other))
            (leaving if height > 0 else entering).append(met)
    return leaving + entering


def _between(
    one: tuple[float, float], other: tuple[float, float], share: float
) -> tuple[float, float]:
    return (one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1]))


def _lines(drawing: Drawing, weights: np.ndarray, biases: np.ndarray) -> tuple[Line, ...]:
    """BCE at 0.5, BCE at its best threshold, AnyLoss."""
    bce, anyloss = drawing.points @ weights.T + biases, 1  # (n, 2), and the column of AnyLoss
    tuned = best_cut(drawing.labels, bce[:, 0])
    return tuple(
        _line(drawing, weights[model], float(biases[model]) - cut)
        for model, cut in ((0, 0.0), (0, tuned), (anyloss, 0.0))
    )


def _line(drawing: Drawing, weights: np.ndarray, bias: float) -> Line:
    counts = counts_above(drawing.labels, drawing.points @ weights + bias, np.zeros(1))
    return Line(weights, bias, Counts(*(float(entry[0]) for entry in counts)))
