"""Early stopping: each model for itself, on a validation score; its best parameters are kept."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from anyloss_core.batches import Batch
from anyloss_core.blocks import Block
from anyloss_core.events import counts_of
from anyloss_core.scores import get_score
from anyloss_core.study import Stopping


class Keeper:
    """Watches the models of a block; a model that no longer rises gets the learning rate 0."""

    def __init__(self, stopping: Stopping, block: Block) -> None:
        self.stopping, self.block = stopping, block
        self.score = get_score(stopping.metric)
        self.highest = torch.full_like(block.losses, -torch.inf)  # (G, K)
        self.risen = torch.zeros_like(block.losses)  # the epoch of the last rise
        self.stopped = torch.zeros_like(block.losses)  # the epoch of the end, or 0
        self._best = {name: tensor.clone() for name, tensor in self._tensors().items()}

    @property
    def all_stopped(self) -> bool:
        return bool((self.stopped > 0).all())

    def look(self, epoch: int, sums: Tensor, rows: Sequence[Batch]) -> None:
        """Take note of the validation counts (G, K, 2) after `epoch`."""
        totals = torch.stack([batch.totals for batch in rows]).sum(0)  # (G, 2)
        scores = self.score(counts_of(sums, totals[:, None].expand_as(sums)))
        running = self.stopped == 0
        rises = running & (scores > self.highest + self.stopping.rise)
        self.highest = torch.where(rises, scores, self.highest)
        self.risen.masked_fill_(rises, epoch)
        for name, tensor in self._tensors().items():
            mask = rises.view(*rises.shape, *[1] * (tensor.ndim - 2))
            self._best[name] = torch.where(mask, tensor, self._best[name])
        ends = running & (epoch - self.risen >= self.stopping.patience)
        if ends.any():
            self.stopped.masked_fill_(ends, epoch)
            self.block.updater.set_rates(self.block.rates.masked_fill(self.stopped > 0, 0.0))

    def restore(self) -> None:
        """Put every model back to its best epoch."""
        if bool((self.risen > 0).any()):
            for name, tensor in self._tensors().items():
                tensor.copy_(self._best[name])

    def _tensors(self) -> dict[str, Tensor]:
        return {**self.block.stack.named, **self.block.stack.running}
