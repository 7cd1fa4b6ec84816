"""The losses of means, worked out later from weights that were noted, for several epochs at once.

A mean needs no value of its loss to be trained. In a stack of small models, working it out in
every epoch adds a sixth to it; for many epochs at once it is a few operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from anyloss_core.batches import class_sums
from anyloss_core.blocks import CACHED
from anyloss_core.desks import Desk
from anyloss_core.pulls import mean_pulls

if TYPE_CHECKING:
    from anyloss_core.linear import LinearPass

NUMBERS = 2 * CACHED  # logits worked on at once


class LateMeans:
    """The first k losses of a pass that are means, or are so during their warm-up."""

    def __init__(self, linear: LinearPass) -> None:
        objective, self.desks, self.moments = linear.block.objective, linear.desks, linear.moments
        self.noted = linear.ledger.weights[:, : objective.means]  # (G, k, F + 1)
        self.first = first = self.moments.count if self.moments else 0
        self.kernels = [
            (slice(models.start - first, models.stop - first), kernel)
            for models, kernel in objective.kernels
            if first <= models.start < objective.means
        ]
        pulls = mean_pulls(linear.totals, objective.positive_weights[:, : objective.means])
        self.factors = pulls.permute(1, 2, 0)  # (G, k, 2)
        self.memory: Tensor | None = None

    @torch.no_grad()
    def losses(self, noted: Tensor) -> Tensor:
        """Losses (E, G, k) from what was noted in E epochs (E, G, k, F + 1)."""
        sums = noted.new_zeros(*noted.shape[:-1], 2)
        if self.moments:
            sums[..., : self.first, 0] = self.moments.losses(noted[..., : self.first, :])
        for desk in self.desks if self.kernels else ():
            counted = torch.from_numpy(desk.counted).to(noted)
            classes = torch.stack([counted * desk.labels, counted * (1 - desk.labels)], 1)
            numbers = counted.numel() * (noted.shape[2] - self.first)  # of one epoch
            memory = self._memory(max(numbers, NUMBERS))
            epochs = memory.shape[1] // numbers
            parts = (t[..., self.first :, :].split(epochs) for t in (sums, noted))
            for own, weights in zip(*parts, strict=True):
                own += self._sums(weights, desk, classes, memory)
        return (sums * self.factors).sum(-1)

    def _sums(self, weights: Tensor, desk: Desk, classes: Tensor, memory: Tensor) -> Tensor:
        """Σ loss (E, G, k, 2) of the rows of each class (G, 2, r), by weights (E, G, k, F + 1)."""
        epochs, folds, losses, columns = weights.shape
        rows = classes.shape[-1]
        # (E, G, k, F + 1) -> (G, E·k, F + 1)
        weights = weights.transpose(0, 1).reshape(folds, epochs * losses, columns)
        memory = memory[:, : weights.numel() // columns * rows]
        logits, values, _ = memory.view(3, folds, epochs * losses, rows)
        inputs = desk.inputs[..., :columns, :]  # without what made their number even
        if inputs.ndim == 2:
            torch.mm(weights.flatten(0, 1), inputs, out=logits.flatten(0, 1))
        else:
            torch.bmm(weights, inputs, out=logits)
        views = memory.view(3, folds * epochs, losses, rows)  # as kernels want them: (G·E, k, r)
        for models, kernel in self.kernels:
            z, value, slope = views[:, :, models]
            kernel.run(z, desk.labels, value, slope, valued=True)
        return class_sums(values, classes).unflatten(1, (epochs, losses)).transpose(0, 1)

    def _memory(self, numbers: int) -> Tensor:
        """(3, numbers), or more of them: kept, because fresh memory is slow."""
        if self.memory is None or self.memory.shape[1] < numbers:
            self.memory = self.noted.new_empty(3, numbers)
        return self.memory
