"""Early stopping: each model for itself, on a validation score; its best parameters are kept."""

from collections.abc import Mapping

import torch
from torch import Tensor

from anyloss_core.engine.blocks import Block, class_weights
from anyloss_core.engine.events import counts_of
from anyloss_core.engine.study import Stopping, Study
from anyloss_core.losses.scores import get_score


class Best:
    """The best epoch of each model, and which models no longer improve."""

    def __init__(self, stopping: Stopping, scores: Tensor, state: Mapping[str, Tensor]) -> None:
        """`scores` has the shape of those to come, one per model; `state` is copied."""
        self.stopping = stopping
        self.scores = torch.full_like(scores, -torch.inf)
        self.epochs = torch.zeros_like(scores)
        self.stopped = torch.zeros_like(scores)  # the epoch of the end, or 0
        self.state = {name: tensor.detach().clone() for name, tensor in state.items()}

    @property
    def all_stopped(self) -> bool:
        return bool((self.stopped > 0).all())

    @torch.no_grad()
    def update(self, epoch: int, scores: Tensor, state: Mapping[str, Tensor]) -> bool:
        """Keep what is better than before; whether some models end with this epoch."""
        running = self.stopped == 0
        better = running & (scores > self.scores + self.stopping.rise)
        self.scores = torch.where(better, scores, self.scores)
        self.epochs.masked_fill_(better, epoch)
        for name, tensor in state.items():
            mask = better.view(*better.shape, *[1] * (tensor.ndim - better.ndim))
            self.state[name] = torch.where(mask, tensor, self.state[name])
        ends = running & (epoch - self.epochs >= self.stopping.patience)
        self.stopped.masked_fill_(ends, epoch)
        return bool(ends.any())


class EarlyStopping:
    """Follows the models of a block; one that no longer improves gets the learning rate 0."""

    def __init__(self, stopping: Stopping, study: Study, block: Block) -> None:
        self.block, self.score = block, get_score(stopping.metric)
        totals = class_weights(study, block.folds, "valid")[:, None]  # (G, 1, 2)
        self.totals = torch.from_numpy(totals).to(block.rates)
        self.best = Best(stopping, block.rates, block.stack.state)  # (G, K)

    def update(self, epoch: int, sums: Tensor) -> None:
        """Take account of (TP, FP) (G, K, 2) on the validation rows after `epoch`."""
        scores = self.score(counts_of(sums, self.totals.expand_as(sums)))
        if self.best.update(epoch, scores, self.block.stack.state):
            rates = self.block.rates.masked_fill(self.best.stopped > 0, 0.0)
            self.block.updater.set_rates(rates)

    def restore(self) -> None:
        """Put every model back to its best epoch."""
        if bool((self.best.epochs > 0).any()):
            for name, tensor in self.block.stack.state.items():
                tensor.copy_(self.best.state[name])
