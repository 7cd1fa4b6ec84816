"""Counts of a block on its training or validation rows, hard and soft, and its dead samples.

The rows are taken in chunks, so that memory stays small however many there are.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from anyloss_core.engine.batches import Batch, Table, class_sums, make_batch
from anyloss_core.engine.blocks import CACHED, Block
from anyloss_core.engine.stack import Stack
from anyloss_core.losses.outputs import probabilities


class Measured(NamedTuple):
    """Sums (G, K, 2) over positive and negative rows, so (TP, FP) of each model."""

    hard: Tensor
    soft: Tensor
    dead: Tensor  # rows that change nothing any more: their slope is exactly 0
    sample_p: Tensor  # (G, K, S), of the rows that were asked for
    sample_soft: Tensor


def row_chunks(stack: Stack, table: Table, index: Tensor) -> Iterator[Batch]:
    """The rows (G, n) of `index`, a cache-full at a time."""
    width = math.prod(stack.size) * max(stack.network.hidden, default=1)
    length = max(CACHED // width, 64)
    for start in range(0, index.shape[1], length):
        batch = make_batch(table, index[:, start : start + length])
        # Feature by feature in memory, as the product with the weights reads them.
        yield batch._replace(rows=batch.rows.mT.contiguous().mT)


def count_hard(block: Block, rows: Iterable[Batch]) -> Tensor:
    """(TP, FP) (G, K, 2) of the predictions: outputs above the cuts (K, 1)."""
    counted = block.rates.new_zeros(*block.size, 2)
    for batch in rows:
        predicted = block.stack.forward(batch.rows).gt_(block.cuts)
        counted += class_sums(predicted, batch.classes)
    return counted


def measure(block: Block, rows: Iterable[Batch], sample: Tensor) -> Measured:
    """Hard and soft counts and dead rows, with the loss as it is in this epoch.

    `sample` (S,) are the rows, counted from 0 and rising, whose p and soft labels are wanted too.
    """
    hard, soft_sums, dead = (block.rates.new_zeros(*block.size, 2) for _ in range(3))
    sampled = [(block.rates.new_zeros(*block.size, 0),) * 2]
    for batch in rows:
        length = batch.rows.shape[1]
        chosen, sample = sample[sample < length], sample[sample >= length] - length
        buffers = block.objective.buffers(*batch.rows.shape[:2])
        logits = block.stack.forward(batch.rows, out=buffers.outputs)
        hard += class_sums(logits.gt(block.cuts).to(logits), batch.classes)
        means = range(block.objective.means)  # a mean has no soft label but p itself
        shares = [probabilities(block.specs[column], logits[:, column]) for column in means]
        p = [probabilities(s, logits[:, k, chosen]) for k, s in enumerate(block.specs)]
        soft = block.objective.soften(buffers, batch.labels, valued=False)
        for column, share in zip(means, shares, strict=True):
            soft[:, column] = share
        soft_sums += class_sums(soft, batch.classes)
        dead += class_sums(block.objective.slopes(buffers).eq(0).to(soft), batch.classes)
        sampled.append((torch.stack(p, 1), soft[..., chosen]))
    seen = (torch.cat(parts, -1) for parts in zip(*sampled, strict=True))
    return Measured(hard, soft_sums, dead, *seen)
