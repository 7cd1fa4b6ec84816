"""The SLP on all rows at once: one pass over the table per epoch, in pieces that fit the cache.

With the rows sorted by class, the pull of a class is one number per model, so it can wait until
the slopes have been multiplied with the inputs: dL/dW = Σ_class pull · (slope @ X_class). Each
piece of rows is read once, and the tensors between logits and slopes never leave the cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from anyloss_core.batches import Table
from anyloss_core.blocks import CACHED, Block, class_weights
from anyloss_core.study import Study

SHARED = 1.5  # folds share one copy of the rows unless that makes them compute this many too many


class Piece(NamedTuple):
    """Rows of one class: inputs (V, F + 1, r) and, where rows must not count fully, weights."""

    kind: int  # 0: positive, 1: negative
    inputs: Tensor  # V = 1: all folds look at the same rows; V = G: each has its own
    weights: Tensor | None  # (G, 1, r)


class LinearPass:
    """Full-batch training of SLPs; stands in for `MiniBatches` and gives the same results."""

    def __init__(self, study: Study, table: Table, places: list[list[int]]) -> None:
        self.block = Block(study, table, places)
        self.blocks = [self.block]
        self.pieces = _pieces(study, table, self.block)
        views = self.pieces[0].inputs.shape[0]
        models = self.block.size[0] * self.block.size[1]
        self.shape = (views, models // views, table.features + 1)
        self.pulls = self.block.losses.new_empty(2, *self.shape)
        self.sums = self.block.losses.new_empty(*self.block.size, 2)
        self.totals = torch.from_numpy(class_weights(study, self.block.folds)).to(self.block.losses)
        self.kinds = self.block.losses.new_tensor([1.0, 0.0])  # the labels of the two kinds

    def epoch(self, number: int, valued: bool, on_batch: Callable[[], None]) -> None:
        """One step of every model on all its rows."""
        block = self.block
        block.objective.begin(number)
        self.collect(valued)
        losses, strength = block.objective.weigh(self.sums, self.totals)
        pulls = self.pulls.view(2, *block.size, -1)
        slopes = pulls[0] * strength[..., :1] + pulls[1] * strength[..., 1:]  # (G, K, F + 1)
        views = block.stack.views(block.stack.slopes)
        views["weight0"].copy_(slopes[..., None, :-1])
        views["bias0"].copy_(slopes[..., -1:])
        block.updater.step()
        block.losses.copy_(losses)
        on_batch()

    def collect(self, valued: bool) -> None:
        """Sums of soft labels, and of slope x input, over the rows of each class."""
        block, named = self.block, self.block.stack.named
        first = 0 if valued else block.objective.means  # means are summed only when asked for
        weights = torch.cat([named["weight0"][..., 0, :], named["bias0"]], -1).view(self.shape)
        self.sums.zero_()
        self.pulls.zero_()
        for kind, inputs, counted in self.pieces:
            logits = torch.bmm(weights, inputs).view(*block.size, -1)  # (G, K, r)
            soft, slope = block.buffers(*logits.shape)
            block.objective.run(logits, self.kinds[kind], soft, slope, valued)
            if counted is not None:
                soft[:, first:].mul_(counted)
                slope.mul_(counted)
            self.sums[:, first:, kind] += soft[:, first:].sum(-1)
            flat = slope.view(*self.shape[:2], -1)
            self.pulls[kind].baddbmm_(flat, inputs.transpose(1, 2))


def _pieces(study: Study, table: Table, block: Block) -> list[Piece]:
    """The training rows of all folds, class by class, cut to the size of the cache."""
    labels, length = np.asarray(study.labels), max(CACHED // 2 // math.prod(block.size), 64)
    union = np.unique(np.concatenate([fold.train for fold in block.folds]))
    shared = len(union) <= SHARED * max(len(fold.train) for fold in block.folds)
    pieces = []
    for kind, label in enumerate((1, 0)):
        own = [np.asarray(fold.train)[labels[fold.train] == label] for fold in block.folds]
        index = union[labels[union] == label][None] if shared else _padded(own, table.padding)
        weights = np.stack([_times(rows, index[-1]) for rows in own]) if shared else None
        weights = (index != table.padding).astype(float) if weights is None else weights
        if study.weights is not None:
            weights = weights * np.append(study.weights, 0.0)[index]
        for start in range(0, index.shape[1], length):
            chosen = slice(start, start + length)
            pieces.append(_piece(kind, table, index[:, chosen], weights[:, None, chosen]))
    return pieces


def _piece(kind: int, table: Table, index: np.ndarray, weights: np.ndarray) -> Piece:
    cells = table.take(torch.from_numpy(index).to(table.cells.device))
    inputs = cells[..., : table.features + 1].transpose(1, 2).contiguous()
    plain = bool((weights == 1).all())
    return Piece(kind, inputs, None if plain else torch.from_numpy(weights).to(inputs))


def _times(rows: np.ndarray, among: np.ndarray) -> np.ndarray:
    """How often each row number of the sorted `among` occurs in `rows`."""
    times = np.zeros(len(among))
    np.add.at(times, np.searchsorted(among, rows), 1.0)
    return times


def _padded(own: list[np.ndarray], padding: int) -> np.ndarray:
    index = np.full((len(own), max(map(len, own))), padding)
    for fold, rows in enumerate(own):
        index[fold, : len(rows)] = rows
    return index
