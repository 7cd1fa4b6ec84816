"""The SLP on all rows at once: one pass over the table per epoch, in chunks that fit the cache.

With the rows sorted by class, the gradient of a class is one number per model, so it can wait until
the slopes have been multiplied with the inputs: dL/dW = Σ_class gradient · (slope @ X_class).
"""

from collections.abc import Iterator

import torch

from anyloss_core.engine.batches import Table
from anyloss_core.engine.blocks import Block, Models, class_weights
from anyloss_core.engine.linear.chunks import make_chunks
from anyloss_core.engine.linear.sorted_rows import sorted_rows
from anyloss_core.engine.study import Study


class LinearPass:
    """Full-batch training of SLPs; stands in for `MiniBatches` and gives the same results."""

    def __init__(self, study: Study, table: Table, models: Models) -> None:
        self.block = block = Block(study, table, models)
        self.blocks = [block]
        self.orders: dict[tuple[int, int], torch.Generator] = {}  # sums have no order
        rows = sorted_rows(study, block.folds, table.padding)
        self.chunks = list(make_chunks(table, rows, block.size))
        self.totals = torch.from_numpy(class_weights(study, block.folds)).to(block.rates)
        (folds, losses), columns, copies = block.size, table.features + 1, len(rows.numbers)
        weights = block.rates.new_zeros(folds, losses, columns)  # the bias last, as in the inputs
        self.weights, self.chunk_weights = weights, weights.view(copies, -1, columns)
        # Sums over the rows of each class, of soft labels or losses and of slope x input: the
        # models last, which is the quicker way round of the product.
        self.class_sums = block.rates.new_zeros(2, folds * losses)
        self.class_products = block.rates.new_zeros(2, copies, columns, folds * losses // copies)
        self.sums = self.class_sums.view(2, folds, losses).permute(1, 2, 0)  # (G, K, 2)
        self.products = self.class_products.mT.view(2, folds, losses, columns)
        stack = block.stack
        gradients = stack.views(stack.gradients)
        self.parameters = [stack.named["weight0"][..., 0, :], stack.named["bias0"]]
        self.gradients = [gradients["weight0"][..., 0, :], gradients["bias0"]]

    def steps(self, epoch: int, valued: bool) -> Iterator[None]:
        """The one step of an epoch (from 0): every model on all its rows."""
        block = self.block
        block.begin(epoch)
        self.collect(valued)
        losses, class_gradients = block.objective.class_gradients(self.sums, self.totals)
        positive, negative = class_gradients.unsqueeze(-2).unbind(-1)
        gradient = torch.mul(self.products[0], positive).addcmul_(self.products[1], negative)
        self.gradients[0].copy_(gradient[..., :-1])
        self.gradients[1].copy_(gradient[..., -1:])
        block.update(valued)
        if valued:
            block.losses.copy_(losses)
        yield

    def collect(self, valued: bool) -> None:
        """Fill the sums over the rows of each class."""
        torch.cat(self.parameters, -1, out=self.weights)
        self.class_sums.zero_()
        self.class_products.zero_()
        for chunk in self.chunks:
            torch.bmm(self.chunk_weights, chunk.inputs, out=chunk.logits)
            self.block.objective.soften(chunk.buffers, chunk.labels, valued)
            self.block.objective.slopes(chunk.buffers)
            chunk.mask()
            for kind, part in chunk.classes:
                self.class_sums[kind].addmv_(part.soft, part.ones)
                self.class_products[kind].baddbmm_(part.inputs, part.slopes)
