"""The one training loop: all models of a study at once, an event every few epochs.

    training = train(study)
    for event in training: ...        # pause by not asking, stop by leaving the loop
    training.parameters()             # what was trained so far
    train(study, state=checkpoint.save(training))     # goes on there, to the last bit

A lone model is a study with one model and goes through the same lines. The step itself is
`Block.step`; which models step together is decided in `blocks`, and has no influence on results.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anyloss_core.engine import checkpoint
from anyloss_core.engine.batches import Batch, Table
from anyloss_core.engine.blocks import Block, MiniBatches, class_weights, lay_out, mini_batches
from anyloss_core.engine.evaluation import Measured, count_hard, measure, row_chunks
from anyloss_core.engine.events import Event, counts_of
from anyloss_core.engine.linear.linear_pass import LinearPass
from anyloss_core.engine.models import Parameters
from anyloss_core.engine.stopping import EarlyStopping
from anyloss_core.engine.study import Study
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.outputs import probabilities


def train(
    study: Study,
    on_batch: Callable[[], None] | None = None,
    state: dict[str, Any] | None = None,
) -> Training:
    """Start training, or go on from a state; nothing is trained until an event is asked for.

    `on_batch` is called after every batch. What it raises ends the training and reaches the caller;
    all events until then have been told, and `parameters` holds every step that was made.
    """
    training = Training(study, on_batch or _nothing)
    if state is not None:
        checkpoint.restore(training, state)
    return training


class Training:
    """A training under way: an iterator of events that also holds what was trained so far."""

    def __init__(self, study: Study, on_batch: Callable[[], None]) -> None:
        self.study, self._on_batch = study, on_batch
        self.epoch = 0  # epochs done
        self.seconds = 0.0  # of training and measuring so far
        self.table = Table(study)
        self.groups = _groups(study, self.table)
        self.blocks = [block for group in self.groups for block in group.blocks]
        models = [model for block in self.blocks for row in block.models for model in row]
        order = torch.tensor(models).argsort().to(study.torch_device)  # from blocks to the study
        self._order = None if models == sorted(models) else order
        self._valid: dict[Block, list[Batch]] = {}
        sample = np.arange(0) if study.watch.sample is None else study.watch.sample
        self._sample = torch.as_tensor(sample, dtype=torch.long, device=study.torch_device)
        self._totals = {name: self._class_weights(name) for name in ("train", "valid")}
        stopping = study.stopping
        self._stopping = [EarlyStopping(stopping, study, b) for b in self.blocks if stopping]
        self._events = self._run()

    def __iter__(self) -> Training:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def _run(self) -> Generator[Event, None, None]:
        """The training loop."""
        epochs, watch = self.study.epochs, self.study.watch
        try:
            for epoch in range(self.epoch + 1, epochs + 1):
                watched = watch.wants(epoch, epochs)
                # `collapsed` compares the losses of an epoch with those of the one before.
                valued = watched or watch.judges(epoch + 1, epochs) or bool(self._stopping)
                with self._at_work():
                    for group in self.groups:
                        for _ in group.steps(epoch - 1, valued):  # each of all its models
                            self._on_batch()
                    self.epoch = epoch
                    hard = self._count_hard() if watched or self._stopping else []
                    ended = self._stop_early(hard)
                    if watched or ended:
                        found = self._evaluate(hard, ended or watch.judges(epoch, epochs))
                if watched or ended:
                    yield Event(epoch, epochs, self.seconds, **found)
                if ended:
                    return
        finally:
            for stopping in self._stopping:
                stopping.restore()

    def close(self) -> None:
        """Stop; what was trained so far stays available."""
        self._events.close()

    def parameters(self) -> Parameters:
        """A copy of the parameters of all models (M, ...); the best ones after early stopping."""
        parts = [block.stack.parameters().tensors for block in self.blocks]
        tensors = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
        if self._order is not None:
            tensors = {name: tensor[self._order] for name, tensor in tensors.items()}
        return Parameters(self.study.network, tensors)

    @torch.no_grad()
    def probabilities(self, name: str = "valid") -> list[np.ndarray]:
        """For each model P(positive) of its validation (or training) rows, in their order."""
        found: dict[int, np.ndarray] = {}
        for block in self.blocks:
            empty = block.cuts.new_empty(*block.size, 0)
            rows = self._rows(block, name)
            outputs = torch.cat([empty, *(block.stack.forward(batch.rows) for batch in rows)], -1)
            for fold, models in enumerate(block.models):
                length = len(getattr(block.folds[fold], name))
                for column, model in enumerate(models):
                    own = outputs[fold, column, :length]
                    found[model] = probabilities(block.specs[column], own).cpu().numpy()
        return [found[model] for model in range(len(found))]

    @torch.no_grad()
    def dead_share(self) -> Tensor:
        """(M,) of the training rows whose slope is exactly 0: they change nothing any more."""
        return self._dead(self._measure("train"))

    def model_seconds(self) -> list[float]:
        """The time of each model: its own part of the losses and an even share of the rest."""
        own: dict[int, float] = {}
        for block in self.blocks:
            for row in block.models:
                for model, seconds in zip(row, block.objective.seconds(), strict=True):
                    own[model] = seconds / len(block.models)
        shared = max(self.seconds - sum(own.values()), 0.0) / len(own)
        return [own[model] + shared for model in range(len(own))]

    def _count_hard(self, name: str = "valid") -> list[Tensor]:
        """TP and FP (G, K, 2) of every block on its validation or training rows."""
        return [count_hard(block, self._rows(block, name)) for block in self.blocks]

    def _stop_early(self, hard: Sequence[Tensor]) -> bool:
        """Let the models end that no longer improve; whether all have."""
        for stopping, found in zip(self._stopping, hard, strict=False):
            stopping.update(self.epoch, found)
        return bool(self._stopping) and all(s.best.all_stopped for s in self._stopping)

    def _evaluate(self, hard: Sequence[Tensor], judged: bool) -> dict[str, Any]:
        """Where the training is now, as an event tells it."""
        found: dict[str, Any] = {
            "losses": self._by_model([block.losses for block in self.blocks]),
            "valid_hard": counts_of(self._by_model(hard), self._totals["valid"]),
        }
        if self.study.watch.detail == "full":
            found |= self._details()
        elif judged:
            trained = self._by_model(self._count_hard("train"))
            found["train_hard"] = counts_of(trained, self._totals["train"])
        if judged:
            before = [block.losses_before for block in self.blocks]
            finite = [block.stack.finite() for block in self.blocks]
            found |= {"losses_before": self._by_model(before), "finite": self._by_model(finite)}
        if self.study.watch.keeps(self.epoch, self.study.epochs):
            found["parameters"] = self.parameters()
        if self._stopping:
            found["stopped"] = self._by_model([own.best.stopped for own in self._stopping])
        return found

    def _details(self) -> dict[str, Any]:
        """What a full event holds beyond losses and hard validation counts."""
        on_train, on_valid = self._measure("train"), self._measure("valid")
        return {
            "train_hard": self._counts(on_train, "hard", "train"),
            "train_soft": self._counts(on_train, "soft", "train"),
            "valid_soft": self._counts(on_valid, "soft", "valid"),
            "gradient_norms": self._by_model([block.gradient_norms for block in self.blocks]),
            "dead_share": self._dead(on_train),
            "sample_p": self._by_model([found.sample_p for found in on_train]),
            "sample_soft": self._by_model([found.sample_soft for found in on_train]),
        }

    def _measure(self, name: str) -> list[Measured]:
        sample = self._sample if name == "train" else self._sample[:0]
        return [measure(block, self._rows(block, name), sample) for block in self.blocks]

    def _counts(self, measured: Sequence[Measured], kind: str, name: str) -> Counts[Tensor]:
        sums = self._by_model([getattr(found, kind) for found in measured])
        return counts_of(sums, self._totals[name])

    def _dead(self, on_train: Sequence[Measured]) -> Tensor:
        dead = self._by_model([measured.dead for measured in on_train]).sum(-1)
        return dead / self._totals["train"].sum(-1).clamp(min=torch.finfo(dead.dtype).tiny)

    def _by_model(self, parts: Sequence[Tensor]) -> Tensor:
        """(G, K, ...) of every block -> (M, ...) in the order of the study."""
        merged = torch.cat([part.flatten(0, 1) for part in parts])
        return merged if self._order is None else merged.index_select(0, self._order)

    def _rows(self, block: Block, name: str) -> Iterable[Batch]:
        """The training or validation rows; those of validation are kept from event to event."""
        if name == "valid" and block in self._valid:
            return self._valid[block]
        index = self.table.index([getattr(rows, name) for rows in block.folds])
        rows = row_chunks(block.stack, self.table, index)
        return rows if name == "train" else self._valid.setdefault(block, list(rows))

    def _class_weights(self, name: str) -> Tensor:
        folds = class_weights(self.study, self.study.rows, name)
        weights = folds[[model.rows for model in self.study.models]]
        return torch.from_numpy(weights).to(self.table.cells)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Time that counts, and no gradients by autograd."""
        started = time.perf_counter()
        try:
            with torch.no_grad():
                yield
        finally:
            self.seconds += time.perf_counter() - started


def _nothing() -> None:
    """Between two batches, unless the caller wants something."""


def _groups(study: Study, table: Table) -> list[MiniBatches | LinearPass]:
    """SLPs on all rows take the pass made for them, everything else goes batch by batch."""
    groups: list[MiniBatches | LinearPass] = []
    for size, models in lay_out(study):
        if size is None and not study.network.hidden:
            groups.append(LinearPass(study, table, models))
        else:
            groups.extend(mini_batches(study, table, models, size))
    return groups
