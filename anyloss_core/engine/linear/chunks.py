"""Desks: the rows of full-batch training in pieces, each with the memory it is worked on in.

Everything that an epoch needs is a view made here, once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from anyloss_core.batches import Table
from anyloss_core.blocks import CACHED
from anyloss_core.objective import Workspace
from anyloss_core.sorted_rows import SortedRows, runs_of_zeros

# Logits worked on at once: beyond the second-level cache, but fewer operations count for more
# (2^16 to 2^20 were tried with 80 models).
NUMBERS = 6 * CACHED
ALIGNED = 8  # numbers in a line of the cache: rows of logits begin with a line
RUN = 1 << 9  # zeroing a run of rows takes as long as weighing so many numbers


class ClassPart(NamedTuple):
    """The rows of one class on a desk, and where their sums go; m = k·G models and padding."""

    soft: Tensor  # (m, c)
    ones: Tensor  # (c,)
    sums: Tensor  # (m,)
    inputs: Tensor  # (F + 1, c), or (G, F + 1, c) where each fold has rows of its own
    slopes: Tensor  # (c, m), or (G, c, k)
    pulled: Tensor  # (F + 1, m), or (G, F + 1, k)


class Desk(NamedTuple):
    """Some rows, positive ones first, with the memory that k losses are worked out in."""

    inputs: Tensor  # (F + 1, r), or (G, F + 1, r); one more row if their number is odd
    labels: Tensor  # (r,)
    logits: Tensor  # (m, r), or (G, k, r)
    work: Workspace  # the same logits and what becomes of them as (G, k, r)
    left_out: list[Tensor]  # parts of it that do not count
    weights: Tensor | None  # (G, 1, r), where leaving out is not enough
    classes: list[ClassPart]
    counted: np.ndarray  # (G, r): what every row weighs in every fold

    def mask(self) -> None:
        """What does not count becomes 0."""
        if self.weights is not None:
            self.work.soft.mul_(self.weights)
            self.work.slope.mul_(self.weights)
        if self.left_out:
            torch._foreach_zero_(self.left_out)


def lay_desks(
    table: Table, rows: SortedRows, size: tuple[int, int], targets: tuple[Tensor, Tensor]
) -> Iterator[Desk]:
    """Desks for k losses x G folds, in memory loss by loss; those of equal length share it.

    Sums of soft labels and of slope x input of class c go to the targets [c].
    """
    total, models, like = rows.index.shape[1], math.prod(size), targets[0]
    desks = max(1, math.ceil(total * models / NUMBERS))
    length = math.ceil(total / desks / ALIGNED) * ALIGNED
    memory: dict[int, Tensor] = {}
    for start in range(0, total, length) if models else ():
        cut = slice(start, min(start + length, total))
        count = cut.stop - start
        if count not in memory:
            memory[count] = like.new_zeros(3, like.shape[1], count)
        yield _lay_desk(table, rows.cut(cut), size, targets, memory[count])


def _lay_desk(
    table: Table,
    rows: SortedRows,
    size: tuple[int, int],
    targets: tuple[Tensor, Tensor],
    memory: Tensor,  # (3, m, r)
) -> Desk:
    (sums, pulled), count = targets, rows.weights.shape[1]
    index = torch.from_numpy(rows.index).to(memory.device)
    inputs = table.take(index)[..., : pulled.shape[-2]].mT.contiguous()  # (V, F + 1, r)
    work = Workspace(*memory[:, : math.prod(size)].view(3, *size, count).transpose(1, 2))
    logits, slopes = work.logits, work.slope.mT
    if rows.shared:
        inputs, logits, slopes = inputs[0], memory[0], memory[2].T
    classes = [
        ClassPart(
            soft=memory[1][:, part],
            ones=memory.new_ones(part.stop - part.start),
            sums=sums[kind],
            inputs=inputs[..., part],
            slopes=slopes[..., part, :],
            pulled=pulled[kind],
        )
        for kind, part in enumerate((slice(0, rows.positives), slice(rows.positives, count)))
        if part.stop > part.start
    ]
    labels = (torch.arange(count) < rows.positives).to(memory)
    return Desk(inputs, labels, logits, work, *_masks(rows.weights, work), classes, rows.weights)


def _masks(weights: np.ndarray, work: Workspace) -> tuple[list[Tensor], Tensor | None]:
    """What of soft and slope does not count, and factors (G, 1, r) where that is not all."""
    runs = runs_of_zeros(weights)
    if np.isin(weights, (0.0, 1.0)).all() and len(runs) * RUN <= work.soft.numel():
        return [part[fold, :, run] for fold, run in runs for part in (work.soft, work.slope)], None
    return [], torch.from_numpy(weights[:, None]).to(work.soft)
