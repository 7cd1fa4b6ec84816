"""The one training loop: all models of a study at once, an event every few epochs.

    training = train(study)
    for event in training: ...        # pause by not asking, stop by leaving the loop
    training.parameters()             # what was trained so far

A lone model is a study with one model and goes through the same lines. The step itself is
`Block.step`; which models step together is decided in `blocks`, and has no influence on results.
Epochs are judged a few at a time (see `notes`); to whoever follows the events the training is where
the last one was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np
import torch
from torch import Tensor

from anyloss_core.batches import Batch, Table, padded_index
from anyloss_core.blocks import Block, MiniBatches, class_weights, lay_out, mini_batches
from anyloss_core.evaluation import Measured, measure, pieces
from anyloss_core.events import Event, Judged, counts_of, merged
from anyloss_core.linear import LinearPass
from anyloss_core.models import Parameters
from anyloss_core.notes import Notes
from anyloss_core.outputs import probabilities
from anyloss_core.stopping import Keeper
from anyloss_core.study import Study


def train(study: Study, on_batch: Callable[[], None] | None = None) -> Training:
    """Start training; nothing is trained until the first event is asked for.

    `on_batch` is called after every batch; what it raises ends the training and reaches the
    caller, after the events that were still to be told. What was trained so far can be had.
    """
    return Training(study, on_batch or _nothing)


class Training:
    """A training under way: an iterator of events that also holds what was trained so far."""

    def __init__(self, study: Study, on_batch: Callable[[], None]) -> None:
        self.study, self._on_batch = study, on_batch
        self._epoch, self._seconds = 0, 0.0  # trained so far
        self.table = Table(study)
        self.groups = _groups(study, self.table)
        self.blocks = [block for group in self.groups for block in group.blocks]
        places = [place for block in self.blocks for row in block.places for place in row]
        order = torch.tensor(places).argsort().to(study.place)  # from blocks to the study
        self._order = None if places == sorted(places) else order
        self._keepers = [Keeper(study, block) for block in self.blocks if study.stopping]
        self._notes = Notes(study, self.table, self.blocks)
        self._told: int | None = None  # place of the last event among the notes
        self._broken = False  # an epoch was begun after the last note
        self._judged: Judged | None = None  # the last events told
        self._totals = {name: self._class_weights(name) for name in ("train", "valid")}
        self._events = self._run()

    def __iter__(self) -> Training:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    @property
    def epoch(self) -> int:
        """Epochs done."""
        return self._notes.written[self._told][0] if self._ahead() else self._epoch

    @property
    def seconds(self) -> float:
        """Of training and measuring so far."""
        return self._notes.written[self._told][1] if self._ahead() else self._seconds

    def close(self) -> None:
        """Stop; what was trained so far stays available."""
        self._events.close()

    def parameters(self) -> Parameters:
        """A copy of the parameters of all models (M, ...); the best ones after early stopping."""
        with self._as_told():
            return merged([block.stack.parameters() for block in self.blocks], self._order)

    @torch.no_grad()
    def probabilities(self) -> list[np.ndarray]:
        """For each model P(positive) of its validation rows, in their order."""
        found: dict[int, np.ndarray] = {}
        with self._as_told():
            for block in self.blocks:
                empty = block.cuts.new_empty(*block.size, 0)
                rows = self._rows_of(block, "valid")
                outputs = torch.cat([empty, *(block.stack.forward(b.rows) for b in rows)], -1)
                for fold, places in enumerate(block.places):
                    length = len(block.folds[fold].valid)
                    for column, place in enumerate(places):
                        own = outputs[fold, column, :length]
                        found[place] = probabilities(block.specs[column], own).cpu().numpy()
        return [found[place] for place in range(len(found))]

    @torch.no_grad()
    def dead_share(self) -> Tensor:
        """(M,) of the training rows whose slope is exactly 0: they pull at nothing any more."""
        with self._as_told():
            return self._dead([measure(b, self._rows_of(b, "train")) for b in self.blocks])

    def model_seconds(self) -> list[float]:
        """The time of each model: its own part of the losses and an even share of the rest."""
        own: dict[int, float] = {}
        for block in self.blocks:
            for row in block.places:
                for place, seconds in zip(row, block.objective.seconds(), strict=True):
                    own[place] = seconds / len(block.places)
        shared = max(self._seconds - sum(own.values()), 0.0) / len(own)
        return [own[place] + shared for place in range(len(own))]

    def _run(self) -> Iterator[Event]:
        try:
            while not self._over():
                try:
                    self._advance()
                except BaseException:  # most likely a stop: what is known is told first
                    self._broken = True
                    yield from self._tell()
                    raise
                if self._notes.full or self._over():
                    yield from self._tell()
        finally:
            self._go_back()
            for keeper in self._keepers:
                keeper.restore()

    @torch.no_grad()
    def _advance(self) -> None:
        """One epoch of all models, noted if it is to be told."""
        started = time.perf_counter()
        watched = self._watched(self._epoch + 1)
        for group in self.groups:
            group.epoch(self._epoch, watched or bool(self._keepers), self._on_batch)
        self._epoch += 1
        if watched or self._keepers:
            self._notes.write(self._epoch, self._seconds + time.perf_counter() - started)
        if self._keepers:
            for keeper, found in zip(self._keepers, self._notes.hard(), strict=True):
                keeper.look(self._epoch, found[0])
            if not watched and not self._stopped():
                self._notes.forget()
        self._seconds += time.perf_counter() - started

    def _tell(self) -> Iterator[Event]:
        """The events of all epochs noted."""
        if not self._notes.written:
            return
        self._judged, extra = self._judge()
        for place, (epoch, seconds) in enumerate(self._notes.written):
            self._told = place
            stopped = [keeper.stopped for keeper in self._keepers]
            yield Event(
                epoch,
                seconds,
                self._judged,
                place,
                parameters=self.parameters() if self._kept(epoch) else None,
                stopped=self._by_model(stopped) if stopped else None,
                **extra,
            )
        self._told = None
        self._notes.turn()

    @torch.no_grad()
    def _judge(self) -> tuple[Judged, dict]:
        """What all events of a page have in common, and what else the only one of it holds."""
        started = time.perf_counter()
        counts = counts_of(self._by_model(self._notes.hard(), 1), self._totals["valid"])
        follows = self._judged is not None
        before = self._judged.last_losses if follows else None
        losses = self._notes.losses(with_last=follows and before is None)
        finite = self._by_model(self._notes.finite(), 1)
        judged = Judged(counts, finite, partial(_work_out, losses, self._order), before, follows)
        extra = self._details() if self.study.watch.detail == "full" else {}
        self._seconds += time.perf_counter() - started
        return judged, extra

    @contextmanager
    def _as_told(self) -> Iterator[None]:
        """All models as they were at the last event, if the training is ahead of it."""
        ahead = self._ahead()
        now = self._recall() if ahead else []
        try:
            yield
        finally:
            for page, tensors in zip(self._notes.pages if ahead else (), now, strict=True):
                page.restore(tensors)

    def _recall(self) -> list[list[Tensor]]:
        """Put all models back to the last event; what they were until now is returned."""
        for block in self.blocks:
            block.objective.begin(self.epoch - 1)  # its L, its warm-up; an epoch begins anew
        return [page.recall(self._told) for page in self._notes.pages]

    def _go_back(self) -> None:
        """Forget the epochs after the last event."""
        if self._ahead():
            self._recall()
            self._epoch, self._seconds = self._notes.written[self._told]
            self._told = None

    def _ahead(self) -> bool:
        if self._told is None:
            return False
        return self._broken or self._told + 1 < len(self._notes.written)

    def _details(self) -> dict:
        """What a full event holds beyond losses and hard validation counts."""
        on_train = [measure(block, self._rows_of(block, "train")) for block in self.blocks]
        on_valid = [measure(block, self._rows_of(block, "valid")) for block in self.blocks]
        train, valid = self._totals["train"], self._totals["valid"]
        return {
            "train_hard": counts_of(self._by_model([m.hard for m in on_train]), train),
            "train_soft": counts_of(self._by_model([m.soft for m in on_train]), train),
            "valid_soft": counts_of(self._by_model([m.soft for m in on_valid]), valid),
            "gradient_norms": self._by_model([block.norms for block in self.blocks]),
            "dead_share": self._dead(on_train),
        }

    def _dead(self, on_train: Sequence[Measured]) -> Tensor:
        dead = self._by_model([measured.dead for measured in on_train]).sum(-1)
        return dead / self._totals["train"].sum(-1).clamp(min=torch.finfo(dead.dtype).tiny)

    def _by_model(self, parts: Sequence[Tensor], axis: int = 0) -> Tensor:
        """(G, K) of every block, from an axis on -> (M,) in the order of the study."""
        return _merge(parts, self._order, axis)

    def _rows_of(self, block: Block, name: str) -> Iterator[Batch]:
        index = padded_index([getattr(rows, name) for rows in block.folds], self.table)
        return pieces(block.stack, self.table, index)

    def _class_weights(self, name: str) -> Tensor:
        folds = class_weights(self.study, self.study.rows, name)
        weights = folds[[model.rows for model in self.study.models]]
        return torch.from_numpy(weights).to(self.table.cells)

    def _watched(self, epoch: int) -> bool:
        watch = self.study.watch
        return epoch % watch.every == 0 or epoch in (1, self.study.epochs) or self._kept(epoch)

    def _kept(self, epoch: int) -> bool:
        spacing = self.study.watch.snapshots
        return bool(spacing) and (epoch % spacing == 0 or epoch in (1, self.study.epochs))

    def _over(self) -> bool:
        return self._epoch >= self.study.epochs or self._stopped()

    def _stopped(self) -> bool:
        return bool(self._keepers) and all(keeper.all_stopped for keeper in self._keepers)


def _merge(parts: Sequence[Tensor], order: Tensor | None, axis: int) -> Tensor:
    merged = torch.cat([part.flatten(axis, axis + 1) for part in parts], axis)
    return merged if order is None else merged.index_select(axis, order)


def _work_out(losses: Sequence[Callable[[], Tensor]], order: Tensor | None) -> Tensor:
    """Losses (E, M) from those of every block; an event holds on to no more than they need."""
    return _merge([work_out() for work_out in losses], order, 1)


def _nothing() -> None:
    """Between two batches, unless the caller wants something."""


def _groups(study: Study, table: Table) -> list[MiniBatches | LinearPass]:
    """SLPs on all rows take the pass made for them, everything else goes batch by batch."""
    groups: list[MiniBatches | LinearPass] = []
    for size, places in lay_out(study):
        if size is None and not study.network.hidden:
            groups.append(LinearPass(study, table, places))
        else:
            groups.extend(mini_batches(study, table, size, places))
    return groups
