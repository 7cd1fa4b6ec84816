"""The training rows of several folds, positive ones first, as full-batch training reads them.

Folds of a cross-validation have most rows in common: they share one copy, and each leaves out
what it does not train on. Folds that differ much get rows of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from anyloss_core.engine.batches import padded
from anyloss_core.engine.study import Rows, Study

SHARED = 1.5  # folds share one copy of the rows unless that makes them compute this many too many


class SortedRows(NamedTuple):
    """Row numbers (1, n) that all folds share or (G, n), and the weight of each (G, n)."""

    numbers: np.ndarray
    weights: np.ndarray
    positives: int  # how many of the n are positive

    @property
    def shared(self) -> bool:
        return len(self.numbers) == 1

    def cut(self, some: slice) -> SortedRows:
        """Some of the n rows."""
        positives = min(max(self.positives - some.start, 0), some.stop - some.start)
        return SortedRows(self.numbers[:, some], self.weights[:, some], positives)


def sorted_rows(study: Study, folds: Sequence[Rows], padding: int) -> SortedRows:
    """`padding` is the row number that fills up folds with fewer rows."""
    labels = np.asarray(study.labels)
    trained_on = np.zeros(len(labels), dtype=bool)
    for fold in folds:
        trained_on[fold.train] = True
    union = np.flatnonzero(trained_on)
    shared = len(union) <= SHARED * max(len(fold.train) for fold in folds)
    classes = []
    for label in (1, 0):
        own = [np.asarray(fold.train)[labels[fold.train] == label] for fold in folds]
        classes.append(
            _common(own, union[labels[union] == label]) if shared else _own(own, padding)
        )
    numbers, weights = (np.concatenate(parts, axis=1) for parts in zip(*classes, strict=True))
    if study.weights is not None:
        weights = weights * np.append(study.weights, 0.0)[numbers]
    return SortedRows(numbers, weights, classes[0][0].shape[1])


def runs_of_zeros(weights: np.ndarray) -> list[tuple[int, slice]]:
    """(fold, neighbouring rows that do not count in it) of weights (G, r)."""
    edges = np.diff(weights == 0, axis=1, prepend=False, append=False)
    pairs = [np.flatnonzero(row).reshape(-1, 2) for row in edges]
    return [(fold, slice(*run)) for fold, own in enumerate(pairs) for run in own]


def _common(own: Sequence[np.ndarray], union: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How often each fold has each row; rows that the same folds leave out become neighbours."""
    times = np.zeros((len(own), len(union)))
    for fold, rows in enumerate(own):
        np.add.at(times[fold], np.searchsorted(union, rows), 1.0)
    order = np.lexsort(times)
    return union[None, order], times[:, order]


def _own(own: Sequence[np.ndarray], padding: int) -> tuple[np.ndarray, np.ndarray]:
    numbers = padded(own, padding)
    return numbers, (numbers != padding).astype(float)
