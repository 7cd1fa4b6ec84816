"""Blocks of a study: models that take their steps together.

Models with equally many rows in a batch, the same schedule and the same losses form a dense block
of G folds x K losses. `Block.step` is the training step of the whole engine: forward, gradient,
backward, update. How models are sorted into blocks has no influence on their results.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from anyloss_core.engine.batches import Batch, Batches, Table, class_sums, steps_per_epoch
from anyloss_core.engine.objective import Objective, order_losses
from anyloss_core.engine.optimisers import Updater
from anyloss_core.engine.stack import FoldSpan, Stack, folds_of
from anyloss_core.engine.study import Rows, Study, as_tensor
from anyloss_core.losses.losses import even_weight
from anyloss_core.losses.outputs import cut
from anyloss_core.losses.spelling import LossSpec

# Numbers a block works on at once. Far beyond this, temporary tensors fall out of the
# second-level cache; far below, the overhead of each operation counts.
CACHED = 1 << 16

Models = list[list[int]]  # [g][k]: the index of a model in the study


class Block:
    """G folds x K losses that share their batches."""

    def __init__(self, study: Study, table: Table, models: Models) -> None:
        self.models = models
        self.folds = [study.rows[study.models[row[0]].rows] for row in models]
        self.specs = [study.models[model].loss for model in models[0]]
        self.size = (len(models), len(self.specs))
        dtype, device = study.precision, study.torch_device
        self.stack = Stack(study.network, table.features, self.size, dtype, device)
        if study.start is None:
            columns = [rows.columns or table.features for rows in self.folds]
            self.stack.start([rows.seed for rows in self.folds], columns)
        else:
            self.stack.load(study.start.pick([model for row in models for model in row]))
        rates = [[study.models[model].lr for model in row] for row in models]
        self.rates = torch.tensor(rates, dtype=dtype, device=device)
        recipe, longest = study.models[models[0][0]], len(self.folds[-1].train)
        total = study.epochs * steps_per_epoch(longest, recipe.batch, study.drop_last)
        self.updater = Updater(study.optimiser, self.stack, self.rates, recipe.schedule, total)
        balance = as_tensor(_balance(study, self.folds, self.specs), dtype, device)
        self.objective = Objective(self.specs, balance, study.epochs)
        cuts = [cut(spec) for spec in self.specs]
        self.cuts = torch.tensor(cuts, dtype=dtype, device=device)[:, None]
        self.losses = torch.full_like(self.rates, torch.nan)  # of this epoch, if they are wanted
        self.losses_before = self.losses.clone()  # of the epoch before
        self.gradient_norms = torch.zeros_like(self.rates)  # if the study asks for them
        self._detailed = study.watch.detail == "full"

    def begin(self, epoch: int) -> None:
        """Set up epoch `epoch` (from 0)."""
        self.objective.begin(epoch)
        self.losses, self.losses_before = self.losses_before, self.losses
        self.losses.zero_()

    def step(self, batch: Batch, valued: bool) -> None:
        """One step of gradient descent on every model, from the rows of its fold in the batch."""
        objective = self.objective
        buffers = objective.buffers(*batch.rows.shape[:2])
        self.stack.forward(batch.rows, batch.part, training=True, out=buffers.outputs)
        soft = objective.soften(buffers, batch.labels, valued, batch.part)  # (G, K, B)
        sums = class_sums(soft, batch.classes)
        losses, class_gradients = objective.class_gradients(sums, batch.totals, batch.part)
        # (G, K, 2) @ (G, 2, B): the gradient of each row's class, then d loss/d logits
        torch.bmm(class_gradients, batch.classes, out=buffers.outputs)
        self.stack.backward(objective.chain(buffers), batch.part)
        self.update(valued, batch.part, batch.last)
        if valued:
            self.losses[folds_of(batch.part)].add_(losses, alpha=batch.rows.shape[1])

    def update(self, valued: bool, part: FoldSpan = None, last: bool = True) -> None:
        """Move the models; weight decay and clipping change their gradients in place."""
        if valued and self._detailed:
            self.gradient_norms = self.stack.gradient_norms()
        self.updater.step(part, last)


class MiniBatches:
    """Blocks that are trained on the same batches."""

    def __init__(self, batches: Batches, blocks: list[Block]) -> None:
        self.batches, self.blocks, self.orders = batches, blocks, batches.orders
        seen = [min(length, batches.steps * batches.size) for length in batches.lengths]
        self.seen = torch.tensor(seen)[:, None]

    def steps(self, epoch: int, valued: bool) -> Iterator[None]:
        """All steps of an epoch (from 0), one at a time; losses are means over its rows."""
        for block in self.blocks:
            block.begin(epoch)
        for batch in self.batches:
            for block in self.blocks:
                block.step(batch, valued)
            yield
        for block in self.blocks:
            block.losses.div_(self.seen.to(block.losses.device))


def lay_out(study: Study) -> list[tuple[int | None, Models]]:
    """Sort the models into blocks: (rows in a batch, models[g][k])."""
    of_fold: dict[tuple[int, int | None, str], list[int]] = defaultdict(list)
    for index, model in enumerate(study.models):
        length = len(study.rows[model.rows].train)
        size = None if model.batch is None or model.batch >= length else model.batch
        of_fold[model.rows, size, model.schedule].append(index)
    alike: dict[tuple[int | None, int, str, tuple[str, ...]], Models] = defaultdict(list)
    for (fold, size, schedule), own in of_fold.items():
        specs = [study.models[index].loss for index in own]
        own = [own[position] for position in order_losses(specs)]
        steps = steps_per_epoch(len(study.rows[fold].train), size, study.drop_last)
        losses = tuple(repr(study.models[index].loss) for index in own)
        alike[size, steps, schedule, losses].append(own)
    for models in alike.values():
        models.sort(key=lambda row: len(study.rows[study.models[row[0]].rows].train))
    return [(size, models) for (size, *_), models in alike.items()]


def mini_batches(
    study: Study, table: Table, models: Models, size: int | None
) -> Iterator[MiniBatches]:
    """Groups small enough for the cache: fewer folds together, then fewer losses."""
    folds = [study.rows[study.models[row[0]].rows] for row in models]
    width = max(study.network.hidden, default=1) * (size or len(folds[-1].train))
    losses = len(models[0])
    many = max(1, CACHED // (width * losses))  # folds at once
    few = max(1, min(losses, CACHED // width))  # losses at once
    for start in range(0, len(folds), many):
        chosen = models[start : start + many]
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
    """(G, K): what a positive row weighs in a mean; weighted BCE and Lee even the classes out."""
    even = even_weight(*torch.from_numpy(class_weights(study, folds)).unbind(-1)).numpy()
    balance = np.ones((len(folds), len(specs)))
    for column, spec in enumerate(specs):
        if spec.family in ("weighted_bce", "lee"):
            evened = even ** spec.options.get("power", 1.0)
            balance[:, column] = spec.options.get("pos_weight", evened)
    return balance
