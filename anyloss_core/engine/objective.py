"""What K losses pull at: from logits to d loss/d logits, for all models of a stack at once.

Every loss is a function of two sums per model, one over the positive and one over the negative
rows: of soft labels or of losses. So the chain rule splits into a kernel per sample, two sums, and
two numbers per model that say how strongly each class pulls (see `pulls`):

    d loss/d z_i = slope_i · w_i · (y_i ? dTP - dFN : dFP - dTN)        (equation 5 of the paper)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from time import perf_counter

from torch import Tensor

from anyloss_core.kernels import (
    CrossEntropy,
    Kernel,
    build_kernel,
    has_linear_output,
    kernel_key,
    score_of,
)
from anyloss_core.pulls import Pulls, alike
from anyloss_core.spelling import LossSpec, Ramp
from anyloss_core.stack import Part, folds_of


def order_losses(specs: Sequence[LossSpec]) -> list[int]:
    """The order in which losses share most work: means first, then scores, alike together.

    Of the means those with a linear output come first.
    """

    def place(index: int) -> tuple:
        spec, score = specs[index], score_of(specs[index])
        if score is None:
            return (False, not has_linear_output(spec), str(kernel_key(spec)), "", index)
        return (True, -spec.warm_up, str(kernel_key(spec)), alike(score), index)

    return sorted(range(len(specs)), key=place)


@dataclass(frozen=True, eq=False)
class Workspace:
    """Tensors (G, K, B) of one step; kernels overwrite the logits."""

    logits: Tensor
    soft: Tensor
    slope: Tensor


class Objective:
    """The losses of a stack of G folds x K losses, in the order of `order_losses`."""

    def __init__(self, specs: Sequence[LossSpec], positive_weights: Tensor, epochs: int) -> None:
        self.specs, self.epochs = tuple(specs), epochs
        self.positive_weights = positive_weights  # (G, K): how much a positive row weighs in a mean
        self.scores = [score_of(spec) for spec in self.specs]
        self.kernels: list[tuple[slice, Kernel]] = []
        self._workspaces: dict[tuple[int, int], Workspace] = {}
        self.means = -1  # the first so many losses are means over samples
        self._own = [0.0] * len(self.specs)
        self._warm_ups = [round(spec.warm_up * epochs) for spec in self.specs]
        self._ramped = any(isinstance(spec.L, Ramp) for spec in self.specs)
        self.begin(0)

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
                    kernel.amplify(L, self.positive_weights)

    def workspace(self, folds: int, rows: int) -> Workspace:
        """Tensors for a step on so many rows, kept from step to step."""
        key = (folds, rows)
        if key not in self._workspaces:
            shape = (folds, len(self.specs), rows)
            whole = [self.positive_weights.new_zeros(shape) for _ in range(3)]
            self._workspaces[key] = Workspace(*whole)
        return self._workspaces[key]

    def run(self, work: Workspace, labels: Tensor, valued: bool) -> None:
        """Fill soft and slope from the logits, which are lost; labels broadcast against them."""
        for kernel, (logits, soft, slope) in self._parts(work):
            started = perf_counter()
            kernel.run(logits, labels, soft, slope, valued)
            kernel.seconds += perf_counter() - started

    def weigh(self, sums: Tensor, totals: Tensor, part: Part = None) -> tuple[Tensor, Tensor]:
        """Losses (G, K) and pulls (G, K, 2) from sums (G, K, 2) over (positive, negative) rows.

        `totals` (G, 2) is the weight of each class; a pull is d loss/d sum of its class.
        """
        weights = self.positive_weights if part is None else self.positive_weights[folds_of(part)]
        return self._pulls.at(totals, weights)(sums)

    def weigh_all(self, sums: Tensor, totals: Tensor) -> tuple[Tensor, Tensor]:
        """The same where all rows are one batch: totals that are always the same."""
        if self._weighing is None:
            self._weighing = self._pulls.at(totals, self.positive_weights, lasting=True)
        return self._weighing(sums)

    def seconds(self) -> list[float]:
        """The time each loss has taken for itself, kernel by kernel."""
        self._settle()
        return list(self._own)

    def _lay_out(self, means: int) -> None:
        """Neighbouring models with the same kernel become one slice."""
        self._settle()
        self.means, self.kernels, self._views = means, [], {}
        self._pulls, self._weighing = Pulls(means, self.scores), None
        start = 0
        for key, group in groupby(range(len(self.specs)), key=self._key):
            count = len(list(group))
            kernel = CrossEntropy() if key == "bce" else build_kernel(self.specs[start])
            self.kernels.append((slice(start, start + count), kernel))
            start += count

    def _parts(self, work: Workspace) -> list[tuple[Kernel, list[Tensor]]]:
        """What each kernel sees of the tensors, which may hold the last losses only."""
        if work not in self._views:
            tensors = (work.logits, work.soft, work.slope)
            gone = len(self.specs) - work.logits.shape[1]
            self._views[work] = [
                (kernel, [t[:, models.start - gone : models.stop - gone] for t in tensors])
                for models, kernel in self.kernels
                if models.start >= gone
            ]
        return self._views[work]

    def _key(self, index: int) -> object:
        warming = self.scores[index] is not None and index < self.means
        return "bce" if warming else kernel_key(self.specs[index])

    def _amplifier(self, index: int, epoch: int) -> float:
        L, warm_up = self.specs[index].L, self._warm_ups[index]
        if not isinstance(L, Ramp):
            return L
        return L.at((epoch - warm_up) / max(self.epochs - 1 - warm_up, 1))

    def _settle(self) -> None:
        """Share out what the kernels have spent among their losses."""
        for models, kernel in self.kernels:
            for index in range(models.start, models.stop):
                self._own[index] += kernel.seconds / (models.stop - models.start)
            kernel.seconds = 0.0
