"""Early stopping: each model for itself, on a validation score; its best parameters are kept.

A warm-up with BCE is not looked at: it would end the training before the loss itself has begun.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from anyloss_core.engine.blocks import Block, class_weights
from anyloss_core.engine.events import counts_of
from anyloss_core.engine.study import Stopping, Study
from anyloss_core.losses.scores import get_score


class Best:
    """The best epoch of each model, and which models no longer improve."""

    def __init__(self, stopping: Stopping, warm_ups: Tensor, state: Mapping[str, Tensor]) -> None:
        """`warm_ups` are epochs of each model that are not looked at; `state` is copied."""
        self.stopping, self.warm_ups = stopping, warm_ups
        self.scores = torch.full_like(warm_ups, -torch.inf)
        self.epochs = torch.zeros_like(warm_ups)  # the best one, or 0
        self.stopped = torch.zeros_like(warm_ups)  # the epoch of the end, or 0
        self.state = {name: tensor.detach().clone() for name, tensor in state.items()}

    @property
    def all_stopped(self) -> bool:
        return bool((self.stopped > 0).all())

    @torch.no_grad()
    def update(self, epoch: int, scores: Tensor, state: Mapping[str, Tensor]) -> bool:
        """Keep what is better than before; whether some models end with this epoch."""
        running = (self.stopped == 0) & (epoch > self.warm_ups)
        better = running & (scores > self.scores + self.stopping.rise)
        self.scores = torch.where(better, scores, self.scores)
        self.epochs.masked_fill_(better, epoch)
        self.state = _chosen(better, state, self.state)
        since = self.epochs.maximum(self.warm_ups)
        ends = running & (epoch - since >= self.stopping.patience)
        self.stopped.masked_fill_(ends, epoch)
        return bool(ends.any())

    def kept(self, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The best state of each model, or `state` where none was looked at."""
        return _chosen(self.epochs > 0, self.state, state)


class EarlyStopping:
    """Follows the models of a block; one that no longer improves gets the learning rate 0."""

    def __init__(self, stopping: Stopping, study: Study, block: Block) -> None:
        self.block, self.score = block, get_score(stopping.metric)
        totals = class_weights(study, block.folds, "valid")[:, None]  # (G, 1, 2)
        self.totals = torch.from_numpy(totals).to(block.rates)
        warm_ups = [spec.warm_up_epochs(study.epochs) for spec in block.specs]
        shaped = block.rates.new_tensor(warm_ups).expand_as(block.rates)  # (G, K)
        self.best = Best(stopping, shaped, block.stack.state)

    def update(self, epoch: int, sums: Tensor) -> None:
        """Take account of (TP, FP) (G, K, 2) on the validation rows after `epoch`."""
        scores = self.score(counts_of(sums, self.totals.expand_as(sums)))
        if self.best.update(epoch, scores, self.block.stack.state):
            rates = self.block.rates.masked_fill(self.best.stopped > 0, 0.0)
            self.block.updater.set_rates(rates)

    def restore(self) -> None:
        """Put every model back to its best epoch."""
        state = self.block.stack.state
        for name, tensor in self.best.kept(state).items():
            state[name].copy_(tensor)


def _chosen(
    first: Tensor, state: Mapping[str, Tensor], other: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """Of every model the one state where `first`, else the other."""
    return {
        name: torch.where(
            first.view(*first.shape, *[1] * (tensor.ndim - first.ndim)), tensor, other[name]
        )
        for name, tensor in state.items()
    }
