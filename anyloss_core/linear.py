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
from anyloss_core.objective import Workspace
from anyloss_core.study import Study

SHARED = 1.5  # folds share one copy of the rows unless that makes them compute this many too many
RUN = 1 << 13  # zeroing a run of rows takes as long as weighing so many numbers


class Piece(NamedTuple):
    """Rows of one class: inputs (V, F + 1, r) and which of them count, fold by fold."""

    kind: int  # 0: positive, 1: negative
    inputs: Tensor  # V = 1: all folds look at the same rows; V = G: each has its own
    left_out: list[tuple[int, slice]]  # (fold, neighbouring rows it does not train on)
    weights: Tensor | None  # (G, 1, r), where leaving out is not enough


class Desk(NamedTuple):
    """A piece with the memory it is worked on in, looked at from all sides."""

    piece: Piece
    inputs: Tensor  # of the piece, without the axis V where all folds share the rows
    work: Workspace
    logits: Tensor  # (V, G·K/V, r), or (G·K, r) where all folds share the rows
    slopes: Tensor  # the same of the slopes, with the rows first
    left_out: list[Tensor]  # what does not count

    def mask(self) -> None:
        """What does not count becomes 0."""
        if self.piece.weights is not None:
            self.work.soft.mul_(self.piece.weights)
            self.work.slope.mul_(self.piece.weights)
        if self.left_out:
            torch._foreach_zero_(self.left_out)


class LinearPass:
    """Full-batch training of SLPs; stands in for `MiniBatches` and gives the same results."""

    def __init__(self, study: Study, table: Table, places: list[list[int]]) -> None:
        self.block = block = Block(study, table, places)
        self.blocks = [block]
        pieces = _pieces(study, table, block)
        views = pieces[0].inputs.shape[0]
        self.shape = (views, math.prod(block.size) // views, table.features + 1)
        like = block.losses
        self.weights = like.new_empty(self.shape)
        # Σ slope x input of each class, the models last: the quicker way round of the product
        self.pulled = like.new_empty(2, *self.weights.mT.shape)
        self.sums = like.new_empty(2, math.prod(block.size))  # of soft labels, by class
        self.ones = like.new_ones(max(piece.inputs.shape[-1] for piece in pieces))
        self.totals = torch.from_numpy(class_weights(study, block.folds)).to(like)
        self.kinds = like.new_tensor([1.0, 0.0]).unbind()  # the labels of the two kinds
        self.desks = [self._desk(piece) for piece in pieces]
        stack = block.stack
        self.parameters = [stack.named["weight0"][..., 0, :], stack.named["bias0"]]
        named = stack.views(stack.slopes)
        self.gradient = (named["weight0"][..., 0, :], named["bias0"][..., 0])

    def epoch(self, number: int, valued: bool, on_batch: Callable[[], None]) -> None:
        """One step of every model on all its rows."""
        block = self.block
        block.objective.begin(number)
        self.collect(valued)
        losses, pulls = block.objective.weigh(self.sums.T.view(*block.size, 2), self.totals)
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
        torch.cat(self.parameters, -1, out=self.weights.view(*self.block.size, -1))
        self.sums.zero_()
        self.pulled.zero_()
        shared = self.shape[0] == 1  # one product for all folds; mm is quicker than a lone bmm
        weights, pulled = (
            (self.weights[0], self.pulled[:, 0]) if shared else (self.weights, self.pulled)
        )
        multiply, add_product = (
            (torch.mm, Tensor.addmm_) if shared else (torch.bmm, Tensor.baddbmm_)
        )
        for desk in self.desks:
            kind, work = desk.piece.kind, desk.work
            multiply(weights, desk.inputs, out=desk.logits)
            self.block.objective.run(work, self.kinds[kind], valued)
            desk.mask()
            rows = desk.inputs.shape[-1]
            self.sums[kind].addmv_(work.soft.view(-1, rows), self.ones[:rows])
            add_product(pulled[kind], desk.inputs, desk.slopes)

    def _desk(self, piece: Piece) -> Desk:
        work = self.block.objective.workspace(self.block.size[0], piece.inputs.shape[-1])
        flat = (*self.shape[:2], -1)
        inputs, logits, slopes = piece.inputs, work.logits.view(flat), work.slope.view(flat).mT
        if self.shape[0] == 1:
            inputs, logits, slopes = inputs[0], logits[0], slopes[0]
        left_out = [t[f, :, rows] for f, rows in piece.left_out for t in (work.soft, work.slope)]
        return Desk(piece, inputs, work, logits, slopes, left_out)


def _pieces(study: Study, table: Table, block: Block) -> list[Piece]:
    """The training rows of all folds, class by class, cut to the size of the cache."""
    labels, length = np.asarray(study.labels), max(2 * CACHED // math.prod(block.size), 64)
    trained_on = np.zeros(len(labels), dtype=bool)
    for fold in block.folds:
        trained_on[fold.train] = True
    union = np.flatnonzero(trained_on)
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
