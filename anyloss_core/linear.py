"""The SLP on all rows at once: one pass over the table per epoch, in pieces of a few thousand rows.

With the rows sorted by class, the pull of a class is one number per model, so it can wait until
the slopes have been multiplied with the inputs: dL/dW = Σ_class pull · (slope @ X_class). Losses
with a linear output do not look at the rows at all, see `moments`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from anyloss_core.arrays import quickest
from anyloss_core.batches import Table, class_sums
from anyloss_core.blocks import CACHED, Block, class_weights
from anyloss_core.kernels import has_linear_output
from anyloss_core.moments import Moments, pays
from anyloss_core.objective import Workspace
from anyloss_core.pulls import mean_pulls
from anyloss_core.sorted_rows import SortedRows, runs_of_zeros, sorted_rows
from anyloss_core.study import Study

RUN = 1 << 9  # zeroing a run of rows takes as long as weighing so many numbers
TILE = 12  # products are quickest for multiples of so many models


class OfClass(NamedTuple):
    """The rows of one class on a desk, and where their sums go; m = k·G models and padding."""

    soft: Tensor  # (m, c)
    ones: Tensor  # (c,)
    sums: Tensor  # (m,)
    inputs: Tensor  # (F + 1, c), or (G, F + 1, c) where each fold has rows of its own
    slopes: Tensor  # (c, m), or (G, c, k)
    pulled: Tensor  # (F + 1, m), or (G, F + 1, k)


class Desk(NamedTuple):
    """Some rows, positive ones first, with the memory that k losses are worked out in."""

    inputs: Tensor  # (F + 1, r), or (G, F + 1, r)
    labels: Tensor  # (r,)
    logits: Tensor  # (m, r), or (G, k, r)
    work: Workspace  # the same logits and what becomes of them as (G, k, r)
    left_out: list[Tensor]  # parts of it that do not count
    weights: Tensor | None  # (G, 1, r), where leaving out is not enough
    classes: list[OfClass]
    counted: np.ndarray  # (G, r): what every row weighs in every fold

    def mask(self) -> None:
        """What does not count becomes 0."""
        if self.weights is not None:
            self.work.soft.mul_(self.weights)
            self.work.slope.mul_(self.weights)
        if self.left_out:
            torch._foreach_zero_(self.left_out)


class LinearPass:
    """Full-batch training of SLPs; stands in for `MiniBatches` and gives the same results.

    The models lie in memory loss by loss: first those that are trained by moments, then the m
    models, padding included, that look at the rows. An epoch works out the losses of scores only:
    those of means are not needed for their slopes and can wait, see `mean_losses`.
    """

    def __init__(self, study: Study, table: Table, places: list[list[int]]) -> None:
        self.block = block = Block(study, table, places)
        self.blocks = [block]
        rows = sorted_rows(study, block.folds, table.padding)
        folds, losses = block.size
        like, models, columns = block.losses, folds * losses, table.features + 1
        linear = [spec for spec in block.specs if has_linear_output(spec)]
        self.first = len(linear) if pays(block.folds, columns) else 0  # by moments
        self.moments = Moments(table, block.folds, linear) if self.first else None
        start, padding = self.first * folds, (self.first * folds - models) % TILE
        weights = like.new_zeros(models + padding, columns)
        sums = like.new_zeros(2, models + padding)  # of soft labels or losses, by class
        self.weights = weights[:models].view(losses, folds, columns).transpose(0, 1)
        self.sums = sums[:, :models].view(2, losses, folds).permute(2, 1, 0)
        if rows.shared:  # one product for all folds; mm is quicker than a lone bmm
            self.multiply, self.add_product = torch.mm, Tensor.addmm_
            # Σ slope x input, the models last: the quicker way round of the product
            pulled = like.new_zeros(2, columns, models + padding)
            in_folds = pulled[..., :models].view(2, columns, losses, folds).permute(0, 3, 2, 1)
            self.looking, targets = weights[start:], pulled[..., start:]
        else:
            self.multiply, self.add_product = torch.bmm, Tensor.baddbmm_
            pulled = like.new_zeros(2, folds, columns, losses)
            in_folds = pulled.mT
            self.looking, targets = self.weights[:, self.first :], pulled[..., self.first :]
        self.pulled = in_folds.unbind()  # (G, K, F + 1) of each class
        self.emptied = [sums, pulled]
        _, self.by_moments = quickest(*(t[:, : self.first] for t in (self.weights, self.pulled[0])))
        self.totals = torch.from_numpy(class_weights(study, block.folds)).to(like)
        self.desks = list(self._desks(table, rows, sums[:, start:], targets))
        stack = block.stack
        self.parameters = [stack.named["weight0"][..., 0, :], stack.named["bias0"]]
        named = stack.views(stack.slopes)
        self.gradient = (named["weight0"][..., 0, :], named["bias0"])
        means = block.objective.means  # with those that are still warming up
        self.noted = self.weights[:, :means]
        self.mean_kernels = [
            (slice(models.start - self.first, models.stop - self.first), kernel)
            for models, kernel in block.objective.kernels
            if self.first <= models.start < means
        ]
        self.spare: Tensor | None = None
        block.late = self

    def epoch(self, number: int, valued: bool, on_batch: Callable[[], None]) -> None:
        """One step of every model on all its rows."""
        block = self.block
        block.objective.begin(number)
        self.collect()
        losses, pulls = block.objective.weigh_all(self.sums, self.totals)
        positive, negative = pulls.unsqueeze(-2).unbind(-1)
        slopes = torch.mul(self.pulled[0], positive).addcmul_(self.pulled[1], negative)
        self.gradient[0].copy_(slopes[..., :-1])
        self.gradient[1].copy_(slopes[..., -1:])
        block.updater.step()
        if valued:
            block.losses.copy_(losses)
        on_batch()

    def collect(self) -> None:
        """Sums of soft labels or losses, and of slope x input, over the rows of each class."""
        torch.cat(self.parameters, -1, out=self.weights)
        torch._foreach_zero_(self.emptied)
        if self.moments:  # both classes weigh alike: all of it goes to the first one
            weights, pulled = self.by_moments
            pulled[...] = self.moments.pulled(weights)
        for desk in self.desks:
            self.multiply(self.looking, desk.inputs, out=desk.logits)
            self.block.objective.run(desk.work, desk.labels, valued=False)
            desk.mask()
            for part in desk.classes:
                part.sums.addmv_(part.soft, part.ones)
                self.add_product(part.pulled, part.inputs, part.slopes)

    @torch.no_grad()
    def mean_losses(self, weights: Tensor) -> Tensor:
        """Losses (E, G, k) of the first k losses as means; `noted` in E epochs (E, G, k, F + 1)."""
        sums = weights.new_zeros(*weights.shape[:-1], 2)
        if self.moments:
            sums[..., : self.first, 0] = self.moments.losses(weights[..., : self.first, :])
        for desk in self.desks if self.mean_kernels else ():
            counted = torch.from_numpy(desk.counted).to(weights)
            classes = torch.stack([counted * desk.labels, counted * (1 - desk.labels)], 1)
            numbers = counted.numel() * (weights.shape[2] - self.first)  # of one epoch
            memory = self._memory(max(numbers, 2 * CACHED))
            parts = (
                t[..., self.first :, :].split(memory.shape[1] // numbers) for t in (sums, weights)
            )
            for some, looking in zip(*parts, strict=True):
                some += self._sums_of_means(looking, desk, classes, memory)
        factors = mean_pulls(self.totals, self.block.objective.positive_weights[:, : sums.shape[2]])
        return (sums * factors.permute(1, 2, 0)).sum(-1)

    def _sums_of_means(
        self, weights: Tensor, desk: Desk, classes: Tensor, memory: Tensor
    ) -> Tensor:
        """Σ loss (E, G, k, 2) of the rows of each class (G, 2, r), by weights (E, G, k, F + 1)."""
        epochs, folds, losses, columns = weights.shape
        rows = classes.shape[-1]
        weights = weights.transpose(0, 1).reshape(folds, epochs * losses, columns)
        memory = memory[:, : weights.numel() // columns * rows]
        logits, values, _ = memory.view(3, folds, epochs * losses, rows)
        if desk.inputs.ndim == 2:
            torch.mm(weights.flatten(0, 1), desk.inputs, out=logits.flatten(0, 1))
        else:
            torch.bmm(weights, desk.inputs, out=logits)
        views = memory.view(3, folds * epochs, losses, rows)
        for models, kernel in self.mean_kernels:
            z, value, slope = views[:, :, models]
            kernel.run(z, desk.labels, value, slope, valued=True)
        return class_sums(values, classes).unflatten(1, (epochs, losses)).transpose(0, 1)

    def _memory(self, numbers: int) -> Tensor:
        """(3, numbers), or more of them: kept, because fresh memory is slow."""
        if self.spare is None or self.spare.shape[1] < numbers:
            self.spare = self.weights.new_empty(3, numbers)
        return self.spare

    def _desks(
        self, table: Table, rows: SortedRows, sums: Tensor, pulled: Tensor
    ) -> Iterator[Desk]:
        """The rows in pieces; those of equal length are worked on in the same memory."""
        total, like = rows.index.shape[1], self.block.losses
        size = (self.block.size[1] - self.first, self.block.size[0])  # in memory loss by loss
        length = math.ceil(total / math.ceil(total * math.prod(size) / (4 * CACHED) or 1))
        memory: dict[int, Tensor] = {}
        for start in range(0, total, length) if size[0] else ():
            cut = slice(start, min(start + length, total))
            count = cut.stop - start
            index = torch.from_numpy(rows.index[:, cut]).to(like.device)
            inputs = table.take(index)[..., : table.features + 1].mT.contiguous()
            if count not in memory:
                memory[count] = like.new_zeros(3, sums.shape[1], count)
            flat = memory[count]
            work = Workspace(
                *(t[: math.prod(size)].view(*size, count).transpose(0, 1) for t in flat)
            )
            logits, slopes = (flat[0], flat[2].T) if rows.shared else (work.logits, work.slope.mT)
            inputs = inputs[0] if rows.shared else inputs
            counted = rows.weights[:, cut]
            positives = min(max(rows.positives - start, 0), count)
            labels = (torch.arange(count) < positives).to(like)
            classes = [
                OfClass(
                    flat[1][:, part],
                    like.new_ones(part.stop - part.start),
                    sums[kind],
                    inputs[..., part],
                    slopes[..., part, :],
                    pulled[kind],
                )
                for kind, part in enumerate((slice(0, positives), slice(positives, count)))
                if part.stop > part.start
            ]
            yield Desk(inputs, labels, logits, work, *_masks(counted, work), classes, counted)


def _masks(weights: np.ndarray, work: Workspace) -> tuple[list[Tensor], Tensor | None]:
    """What of soft and slope does not count, and factors (G, 1, r) where that is not all."""
    runs = runs_of_zeros(weights)
    if np.isin(weights, (0.0, 1.0)).all() and len(runs) * RUN <= work.soft.numel():
        return [part[fold, :, run] for fold, run in runs for part in (work.soft, work.slope)], None
    return [], torch.from_numpy(weights[:, None]).to(work.soft)
