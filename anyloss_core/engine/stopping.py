"""Early stopping: each model for itself, on a validation score; its best parameters are kept."""

from __future__ import annotations

import torch
from torch import Tensor

from anyloss_core.blocks import Block, class_weights
from anyloss_core.events import counts_of
from anyloss_core.scores import get_score
from anyloss_core.study import Study


class Keeper:
    """Watches the models of a block; a model that no longer rises gets the learning rate 0."""

    def __init__(self, study: Study, block: Block) -> None:
        self.stopping, self.block = study.stopping, block
        self.score = get_score(study.stopping.metric)
        totals = class_weights(study, block.folds, "valid")[:, None]  # (G, 1, 2)
        self.totals = torch.from_numpy(totals).to(block.losses)
        self.highest = torch.full_like(block.losses, -torch.inf)  # (G, K)
        self.risen = torch.zeros_like(block.losses)  # the epoch of the last rise
        self.stopped = torch.zeros_like(block.losses)  # the epoch of the end, or 0
        self._best = {name: tensor.clone() for name, tensor in block.stack.state.items()}

    @property
    def all_stopped(self) -> bool:
        return bool((self.stopped > 0).all())

    def look(self, epoch: int, sums: Tensor) -> None:
        """Take note of (TP, FP) (G, K, 2) on the validation rows after `epoch`."""
        scores = self.score(counts_of(sums, self.totals.expand_as(sums)))
        running = self.stopped == 0
        rises = running & (scores > self.highest + self.stopping.rise)
        self.highest = torch.where(rises, scores, self.highest)
        self.risen.masked_fill_(rises, epoch)
        for name, tensor in self.block.stack.state.items():
            mask = rises.view(*rises.shape, *[1] * (tensor.ndim - 2))
            self._best[name] = torch.where(mask, tensor, self._best[name])
        ends = running & (epoch - self.risen >= self.stopping.patience)
        if ends.any():
            self.stopped.masked_fill_(ends, epoch)
            self.block.updater.set_rates(self.block.rates.masked_fill(self.stopped > 0, 0.0))

    def restore(self) -> None:
        """Put every model back to its best epoch."""
        if bool((self.risen > 0).any()):
            for name, tensor in self.block.stack.state.items():
                tensor.copy_(self._best[name])
