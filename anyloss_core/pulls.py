"""From the two sums of a model to its loss and to how strongly each class pulls at it.

Means weigh every row alike. Scores are differentiated with respect to the four counts, vectors
with one number per model, by their expression tree. Scores that are a ratio of two weighted sums
of counts (accuracy, F-beta, precision, ... or a formula typed that way) share one evaluation
whatever their weights. These are few numbers: on the CPU NumPy is several times quicker than torch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anyloss_core.expression import Program
from anyloss_core.scores import Score

Array = Any  # a NumPy array or a tensor
# (sums (G, k, 2), totals (G, 1, 2)) -> scores (G, k), their slopes (G, k, 2) for each class's sum
Rule = Callable[[Array, Array], tuple[Array, Array]]


class Pulls:
    """The first `means` losses of a stack are means, the others scores."""

    def __init__(self, means: int, scores: Sequence[Score | None]) -> None:
        self.means = means
        self.scores = list(scores)
        self._ready: dict[object, list[tuple[slice, Rule, Array, Array]]] = {}

    def weigh(
        self, sums: Tensor, totals: Tensor, positive_weights: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Losses (G, K) and pulls (G, K, 2) from sums (G, K, 2) and totals (G, 2)."""
        if sums.device.type != "cpu":
            return self._weigh(sums, totals, positive_weights)
        arrays = (tensor.numpy() for tensor in (sums, totals, positive_weights))
        with np.errstate(all="ignore"):
            losses, pulls = self._weigh(*arrays)
        return torch.from_numpy(losses), torch.from_numpy(pulls)

    def _weigh(self, sums: Array, totals: Array, positive_weights: Array) -> tuple[Array, Array]:
        losses, pulls = _empty(sums, sums.shape[:2]), _empty(sums, sums.shape)
        means = self.means
        if means:
            weight = 1 / (totals.sum(-1) + (totals.sum(-1) == 0))[:, None]
            pulls[:, :means, 0] = positive_weights[:, :means] * weight
            pulls[:, :means, 1] = weight
            losses[:, :means] = (pulls[:, :means] * sums[:, :means]).sum(-1)
        for models, rule, top, slope in self._rules(sums):
            value, slopes = rule(sums[:, models], totals[:, None])
            losses[:, models] = (value - top) * slope
            pulls[:, models] = slopes * slope[:, None]
        return losses, pulls

    def _rules(self, like: Array) -> list[tuple[slice, Rule, Array, Array]]:
        """Neighbours that can be evaluated together, with the ends of their ranges."""
        key = (type(like), like.dtype)
        if key not in self._ready:
            self._ready[key], start = [], self.means
            for _, group in groupby(self.scores[self.means :], key=alike):
                scores = list(group)
                models = slice(start, start + len(scores))
                top = _as(like, [score.range[1] for score in scores])
                slope = _as(like, [score.loss_slope for score in scores])
                self._ready[key].append((models, _rule(scores, like), top, slope))
                start = models.stop
        return self._ready[key]


def alike(score: Score) -> str:
    """Scores with the same word can be evaluated together."""
    return "ratio" if score.tree.ratio else score.tree.shape


def _rule(scores: list[Score], like: Array) -> Rule:
    if alike(scores[0]) == "ratio":
        return _ratios(np.array([score.tree.ratio for score in scores]), like)
    program = Program([score.tree for score in scores])
    positive, negative = _as(like, [[[1.0]], [[0.0]]]), _as(like, [[[0.0]], [[1.0]]])  # (2, 1, 1)

    def differentiate(sums: Array, totals: Array) -> tuple[Array, Array]:
        rest = totals - sums
        rest = rest * (rest > 0)  # below 0 by a rounding error is 0
        tp, fp, p, neg = sums[..., 0], sums[..., 1], totals[..., 0], totals[..., 1]
        value, slopes = program.along(
            {
                "TP": (tp, positive),
                "FN": (rest[..., 0], -positive),
                "FP": (fp, negative),
                "TN": (rest[..., 1], -negative),
                "P": (p, None),
                "NEG": (neg, None),
                "N": (p + neg, None),
            }
        )
        pulls = _empty(sums, sums.shape)
        for kind in (0, 1):  # a formula of P and N alone pulls at nothing
            pulls[..., kind] = 0.0 if slopes is None else slopes[kind]
        return value, pulls

    return differentiate


def _ratios(weights: np.ndarray, like: Array) -> Rule:
    """Ratios with weights (k, 2, 4) of TN, FN, FP, TP above and below the line.

    With TP and FP the two sums, FN = P - TP and TN = N - FP, both ends are linear in the sums.
    """
    tn, fn, fp, tp = np.moveaxis(weights, -1, 0)  # each (k, 2)
    fixed = _as(like, np.stack([fn, tn], -1))  # (k, 2, 2): of P and N
    moving = _as(like, np.stack([tp - fn, fp - tn], -1))  # of TP and FP

    def differentiate(sums: Array, totals: Array) -> tuple[Array, Array]:
        ends = (sums[:, :, None] * moving + totals[:, :, None] * fixed).sum(-1)  # (G, k, 2)
        bottom = ends[..., 1]
        empty = bottom == 0
        inverse = (~empty) / (bottom + empty)  # x/0 is 0, and so are its slopes
        value = ends[..., 0] * inverse
        slopes = (moving[:, 0] - value[..., None] * moving[:, 1]) * inverse[..., None]
        return value, slopes

    return differentiate


def _empty(like: Array, shape: tuple[int, ...]) -> Array:
    return like.new_empty(shape) if isinstance(like, Tensor) else np.empty(shape, like.dtype)


def _as(like: Array, values: Any) -> Array:
    """Numbers in the type and on the device of `like`."""
    values = np.asarray(values, dtype=np.float64)
    if isinstance(like, Tensor):
        return torch.from_numpy(values).to(like)
    return values.astype(like.dtype)
