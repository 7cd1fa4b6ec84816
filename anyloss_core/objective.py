"""What K losses pull at: from logits to d loss/d logits, for all models of a stack at once.

Every loss is a function of two sums per model, one over the positive and one over the negative
rows: of soft labels (the score is then differentiated with respect to the four counts, vectors of
length M) or of losses (a mean). So the chain rule splits into a kernel per sample, two sums, and
two numbers per model that say how strongly each class pulls:

    d loss/d z_i = slope_i · w_i · (y_i ? dTP - dFN : dFP - dTN)        (equation 5 of the paper)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from time import perf_counter

import torch
from torch import Tensor

from anyloss_core.confusion import Counts
from anyloss_core.kernels import CrossEntropy, Kernel, build_kernel, kernel_key, score_of
from anyloss_core.scores import StackedScores, stack_scores
from anyloss_core.spelling import LossSpec, Ramp
from anyloss_core.stack import Part, folds_of


def order_losses(specs: Sequence[LossSpec]) -> list[int]:
    """The order in which losses share most work: means first, then scores, alike together."""

    def place(index: int) -> tuple:
        spec, score = specs[index], score_of(specs[index])
        if score is None:
            return (False, 0.0, str(kernel_key(spec)), "", index)
        return (True, -spec.warm_up, str(kernel_key(spec)), score.tree.shape, index)

    return sorted(range(len(specs)), key=place)


class Objective:
    """The losses of a stack of G folds x K losses, in the order of `order_losses`."""

    def __init__(self, specs: Sequence[LossSpec], positive_weights: Tensor, epochs: int) -> None:
        self.specs, self.epochs = tuple(specs), epochs
        self.positive_weights = positive_weights  # (G, K): how much a positive row weighs in a mean
        self.seconds = [0.0] * len(self.specs)
        self.kernels: list[tuple[slice, Kernel]] = []
        self.means = -1  # the first so many losses are means over samples
        self.scores = [score_of(spec) for spec in self.specs]
        self._warm_ups = [round(spec.warm_up * epochs) for spec in self.specs]
        self._ramped = any(isinstance(spec.L, Ramp) for spec in self.specs)

    def begin(self, epoch: int) -> None:
        """Set up epoch `epoch` (from 0): warm-ups end, L moves along its ramp."""
        means = sum(
            score is None or epoch < end
            for score, end in zip(self.scores, self._warm_ups, strict=True)
        )
        moved = means != self.means
        if moved:
            self._lay_out(means)
        if moved or self._ramped:
            for models, kernel in self.kernels:
                if kernel.amplified:
                    L = [self._amplifier(i, epoch) for i in range(models.start, models.stop)]
                    kernel.amplify(self.positive_weights.new_tensor(L)[:, None])

    def run(
        self, logits: Tensor, labels: Tensor, soft: Tensor, slope: Tensor, valued: bool
    ) -> None:
        """Fill soft and slope (G, K, B) from the logits; labels broadcast against them."""
        for models, kernel in self.kernels:
            started = perf_counter()
            kernel.run(logits[:, models], labels, soft[:, models], slope[:, models], valued)
            self._charge(models, perf_counter() - started)

    def weigh(self, sums: Tensor, totals: Tensor, part: Part = None) -> tuple[Tensor, Tensor]:
        """Losses (G, K) and pulls (G, K, 2) from sums (G, K, 2) over (positive, negative) rows.

        `totals` (G, 2) is the weight of each class; a pull is d loss/d sum of its class.
        """
        losses, pulls = torch.empty_like(sums[..., 0]), torch.empty_like(sums)
        means = self.means
        if means:
            weight = totals.sum(-1).clamp_(min=torch.finfo(sums.dtype).tiny).reciprocal_()[:, None]
            balance = self.positive_weights[folds_of(part), :means]
            pulls[:, :means, 0] = balance * weight
            pulls[:, :means, 1] = weight
            losses[:, :means] = (pulls[:, :means] * sums[:, :means]).sum(-1)
        if means < len(self.specs):
            self._weigh_scores(sums[:, means:], totals, losses[:, means:], pulls[:, means:])
        return losses, pulls

    def _weigh_scores(self, sums: Tensor, totals: Tensor, losses: Tensor, pulls: Tensor) -> None:
        folds, models = losses.shape
        # Losses first: then those that share a formula are neighbours, whatever the folds.
        tp, fp = sums.permute(2, 1, 0).reshape(2, -1)  # (K·G,)
        positives, negatives = totals.t().repeat(1, models)
        # A difference may fall below 0 by a rounding error; a count may not.
        fn, tn = (positives - tp).clamp_(min=0), (negatives - fp).clamp_(min=0)
        loss, slopes = self._stacked(folds).slopes(Counts(tn, fn, fp, tp))
        losses.copy_(loss.view(models, folds).t())
        pulls[..., 0] = (slopes.tp - slopes.fn).view(models, folds).t()
        pulls[..., 1] = (slopes.fp - slopes.tn).view(models, folds).t()

    def _stacked(self, folds: int) -> StackedScores:
        if folds not in self._stacks:
            scores = [score for score in self.scores[self.means :] for _ in range(folds)]
            self._stacks[folds] = stack_scores(scores)
        return self._stacks[folds]

    def _lay_out(self, means: int) -> None:
        """Neighbouring models with the same kernel become one slice."""
        self.means, self.kernels, self._stacks = means, [], {}
        start = 0
        for key, group in groupby(range(len(self.specs)), key=self._key):
            count = len(list(group))
            spec = self.specs[start]
            kernel = CrossEntropy() if key == "bce" else build_kernel(spec)
            self.kernels.append((slice(start, start + count), kernel))
            start += count

    def _key(self, index: int) -> object:
        warming = self.scores[index] is not None and index < self.means
        return "bce" if warming else kernel_key(self.specs[index])

    def _amplifier(self, index: int, epoch: int) -> float:
        L, warm_up = self.specs[index].L, self._warm_ups[index]
        if not isinstance(L, Ramp):
            return L
        return L.at((epoch - warm_up) / max(self.epochs - 1 - warm_up, 1))

    def _charge(self, models: slice, seconds: float) -> None:
        share = seconds / (models.stop - models.start)
        for index in range(models.start, models.stop):
            self.seconds[index] += share
