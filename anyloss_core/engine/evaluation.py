"""Counts of a block on its training or validation rows, hard and soft, and its dead samples.

The rows are looked at in pieces, so that memory stays small however many there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torch import Tensor

from anyloss_core.batches import Batch, Table, class_sums, make_batch
from anyloss_core.blocks import CACHED, Block
from anyloss_core.outputs import probabilities
from anyloss_core.stack import Stack


class Measured(NamedTuple):
    """Sums (G, K, 2) over positive and negative rows, so (TP, FP) of each model."""

    hard: Tensor
    soft: Tensor | None = None
    dead: Tensor | None = None  # rows that pull at nothing: their slope is exactly 0


def pieces(stack: Stack, table: Table, index: Tensor) -> Iterator[Batch]:
    """The rows (G, n) of `index`, a cache-full at a time."""
    width = math.prod(stack.size) * max(stack.network.hidden, default=1)
    length = max(CACHED // width, 64)
    for start in range(0, index.shape[1], length):
        batch = make_batch(table, index[:, start : start + length])
        # Feature by feature in memory, as the product with the weights reads them.
        yield batch._replace(rows=batch.rows.mT.contiguous().mT)


def count_hard(stack: Stack, cuts: Tensor, rows: Sequence[Batch]) -> Tensor:
    """(TP, FP) (G, K, 2) of the predictions: outputs above the cuts (K, 1)."""
    counted = [class_sums(stack.forward(batch.rows).gt_(cuts), batch.classes) for batch in rows]
    return sum(counted[1:], counted[0]) if counted else cuts.new_zeros(*stack.size, 2)


def measure(block: Block, rows: Iterator[Batch]) -> Measured:
    """Hard and soft counts and dead rows, with the loss as it is in this epoch."""
    hard, soft_sums, dead = (block.losses.new_zeros(*block.size, 2) for _ in range(3))
    for batch in rows:
        work = block.objective.workspace(*batch.rows.shape[:2])
        logits, soft = block.stack.forward(batch.rows, out=work.logits), work.soft
        hard += class_sums(logits.gt(block.cuts).to(soft), batch.classes)
        means = range(block.objective.means)  # a mean has no soft label but p itself
        shares = [probabilities(block.specs[column], logits[:, column]) for column in means]
        block.objective.run(work, batch.labels, valued=False)
        for column, share in zip(means, shares, strict=True):
            soft[:, column] = share
        soft_sums += class_sums(soft, batch.classes)
        dead += class_sums(work.slope.eq(0).to(soft), batch.classes)
    return Measured(hard, soft_sums, dead)
