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

from anyloss_core.arrays import Array, quickest
from anyloss_core.expression import Program
from anyloss_core.prepared import Prepared
from anyloss_core.scores import Score

# (TP, FP) (2, G, k) -> scores (G, k) and their slopes with respect to TP and FP (2, G, k)
Rule = Callable[[Array], tuple[Array, Array]]


class Pulls:
    """The first `means` losses of a stack are means, the others scores."""

    def __init__(self, means: int, scores: Sequence[Score | None]) -> None:
        self.means = means
        self.scores = list(scores)
        self._ready: dict[object, list[tuple[slice, Ratios | Programs]]] = {}

    def at(self, totals: Tensor, positive_weights: Tensor, lasting: bool = False) -> Weighing:
        """What to do with sums at these totals; if they last, it is worth some preparation."""
        return Weighing(self, *quickest(totals, positive_weights), lasting)

    def groups(self, like: Array) -> list[tuple[slice, Ratios | Programs]]:
        """Neighbours that can be evaluated together."""
        key = (type(like), like.dtype)
        if key not in self._ready:
            self._ready[key], start = [], self.means
            for word, group in groupby(self.scores[self.means :], key=alike):
                scores = list(group)
                models = slice(start, start + len(scores))
                kind = Ratios if word == "ratio" else Programs
                self._ready[key].append((models, kind(scores, like)))
                start = models.stop
        return self._ready[key]


class Weighing:
    """Losses and pulls at given totals (G, 2); each call overwrites those of the last."""

    def __init__(self, pulls: Pulls, totals: Array, positive_weights: Array, lasting: bool) -> None:
        self.losses = _empty(totals, positive_weights.shape)
        self.pulls = _empty(totals, (2, *positive_weights.shape))
        self.means = means = slice(0, pulls.means)
        if pulls.means:
            self.pulls[:, :, means] = mean_pulls(totals, positive_weights[:, means])
        self.rules = [
            (models, group.at(totals, lasting), group.top, group.slope)
            for models, group in pulls.groups(totals)
        ]

    def __call__(self, sums: Tensor) -> tuple[Tensor, Tensor]:
        """Losses (G, K) and pulls (G, K, 2) from sums (G, K, 2)."""
        sums = sums.permute(2, 0, 1)
        if isinstance(self.losses, Tensor):
            self._weigh(sums)
            return self.losses, self.pulls.permute(1, 2, 0)
        with np.errstate(all="ignore"):
            self._weigh(sums.numpy())
        return torch.from_numpy(self.losses), torch.from_numpy(self.pulls).permute(1, 2, 0)

    def _weigh(self, sums: Array) -> None:
        means = self.means
        if means.stop:
            self.losses[:, means] = (self.pulls[:, :, means] * sums[:, :, means]).sum(0)
        for models, rule, top, slope in self.rules:
            value, slopes = rule(sums[:, :, models])
            self.losses[:, models] = (value - top) * slope
            self.pulls[:, :, models] = slopes * slope


def mean_pulls(totals: Array, positive_weights: Array) -> Array:
    """How a positive and a negative row (2, G, k) count in a mean over rows of totals (G, 2)."""
    weight = 1 / (totals.sum(-1) + (totals.sum(-1) == 0))[:, None]
    pulls = _empty(totals, (2, *positive_weights.shape))
    pulls[0] = positive_weights * weight
    pulls[1] = weight
    return pulls


def alike(score: Score) -> str:
    """Scores with the same word can be evaluated together."""
    return "ratio" if score.tree.ratio else score.tree.shape


class ScoreGroup:
    """Scores that are evaluated together, with the ends of their ranges."""

    def __init__(self, scores: Sequence[Score], like: Array) -> None:
        self.top = _as(like, [score.range[1] for score in scores])
        self.slope = _as(like, [score.loss_slope for score in scores])

    def at(self, totals: Array, lasting: bool) -> Rule:
        """The rule at totals (G, 2)."""
        raise NotImplementedError


class Ratios(ScoreGroup):
    """Ratios of weighted sums of TN, FN, FP, TP.

    With FN = P - TP and TN = N - FP both ends are linear in TP and FP.
    """

    def __init__(self, scores: Sequence[Score], like: Array) -> None:
        super().__init__(scores, like)
        weights = np.array([score.tree.ratio for score in scores])  # (k, 2, 4)
        tn, fn, fp, tp = weights.transpose(2, 1, 0)  # each (2, k): above and below the line
        self.fixed = _as(like, [fn, tn])  # (2, 2, k): of P and N
        self.moving = _as(like, [tp - fn, fp - tn])  # of TP and FP

    def at(self, totals: Array, lasting: bool) -> Rule:
        positives, negatives = totals[:, :1], totals[:, 1:]
        (p_top, p_bottom), (n_top, n_bottom) = self.fixed
        above = positives * p_top + negatives * n_top  # (G, k)
        below = positives * p_bottom + negatives * n_bottom
        top, bottom = self.moving[:, :1], self.moving[:, 1:]  # (2, 1, k)
        (tp_top, tp_bottom), (fp_top, fp_bottom) = self.moving

        def rule(sums: Array) -> tuple[Array, Array]:
            tp, fp = sums
            under = tp * tp_bottom + fp * fp_bottom + below
            empty = under == 0
            inverse = (~empty) / (under + empty)  # x/0 is 0, and so are its slopes
            value = (tp * tp_top + fp * fp_top + above) * inverse
            return value, (top - value * bottom) * inverse

        return rule


class Programs(ScoreGroup):
    """Scores of any other shape."""

    def __init__(self, scores: Sequence[Score], like: Array) -> None:
        super().__init__(scores, like)
        self.program, self.like = Program([score.tree for score in scores]), like
        positive, negative = _as(like, [[[1.0]], [[0.0]]]), _as(like, [[[0.0]], [[1.0]]])
        self.slopes = {"TP": positive, "FN": -positive, "FP": negative, "TN": -negative}
        self.prepared = Prepared(self.program, self.slopes, {}, like)

    def at(self, totals: Array, lasting: bool) -> Rule:
        p, neg = totals[:, :1], totals[:, 1:]
        known = {"P": p, "NEG": neg, "N": p + neg}
        prepared = self.prepared
        if lasting:
            prepared = Prepared(self.program, self.slopes, known, self.like)

        def rule(sums: Array) -> tuple[Array, Array]:
            tp, fp = sums
            rest = {"FN": _not_negative(p - tp), "TN": _not_negative(neg - fp)}
            value, slopes = prepared({"TP": tp, "FP": fp, **rest, **known})
            return value, 0.0 if slopes is None else slopes  # None: a formula of P and N alone

        return rule


def _not_negative(rest: Array) -> Array:
    """Below 0 by a rounding error is 0."""
    return rest.clamp(min=0) if isinstance(rest, Tensor) else np.maximum(rest, 0)


def _empty(like: Array, shape: tuple[int, ...]) -> Array:
    return like.new_empty(shape) if isinstance(like, Tensor) else np.empty(shape, like.dtype)


def _as(like: Array, values: Any) -> Array:
    """Numbers in the type and on the device of `like`."""
    values = np.asarray(values, dtype=np.float64)
    if isinstance(like, Tensor):
        return torch.from_numpy(values).to(like)
    return values.astype(like.dtype)
