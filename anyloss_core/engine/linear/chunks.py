"""The rows of full-batch training in chunks, each with the buffers that it is worked on in.

Everything that an epoch needs is a view made here, once.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from anyloss_core.engine.batches import Table
from anyloss_core.engine.blocks import CACHED
from anyloss_core.engine.linear.sorted_rows import SortedRows, runs_of_zeros
from anyloss_core.engine.objective import Buffers

# Logits worked on at once: beyond the second-level cache, but fewer operations count for more
# (2^16 to 2^20 were tried with 80 models).
NUMBERS = 6 * CACHED
RUN = 1 << 9  # zeroing a run of rows takes as long as multiplying so many numbers


class ClassRows(NamedTuple):
    """The c rows of one class in a chunk; V copies of the table serve M models."""

    soft: Tensor  # (M, c)
    ones: Tensor  # (c,)
    inputs: Tensor  # (V, F + 1, c)
    slopes: Tensor  # (V, c, M / V)


class Chunk(NamedTuple):
    """Some rows, positive ones first, with the buffers of G x K models."""

    inputs: Tensor  # (V, F + 1, r)
    labels: Tensor  # (r,)
    logits: Tensor  # (V, M / V, r)
    buffers: Buffers  # the same logits and what becomes of them as (G, K, r)
    left_out: list[Tensor]  # parts of it that do not count
    weights: Tensor | None  # (G, 1, r), where leaving out is not enough
    classes: list[tuple[int, ClassRows]]  # 0: positive, 1: negative

    def mask(self) -> None:
        """What does not count becomes 0."""
        if self.weights is not None:
            self.buffers.outputs.mul_(self.weights)
            self.buffers.slopes.mul_(self.weights)
        if self.left_out:
            torch._foreach_zero_(self.left_out)


def make_chunks(table: Table, rows: SortedRows, size: tuple[int, int]) -> Iterator[Chunk]:
    """Chunks for G x K models; those of equal length share their buffers."""
    total, models = rows.numbers.shape[1], math.prod(size)
    length = math.ceil(total / max(1, math.ceil(total * models / NUMBERS)))
    buffers: dict[int, Tensor] = {}
    for start in range(0, total, length):
        part = rows.cut(slice(start, min(start + length, total)))
        count = part.numbers.shape[1]
        if count not in buffers:
            buffers[count] = table.cells.new_zeros(3, models, count)
        yield _make_chunk(table, part, size, buffers[count])


def _make_chunk(table: Table, rows: SortedRows, size: tuple[int, int], buffer: Tensor) -> Chunk:
    """`buffer` (3, M, r) takes logits, later soft labels, then slopes."""
    copies, count = rows.numbers.shape
    index = torch.from_numpy(rows.numbers).to(buffer.device)
    inputs = table.take(index)[..., : table.features + 1].mT.contiguous()  # (V, F + 1, r)
    buffers = Buffers(*buffer.view(3, *size, count))
    logits, slopes, _ = buffer.view(3, copies, -1, count)
    classes = [
        (
            kind,
            ClassRows(
                buffer[0][:, part],
                buffer.new_ones(part.stop - part.start),
                inputs[..., part],
                slopes.mT[:, part],
            ),
        )
        for kind, part in enumerate((slice(0, rows.positives), slice(rows.positives, count)))
        if part.stop > part.start
    ]
    labels = (torch.arange(count) < rows.positives).to(buffer)
    return Chunk(inputs, labels, logits, buffers, *_masks(rows.weights, buffers), classes)


def _masks(weights: np.ndarray, buffers: Buffers) -> tuple[list[Tensor], Tensor | None]:
    """What of soft and slope does not count, and factors (G, 1, r) where that is not all."""
    runs = runs_of_zeros(weights)
    both = (buffers.outputs, buffers.slopes)
    if np.isin(weights, (0.0, 1.0)).all() and len(runs) * RUN <= both[0].numel():
        return [part[fold, :, run] for fold, run in runs for part in both], None
    return [], torch.from_numpy(weights[:, None]).to(both[0])
