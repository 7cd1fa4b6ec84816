"""The SLP on all rows at once: one pass over the table per epoch, in pieces of a few thousand rows.

With the rows sorted by class, the pull of a class is one number per model, so it can wait until
the slopes have been multiplied with the inputs: dL/dW = Σ_class pull · (slope @ X_class). Losses
with a linear output do not look at the rows at all, see `moments`.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from anyloss_core.arrays import quickest
from anyloss_core.batches import Table
from anyloss_core.blocks import Block, class_weights
from anyloss_core.desks import lay_desks
from anyloss_core.kernels import has_linear_output
from anyloss_core.late_means import LateMeans
from anyloss_core.moments import Moments, pays
from anyloss_core.sorted_rows import sorted_rows
from anyloss_core.study import Study

TILE = 12  # products are quickest for multiples of so many models


class LinearPass:
    """Full-batch training of SLPs; stands in for `MiniBatches` and gives the same results.

    The models lie in memory loss by loss: first those that are trained by moments, then the m
    models, padding included, that look at the rows. An epoch works out the losses of scores only:
    those of means are not needed for their slopes and can wait, see `late_means`.
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
        size = (losses - self.first, folds)
        self.desks = list(lay_desks(table, rows, size, sums[:, start:], targets))
        stack = block.stack
        self.parameters = [stack.named["weight0"][..., 0, :], stack.named["bias0"]]
        named = stack.views(stack.slopes)
        self.gradient = (named["weight0"][..., 0, :], named["bias0"])
        block.late = LateMeans(self.weights, self.desks, self.moments, block, self.totals)

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
