"""Least squares without the rows: with a linear output, training needs their second moments only.

    Σ w (xᵀv - t)² = vᵀ(Σ w xxᵀ)v - 2 vᵀ(Σ w t x) + Σ w t²

The sums are taken once per fold; an epoch is then a product of small matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from anyloss_core.batches import GATHERED, Table, padded_index
from anyloss_core.kernels import LinearOutput
from anyloss_core.spelling import LossSpec
from anyloss_core.study import Rows

WIDE = 128  # with more columns the matrices of moments are no longer small


def pays(folds: Sequence[Rows], columns: int) -> bool:
    """Whether the moments of so many columns are less work than the rows."""
    return columns <= min(WIDE, *(len(fold.train) for fold in folds))


class Moments:
    """k losses with a linear output on each of G folds; their targets are spread·y + low."""

    def __init__(self, table: Table, folds: Sequence[Rows], specs: Sequence[LossSpec]) -> None:
        columns, like = table.features + 1, table.cells
        self.squares = like.new_zeros(len(folds), columns, columns)  # Σ w xxᵀ
        sums = like.new_zeros(len(folds), 2, columns)  # Σ w y x, Σ w x
        index = padded_index([fold.train for fold in folds], table)
        for part in index.split(max(1, GATHERED // (len(folds) * like.shape[1])), 1):
            cells = table.take(part)
            inputs, positive, negative = cells[..., :columns], cells[..., -3], cells[..., -2]
            weights = torch.stack([positive, positive + negative], 1)
            sums += weights @ inputs
            self.squares += (inputs * weights[:, 1, :, None]).mT @ inputs
        kernels = [LinearOutput(spec) for spec in specs]
        ends = [(kernel.spread, kernel.low) for kernel in kernels]
        squared = [((spread + low) ** 2 - low**2, low**2) for spread, low in ends]
        self.factor = like.new_tensor([kernel.factor for kernel in kernels])[:, None]
        self.towards = like.new_tensor(ends) @ sums  # Σ w t x
        self.rest = (like.new_tensor(squared) @ sums[..., -1:])[..., 0]  # Σ w t²: there x is 1

    def slopes(self, weights: Tensor) -> Tensor:
        """Σ slope x input (G, k, F + 1) of models with the weights (G, k, F + 1)."""
        return torch.baddbmm(self.towards, weights, self.squares, beta=-1).mul_(self.factor)

    def losses(self, weights: Tensor, slopes: Tensor) -> Tensor:
        """Σ loss (G, k) of the same models."""
        products = (weights * (slopes - self.factor * self.towards)).sum(-1)
        return products.addcmul_(self.rest, self.factor[:, 0]).div_(2).clamp_(min=0)
