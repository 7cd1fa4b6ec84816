"""The rows of a study as one table, and the order in which a group of folds sees them.

Folds are lists of row numbers into the table. Each epoch every fold is reshuffled; a batch is the
same stretch of every fold's order, gathered in one operation. Folds differ by a row or two, so
the last batch may be split into parts of equal length.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from anyloss_core.engine.stack import FoldSpan, folds_of
from anyloss_core.engine.study import Rows, Study, as_tensor

GATHERED = 1 << 18  # numbers copied together for the batches to come: 2 MB in float64


class Table:
    """(N + 1, F + 4): features, 1, w·y, w·(1 - y), y; the last row is all 0 and used as padding."""

    def __init__(self, study: Study) -> None:
        features = as_tensor(study.features, study.precision, study.torch_device)
        labels = as_tensor(study.labels, study.precision, study.torch_device)
        rows, self.features = features.shape
        self.padding = rows
        self.cells = features.new_zeros(rows + 1, self.features + 4)
        body = self.cells[:rows]
        body[:, : self.features] = features
        body[:, self.features] = 1
        weights = np.ones(rows) if study.weights is None else study.weights
        weights = as_tensor(weights, study.precision, study.torch_device)
        body[:, -3], body[:, -2], body[:, -1] = labels * weights, (1 - labels) * weights, labels

    def index(self, chosen: Sequence[np.ndarray]) -> Tensor:
        """Row numbers (G, n) of several folds, filled up with the padding row."""
        return torch.from_numpy(padded(chosen, self.padding)).to(self.cells.device)

    def take(self, index: Tensor) -> Tensor:
        """The rows (G, B, F + 4) of a (G, B) index."""
        return self.cells.index_select(0, index.flatten()).view(*index.shape, -1)


class Batch(NamedTuple):
    """The same number of rows from each fold of a part of a group."""

    part: FoldSpan  # which folds
    rows: Tensor  # (G, B, F)
    classes: Tensor  # (G, 2, B): weight in the positive and in the negative class
    labels: Tensor  # (G, 1, B)
    totals: Tensor  # (G, 2): weight of each class
    last: bool  # no further part of this step follows


def padded(chosen: Sequence[np.ndarray], padding: int) -> np.ndarray:
    """Row numbers (G, n) of several folds; shorter ones are filled up with `padding`."""
    longest = max((len(rows) for rows in chosen), default=0)
    index = np.full((len(chosen), longest), padding)
    for fold, rows in enumerate(chosen):
        index[fold, : len(rows)] = rows
    return index


def make_batch(table: Table, index: Tensor, part: FoldSpan = None, last: bool = True) -> Batch:
    cells = table.take(index)
    classes = cells[..., -3:-1].transpose(1, 2).contiguous()
    return Batch(
        part, cells[..., : table.features], classes, cells[..., -1][:, None], classes.sum(-1), last
    )


def class_sums(values: Tensor, classes: Tensor) -> Tensor:
    """Values (G, K, B) summed over the rows of each class (G, 2, B) -> (G, K, 2).

    The transposed product is several times quicker than one with two columns.
    """
    return torch.bmm(classes, values.transpose(1, 2)).transpose(1, 2)


class Batches:
    """The mini-batches of folds that are sorted by length and need equally many steps."""

    def __init__(self, study: Study, table: Table, folds: Sequence[Rows], size: int | None) -> None:
        self.table, self.stratified = table, study.stratified
        self.folds = folds
        self.lengths = [len(rows.train) for rows in folds]
        self.size = size or max(self.lengths)
        self.index = table.index([rows.train for rows in folds])
        self.steps = steps_per_epoch(self.lengths[-1], size, study.drop_last)
        self.full = size is None
        self._kept: list[Batch] = []
        self.orders = {  # what draws the order of the rows, by kind of fold
            key: torch.Generator().manual_seed(mix_seeds(*key)) for key in map(_order_key, folds)
        }

    def __iter__(self) -> Iterator[Batch]:
        """One epoch."""
        if self.full:
            self._kept = self._kept or list(self._cut(self.index))
            yield from self._kept
        else:
            yield from self._cut(self._shuffled())

    def _cut(self, order: Tensor) -> Iterator[Batch]:
        """Batches that all folds fill are gathered several at a time, the rest part by part."""
        full = min(self.lengths[0] // self.size, self.steps)
        at_once = max(1, GATHERED // (len(self.folds) * self.size * self.table.cells.shape[1]))
        for first in range(0, full, at_once):
            stop = min(first + at_once, full)
            yield from self._gathered(order[:, first * self.size : stop * self.size])
        for start in range(full * self.size, self.steps * self.size, self.size):
            parts = list(self._parts(start))
            for part, length in parts:
                chosen = order[folds_of(part), start : start + length]
                yield make_batch(self.table, chosen, part, last=part == parts[-1][0])

    def _gathered(self, index: Tensor) -> Iterator[Batch]:
        """Full batches from one gathering of their rows (G, several batches)."""
        cells = self.table.take(index)
        classes = cells[..., -3:-1].transpose(1, 2).contiguous()
        totals = classes.view(len(index), 2, -1, self.size).sum(-1).unbind(-1)
        rows = cells[..., : self.table.features].split(self.size, 1)
        labels = cells[..., -1][:, None].split(self.size, -1)
        for pieces in zip(rows, classes.split(self.size, -1), labels, totals, strict=True):
            yield Batch(None, *pieces, last=True)

    def _parts(self, start: int) -> Iterator[tuple[FoldSpan, int]]:
        """Runs of folds with equally many rows left at `start`."""
        left = [min(self.size, length - start) for length in self.lengths]
        first = 0
        for fold, length in enumerate(left):
            if fold + 1 == len(left) or left[fold + 1] != length:
                whole = first == 0 and fold + 1 == len(left)
                yield (None if whole else (first, fold + 1)), length
                first = fold + 1

    def _shuffled(self) -> Tensor:
        """The row numbers (G, n) in this epoch's order."""
        orders: dict[object, Tensor] = {}
        for key, generator in self.orders.items():
            orders[key] = torch.randperm(key[1], generator=generator).to(self.index.device)
        if len(orders) == 1 and not self.stratified:
            return self.index.index_select(1, next(iter(orders.values())))
        shuffled = self.index.clone()
        for fold, rows in enumerate(self.folds):
            order = orders[_order_key(rows)]
            chosen = self.index[fold, : len(order)][order]
            shuffled[fold, : len(order)] = self._spread(chosen) if self.stratified else chosen
        return shuffled

    def _spread(self, chosen: Tensor) -> Tensor:
        """Both classes spread evenly over the order, so that every stretch holds its share."""
        labels = self.table.cells[chosen, -1]
        positives = labels.sum()
        rank = torch.where(labels > 0, labels.cumsum(0), (1 - labels).cumsum(0)) - 0.5
        share = rank / torch.where(labels > 0, positives, len(chosen) - positives)
        order = share.argsort(stable=True)
        self._mend_last(order, labels)
        return chosen[order]

    def _mend_last(self, order: Tensor, labels: Tensor) -> None:
        """A short last batch of one class gets a row of the other from a batch with two of it."""
        length = len(order) % self.size
        own = labels[order[len(order) - length :]]
        if length < 2 or own.min() != own.max():
            return
        wanted = labels[order[:-length]] != own[0]
        batch = torch.arange(len(wanted), device=wanted.device) // self.size
        many = torch.zeros(len(order), device=wanted.device).index_add_(0, batch, wanted.float())
        spare = (wanted & (many[batch] > 1)).nonzero()
        if len(spare):
            order[[-1, int(spare[-1])]] = order[[int(spare[-1]), -1]]


def steps_per_epoch(length: int, size: int | None, drop_last: bool) -> int:
    """Batches of an epoch; a fold shorter than one batch still gets one."""
    if size is None or size >= length:
        return 1
    return length // size if drop_last else -(-length // size)


def _order_key(rows: Rows) -> tuple[int, int]:
    """Folds of equal length share an order of positions, which are other rows in each fold."""
    return rows.shuffle, len(rows.train)


def mix_seeds(*numbers: int) -> int:
    """One seed from several numbers; another number gives another."""
    return int(np.random.SeedSequence([n & 0xFFFFFFFF for n in numbers]).generate_state(1)[0])
