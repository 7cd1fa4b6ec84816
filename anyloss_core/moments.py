"""Least squares without the rows: with a linear output, training needs their second moments only.

The error of a row is linear in its inputs x (the last of them 1) and its label y, and so is its
square in their products, which are summed up once per fold:

    error = vᵀ(x, y)   with v = (weights - (0, ..., low), -spread)   for targets spread·y + low
    Σ error² = vᵀ M v  with M = Σ (x, y)(x, y)ᵀ

An epoch is then a product of small matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from anyloss_core.arrays import Array, quickest
from anyloss_core.batches import GATHERED, Table, padded_index
from anyloss_core.kernels import LinearOutput
from anyloss_core.spelling import LossSpec
from anyloss_core.study import Rows

WIDE = 128  # with more columns the matrices of moments are no longer small


def pays(folds: Sequence[Rows], columns: int) -> bool:
    """Whether the moments of so many columns are less work than the rows."""
    return columns <= min(WIDE, *(len(fold.train) for fold in folds))


class Moments:
    """k losses with a linear output on each of G folds."""

    def __init__(self, table: Table, folds: Sequence[Rows], specs: Sequence[LossSpec]) -> None:
        like, columns = table.cells, table.features + 1  # inputs with the 1
        moments = like.new_zeros(len(folds), columns + 1, columns + 1)
        index = padded_index([fold.train for fold in folds], table)
        for part in index.split(max(1, GATHERED // (len(folds) * like.shape[1])), 1):
            cells = table.take(part)
            seen = torch.cat([cells[..., :columns], cells[..., -1:]], -1)  # (G, b, F + 2): x, y
            moments += (seen * cells[..., -3:-1].sum(-1, keepdim=True)).mT @ seen
        self.count, kernels = len(specs), [LinearOutput(spec) for spec in specs]
        factor = like.new_tensor([kernel.factor for kernel in kernels])[:, None]
        errors = like.new_zeros(len(folds), len(kernels), columns + 1)  # v
        errors[..., -2:] -= like.new_tensor([[kernel.low, kernel.spread] for kernel in kernels])
        self.start = errors.clone()  # v of models whose weights are 0
        tensors = (moments, factor, errors, self.start)
        self._moments, self._factor, self._errors, self._start = quickest(*tensors)
        self.moments, self.factor = moments, factor

    def pulled(self, weights: Array) -> Array:
        """Σ slope x input (G, k, F + 1) of models with weights (G, k, F + 1)."""
        with np.errstate(all="ignore"):  # a model may diverge
            self._errors[..., :-1] = weights + self._start[..., :-1]
            return (self._errors @ self._moments * self._factor)[..., :-1]

    def losses(self, weights: Tensor) -> Tensor:
        """Σ loss (E, G, k) of models with weights (E, G, k, F + 1)."""
        errors = (pad(weights, (0, 1)) + self.start).transpose(0, 1)  # (G, E, k, F + 2)
        products = errors * torch.bmm(errors.flatten(1, 2), self.moments).view(errors.shape)
        return products.mul_(self.factor / 2).sum(-1).transpose(0, 1).clamp(min=0)
