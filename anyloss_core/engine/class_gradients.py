"""From the two sums of a model to its loss and to the gradient of each class.

A loss depends on its samples through one sum over the positive and one over the negative rows. The
class gradient is d loss/d sum: one number for all rows of a class. In a mean every row counts
alike; scores are differentiated by their programs, and those of one shape run together. These are
few numbers: on the CPU NumPy is several times quicker than torch.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from torch import Tensor

from anyloss_core.losses.arrays import array_like, at_least, quickest
from anyloss_core.losses.program import NEGATIVE, POSITIVE, Program
from anyloss_core.losses.scores import Score


class ClassGradients:
    """The losses of a stack of G folds: at first means over samples, then these scores.

    `positive_weights` (G, K) say what a positive row weighs in a mean, `scales` (K,) what
    `Softening.chain` leaves out of the slope; they may change later. All that a call needs is a
    view made here, once; its results are overwritten by the next.
    """

    def __init__(self, scores: Sequence[Score], positive_weights: Tensor, scales: Tensor) -> None:
        folds, count = positive_weights.shape
        means = slice(0, count - len(scores))
        totals, sums, rest, found = (
            positive_weights.new_zeros(shape)
            for shape in ((3, folds, 1), (2, folds, count), (2, folds, count), (3, folds, count))
        )
        self._losses, self._gradients = found[0], found[1:].permute(1, 2, 0)
        self._totals, self._sums = quickest(totals), quickest(sums)  # P, NEG and N; TP and FP
        self._rest, numbers = quickest(rest), quickest(found)  # FN and TN
        self._values, self._slopes = numbers[0, :, means.stop :], numbers[1:, :, means.stop :]
        self._mean_losses, self._mean_gradients = numbers[0, :, means], numbers[1:, :, means]
        self._mean_weights = quickest(positive_weights)[:, means]
        self._scales = quickest(scales)[means.stop :]
        self._best = array_like(numbers, [score.range[1] for score in scores])
        self._slope = array_like(numbers, [score.loss_slope for score in scores])
        self._programs, start = [], means.stop
        for _, group in groupby(scores, key=lambda score: score.tree.shape):
            trees = [score.tree for score in group]
            part = slice(start, start + len(trees))
            leaves = dict(zip(("P", "NEG", "N"), self._totals, strict=True))
            leaves |= dict(zip(("TP", "FP"), self._sums[..., part], strict=True))
            leaves |= dict(zip(("FN", "TN"), self._rest[..., part], strict=True))
            program = Program(trees, [POSITIVE, NEGATIVE], numbers)
            self._programs.append((program, leaves, list(numbers[..., part])))
            start = part.stop

    def __call__(self, sums: Tensor, totals: Tensor) -> tuple[Tensor, Tensor]:
        """Losses (G, K) and class gradients (G, K, 2) from sums (G, K, 2).

        `totals` (G, 2) is the weight of the positive and of the negative rows.
        """
        with np.errstate(all="ignore"):
            self._sums[...] = quickest(sums.permute(2, 0, 1))
            self._totals[:2, :, 0] = quickest(totals.T)
            self._totals[2] = self._totals[0] + self._totals[1]
            self._rest[...] = at_least(self._totals[:2] - self._sums, 0.0)
            for program, leaves, targets in self._programs:
                for target, result in zip(targets, program.run(leaves), strict=True):
                    target[...] = result
            self._values -= self._best
            self._values *= self._slope
            self._slopes *= self._slope * self._scales
            self._average()
        return self._losses, self._gradients

    def _average(self) -> None:
        """Fill in the means."""
        if not self._mean_weights.shape[1]:
            return
        total = self._totals[2]
        self._mean_gradients[...] = 1 / (total + (total == 0))
        self._mean_gradients[0] *= self._mean_weights
        own = self._mean_gradients * self._sums[..., : self._mean_weights.shape[1]]
        self._mean_losses[...] = own[0] + own[1]
