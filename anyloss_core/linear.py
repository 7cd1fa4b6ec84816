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
RUN = 1 << 13  # zeroing a run of rows takes as long as weighing so many numbers


class Piece(NamedTuple):
    """Rows of one class: inputs (V, F + 1, r) and which of them count, fold by fold."""

    kind: int  # 0: positive, 1: negative
    inputs: Tensor  # V = 1: all folds look at the same rows; V = G: each has its own
    left_out: list[tuple[int, slice]]  # (fold, neighbouring rows it does not train on)
    weights: Tensor | None  # (G, 1, r), where leaving out is not enough

    def mask(self, soft: Tensor, slope: Tensor) -> None:
        """What does not count becomes 0 in (G, k, r)."""
        if self.weights is not None:
            soft.mul_(self.weights)
            slope.mul_(self.weights)
        for fold, rows in self.left_out:
            soft[fold, :, rows].zero_()
            slope[fold, :, rows].zero_()


class LinearPass:
    """Full-batch training of SLPs; stands in for `MiniBatches` and gives the same results."""

    def __init__(self, study: Study, table: Table, places: list[list[int]]) -> None:
        self.block = block = Block(study, table, places)
        self.blocks = [block]
        self.pieces = _pieces(study, table, block)
        views = self.pieces[0].inputs.shape[0]
        self.shape = (views, math.prod(block.size) // views, table.features + 1)
        like = block.losses
        self.weights = like.new_empty(self.shape)
        # Σ slope x input of each class, the models last: the quicker way round of the product
        self.pulled = like.new_empty(2, *self.weights.mT.shape)
        self.sums = like.new_empty(*block.size, 2)
        self.totals = torch.from_numpy(class_weights(study, block.folds)).to(like)
        self.kinds = like.new_tensor([1.0, 0.0]).unbind()  # the labels of the two kinds
        stack = block.stack
        self.parameters = [stack.named["weight0"][..., 0, :], stack.named["bias0"]]
        named = stack.views(stack.slopes)
        self.gradient = (named["weight0"][..., 0, :], named["bias0"][..., 0])

    def epoch(self, number: int, valued: bool, on_batch: Callable[[], None]) -> None:
        """One step of every model on all its rows."""
        block = self.block
        block.objective.begin(number)
        self.collect(valued)
        losses, pulls = block.objective.weigh(self.sums, self.totals)
        positive, negative = pulls.view(self.shape[0], 1, -1, 2).unbind(-1)
        slopes = torch.mul(self.pulled[0], positive).addcmul_(self.pulled[1], negative)
        slopes = slopes.mT.view(*block.size, -1)
        self.gradient[0].copy_(slopes[..., :-1])
        self.gradient[1].copy_(slopes[..., -1])
        block.updater.step()
        if valued:
            block.losses.copy_(losses)
        on_batch()

    def collect(self, valued: bool) -> None:
        """Sums of soft labels, and of slope x input, over the rows of each class."""
        block, objective = self.block, self.block.objective
        first = 0 if valued else objective.means  # means are summed only when asked for
        torch.cat(self.parameters, -1, out=self.weights.view(*block.size, -1))
        self.sums.zero_()
        self.pulled.zero_()
        flat = (*self.shape[:2], -1)
        for piece in self.pieces:
            kind, inputs = piece.kind, piece.inputs
            work = objective.workspace(block.size[0], inputs.shape[-1])
            torch.bmm(self.weights, inputs, out=work.logits.view(flat))  # (G, K, r)
            objective.run(work, self.kinds[kind], valued)
            soft = work.soft[:, first:]
            piece.mask(soft, work.slope)
            self.sums[:, first:, kind] += soft.sum(-1)
            self.pulled[kind].baddbmm_(inputs, work.slope.view(flat).mT)


def _pieces(study: Study, table: Table, block: Block) -> list[Piece]:
    """The training rows of all folds, class by class, cut to the size of the cache."""
    labels, length = np.asarray(study.labels), max(2 * CACHED // math.prod(block.size), 64)
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
        if shared:  # rows that the same folds leave out become neighbours
            order = np.lexsort(weights)
            index, weights = index[:, order], weights[:, order]
        for start in range(0, index.shape[1], length):
            chosen = slice(start, start + length)
            cells = table.take(torch.from_numpy(index[:, chosen]).to(table.cells.device))
            pieces.append(_piece(kind, cells, table.features, weights[:, chosen], block.size[1]))
    return pieces


def _piece(kind: int, cells: Tensor, features: int, weights: np.ndarray, losses: int) -> Piece:
    inputs = cells[..., : features + 1].transpose(1, 2).contiguous()
    runs = _left_out(weights)
    if np.isin(weights, (0.0, 1.0)).all() and len(runs) * RUN <= weights.size * losses:
        return Piece(kind, inputs, runs, None)
    return Piece(kind, inputs, [], torch.from_numpy(weights[:, None]).to(inputs))


def _left_out(weights: np.ndarray) -> list[tuple[int, slice]]:
    """The runs of zeros in (G, r), fold by fold."""
    edges = np.diff(weights == 0, axis=1, prepend=False, append=False)
    pairs = [np.flatnonzero(row).reshape(-1, 2) for row in edges]
    return [(fold, slice(*run)) for fold, own in enumerate(pairs) for run in own]


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
