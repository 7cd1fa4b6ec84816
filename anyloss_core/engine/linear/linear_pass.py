"""The SLP on all rows at once: one pass over the table per epoch, in pieces that fit the cache.

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
from anyloss_core.notes import epochs_together
from anyloss_core.sorted_rows import sorted_rows
from anyloss_core.study import Study

# Products of MKL are a quarter quicker for multiples of so many models (80 x 77 numbers, AVX-512)
# and a sixth for an even number of columns (80 x 15); at most one in so many models is added.
TILE, SPARE = 12, 8


class Ledger:
    """Weights and sums of all models, as (G, K, ...) and as the products with the rows want them.

    In memory they lie loss by loss: first those that are trained by moments, then the m models,
    padding included, that look at the rows and are found under `row_...`.
    """

    def __init__(self, like: Tensor, columns: int, first: int, shared: bool) -> None:
        folds, losses = like.shape
        models, start = folds * losses, first * folds
        padding = (start - models) % TILE
        padding = padding if padding * SPARE <= models - start else 0
        width = columns + columns % 2  # the weights of an added column stay 0
        weights = like.new_zeros(models + padding, width)
        sums = like.new_zeros(2, models + padding)
        self.weights = weights[:models, :columns].view(losses, folds, columns).transpose(0, 1)
        self.sums = sums[:, :models].view(2, losses, folds).permute(2, 1, 0)
        if shared:  # the models last: the quicker way round of the product
            pulled = like.new_zeros(2, width, models + padding)
            in_folds = pulled[..., :models].view(2, width, losses, folds).permute(0, 3, 2, 1)
            self.row_weights, self.row_pulled = weights[start:], pulled[..., start:]
        else:
            pulled = like.new_zeros(2, folds, width, losses)
            in_folds = pulled.mT
            row_weights = weights[start:models].view(losses - first, folds, width)
            self.row_weights, self.row_pulled = row_weights.transpose(0, 1), pulled[..., first:]
        self.pulled = in_folds[..., :columns].unbind()  # Σ slope x input, by class (G, K, F + 1)
        self.row_sums = sums[:, start:]
        self._emptied = [sums, pulled]

    def empty(self) -> None:
        torch._foreach_zero_(self._emptied)


class LinearPass:
    """Full-batch training of SLPs; stands in for `MiniBatches` and gives the same results.

    The losses of scores come with their slopes. Those of means can wait where epochs are judged
    together (see `late_means`).
    """

    def __init__(self, study: Study, table: Table, places: list[list[int]]) -> None:
        self.block = block = Block(study, table, places)
        self.blocks = [block]
        rows = sorted_rows(study, block.folds, table.padding)
        (folds, losses), columns = block.size, table.features + 1
        linear = [spec for spec in block.specs if has_linear_output(spec)]
        first = len(linear) if pays(block.folds, columns) else 0
        self.moments = Moments(table, block.folds, linear) if first else None
        self.ledger = ledger = Ledger(block.losses, columns, first, rows.shared)
        self.by_moments = quickest(ledger.weights[:, :first], ledger.pulled[0][:, :first])
        self.totals = torch.from_numpy(class_weights(study, block.folds)).to(block.losses)
        size, targets = (losses - first, folds), (ledger.row_sums, ledger.row_pulled)
        self.desks = list(lay_desks(table, rows, size, targets))
        # One product for all folds, if they share their rows: mm is quicker than a lone bmm.
        self.multiply = torch.mm if rows.shared else torch.bmm
        self.add_product = Tensor.addmm_ if rows.shared else Tensor.baddbmm_
        stack = block.stack
        self.parameters = [stack.named["weight0"][..., 0, :], stack.named["bias0"]]
        named = stack.views(stack.slopes)
        self.gradient = (named["weight0"][..., 0, :], named["bias0"])
        if epochs_together(study) > 1:
            block.late = LateMeans(self)

    def epoch(self, number: int, valued: bool, on_batch: Callable[[], None]) -> None:
        """One step of every model on all its rows."""
        block = self.block
        block.objective.begin(number)
        self.collect(valued and block.late is None)
        losses, pulls = block.objective.weigh_all(self.ledger.sums, self.totals)
        pulled, (positive, negative) = self.ledger.pulled, pulls.unsqueeze(-2).unbind(-1)
        slopes = torch.mul(pulled[0], positive).addcmul_(pulled[1], negative)
        self.gradient[0].copy_(slopes[..., :-1])
        self.gradient[1].copy_(slopes[..., -1:])
        block.update(valued)
        if valued:
            block.losses.copy_(losses)
        on_batch()

    def collect(self, valued: bool) -> None:
        """Sums of soft labels or losses, and of slope x input, over the rows of each class."""
        torch.cat(self.parameters, -1, out=self.ledger.weights)
        self.ledger.empty()
        if self.moments:  # both classes weigh alike: all of it goes to the first one
            weights, pulled = self.by_moments
            pulled[...] = self.moments.pulled(weights)
            if valued:
                first = slice(0, self.moments.count)
                losses = self.moments.losses(self.ledger.weights[None, :, first])
                self.ledger.sums[:, first, 0] = losses[0]
        for desk in self.desks:
            self.multiply(self.ledger.row_weights, desk.inputs, out=desk.logits)
            self.block.objective.run(desk.work, desk.labels, valued)
            desk.mask()
            for part in desk.classes:
                part.sums.addmv_(part.soft, part.ones)
                self.add_product(part.pulled, part.inputs, part.slopes)
