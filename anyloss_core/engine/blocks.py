"""Blocks of a study: models that take their steps together.

Models with equally many rows in a batch and the same losses form a dense block of G folds x K
losses. `Block.step` is the training step of the whole engine: forward, pull, backward, update.
How models are sorted into blocks has no influence on their results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from anyloss_core.batches import Batch, Batches, Table, class_sums, steps_per_epoch
from anyloss_core.objective import Objective, order_losses
from anyloss_core.optimisers import Updater
from anyloss_core.outputs import cut
from anyloss_core.spelling import LossSpec
from anyloss_core.stack import Part, Stack, folds_of
from anyloss_core.study import Rows, Study, as_tensor

# Numbers a block works on at once. Far beyond this, temporary tensors fall out of the
# second-level cache; far below, the overhead of each operation counts.
CACHED = 1 << 16

Places = Sequence[Sequence[int]]  # [g][k]: the number of a model in the study


class LateLosses(Protocol):
    """The first k losses, if they need not be worked out in the epoch they belong to."""

    noted: Tensor  # (G, k, ...): what they depend on

    def losses(self, noted: Tensor) -> Tensor:
        """(E, G, k) from what was noted in E epochs (E, G, k, ...)."""


class Block:
    """G folds x K losses that share their batches."""

    def __init__(self, study: Study, table: Table, places: Places) -> None:
        self.places = places
        self.folds = [study.rows[study.models[row[0]].rows] for row in places]
        self.specs = [study.models[place].loss for place in places[0]]
        self.size = (len(places), len(self.specs))
        dtype, device = study.precision, study.place
        self.stack = Stack(study.network, table.features, self.size, dtype, device)
        if study.start is None:
            columns = [rows.columns or table.features for rows in self.folds]
            self.stack.start([rows.seed for rows in self.folds], columns)
        else:
            self.stack.go_on(study.start.pick([place for row in places for place in row]))
        rates = [[study.models[place].lr for place in row] for row in places]
        self.rates = torch.tensor(rates, dtype=dtype, device=device)
        self.updater = Updater(study.optimiser, self.stack, self.rates)
        balance = as_tensor(_balance(study, self.folds, self.specs), dtype, device)
        self.objective = Objective(self.specs, balance, study.epochs)
        cuts = [cut(spec) for spec in self.specs]
        self.cuts = torch.tensor(cuts, dtype=dtype, device=device)[:, None]
        self.losses = torch.zeros(self.size, dtype=dtype, device=device)  # but for late ones
        self.late: LateLosses | None = None
        self.norms = torch.zeros_like(self.losses)  # of gradients, if the study asks for them
        self._detailed = study.watch.detail == "full"

    def step(self, batch: Batch, valued: bool) -> None:
        """One step of gradient descent on every model, from the rows of its fold in the batch."""
        work = self.objective.workspace(*batch.rows.shape[:2])
        self.stack.forward(batch.rows, batch.part, training=True, out=work.logits)  # (G, K, B)
        self.objective.run(work, batch.labels, valued)
        sums = class_sums(work.soft, batch.classes)
        losses, pulls = self.objective.weigh(sums, batch.totals, batch.part)
        # (G, K, 2) @ (G, 2, B): the pull of each row's class, then d loss/d logits
        pull = torch.bmm(pulls, batch.classes).mul_(work.slope)
        self.stack.backward(pull, batch.part)
        self.update(valued, batch.part, batch.last)
        if valued:
            self.losses[folds_of(batch.part)].add_(losses, alpha=batch.rows.shape[1])

    def update(self, valued: bool, part: Part = None, last: bool = True) -> None:
        """Move the models; weight decay and clipping change their gradients in place."""
        if valued and self._detailed:
            self.norms = self.stack.slope_norms()
        self.updater.step(part, last)


class MiniBatches:
    """Blocks that are trained on the same batches."""

    def __init__(self, batches: Batches, blocks: list[Block]) -> None:
        self.batches, self.blocks = batches, blocks
        seen = [min(length, batches.steps * batches.size) for length in batches.lengths]
        self.seen = torch.tensor(seen)[:, None]

    def epoch(self, number: int, valued: bool, on_batch: Callable[[], None]) -> None:
        """All steps of an epoch; losses are then means over its rows."""
        for block in self.blocks:
            block.objective.begin(number)
            block.losses.zero_()
        for batch in self.batches:
            for block in self.blocks:
                block.step(batch, valued)
            on_batch()
        for block in self.blocks:
            block.losses.div_(self.seen.to(block.losses.device))


def lay_out(study: Study) -> list[tuple[int | None, list[list[int]]]]:
    """Sort the models into blocks: (rows in a batch, places[g][k])."""
    of_fold: dict[tuple[int, int | None], list[int]] = defaultdict(list)
    for place, model in enumerate(study.models):
        length = len(study.rows[model.rows].train)
        size = None if model.batch is None or model.batch >= length else model.batch
        of_fold[model.rows, size].append(place)
    alike: dict[object, list[list[int]]] = defaultdict(list)
    for (fold, size), places in of_fold.items():
        specs = [study.models[place].loss for place in places]
        places = [places[index] for index in order_losses(specs)]
        steps = steps_per_epoch(len(study.rows[fold].train), size, study.drop_last)
        alike[size, steps, tuple(repr(study.models[p].loss) for p in places)].append(places)
    layout = []
    for (size, *_), places in alike.items():
        places.sort(key=lambda row: len(study.rows[study.models[row[0]].rows].train))
        layout.append((size, places))
    return layout


def mini_batches(
    study: Study, table: Table, size: int | None, places: list[list[int]]
) -> Iterator[MiniBatches]:
    """Groups small enough for the cache: fewer folds together, then fewer losses."""
    folds = [study.rows[study.models[row[0]].rows] for row in places]
    width = max(study.network.hidden, default=1) * (size or len(folds[-1].train))
    losses = len(places[0])
    many = max(1, CACHED // (width * losses))  # folds at once
    few = max(1, min(losses, CACHED // width))  # losses at once
    for start in range(0, len(folds), many):
        chosen = places[start : start + many]
        blocks = [
            Block(study, table, [row[first : first + few] for row in chosen])
            for first in range(0, losses, few)
        ]
        yield MiniBatches(Batches(study, table, folds[start : start + many], size), blocks)


def class_weights(study: Study, folds: Sequence[Rows], name: str = "train") -> np.ndarray:
    """(G, 2): the weight of the positive and of the negative rows of each fold."""
    labels = np.asarray(study.labels, dtype=np.float64)
    weights = np.ones(len(labels)) if study.weights is None else np.asarray(study.weights)
    classes = (labels * weights, (1 - labels) * weights)
    chosen = [np.asarray(getattr(rows, name), dtype=np.intp) for rows in folds]
    return np.array([[part.take(rows).sum() for part in classes] for rows in chosen])


def _balance(study: Study, folds: Sequence[Rows], specs: Sequence[LossSpec]) -> np.ndarray:
    """(G, K): what a positive row weighs in a mean; weighted BCE evens the classes out."""
    positives, negatives = class_weights(study, folds).T
    even = np.divide(negatives, positives, where=positives > 0, out=np.ones(len(folds)))
    even[negatives == 0] = 1.0
    balance = np.ones((len(folds), len(specs)))
    for column, spec in enumerate(specs):
        if spec.family == "weighted_bce":
            balance[:, column] = spec.options.get("pos_weight", even)
    return balance
