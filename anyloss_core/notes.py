"""Epochs of a training, noted side by side and judged together.

To judge 80 small models on their validation rows takes hardly longer for the parameters of ten
epochs than for those of one. So a training is a moment ahead of the events that it tells. How
much, is decided by an estimate and not by a clock: the same study gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from anyloss_core.batches import Table, padded_index
from anyloss_core.blocks import Block
from anyloss_core.estimates import estimate
from anyloss_core.evaluation import count_hard, pieces
from anyloss_core.stack import Stack
from anyloss_core.study import Study

AHEAD = 0.1  # estimated seconds that the training may be ahead of its events
MOST = 64  # epochs judged together
NUMBERS = 1 << 19  # parameters noted together: 4 MB in float64


def epochs_together(study: Study) -> int:
    """How many of the epochs that are watched are judged together."""
    if study.watch.detail == "full" or study.stopping is not None:
        return 1  # these need the models as they are in the epoch itself
    seconds = estimate(study).seconds / study.epochs * study.watch.every
    noted = len(study.models) * study.network.size(study.features.shape[1])
    return max(1, min(MOST, NUMBERS // noted, int(AHEAD / seconds)))


class Page:
    """A block at E epochs: its parameters as a stack of G folds x (E·K) models, and its losses.

    The losses begin with those of the event before.
    """

    def __init__(self, study: Study, table: Table, block: Block, epochs: int) -> None:
        self.block, (folds, losses) = block, block.size
        size = (folds, epochs * losses)
        self.stack = Stack(study.network, table.features, size, study.precision, study.place)
        self.cuts = block.cuts.repeat(epochs, 1)  # (E·K, 1)
        index = padded_index([fold.valid for fold in block.folds], table)
        self.rows = list(pieces(self.stack, table, index))
        self._state = list(block.stack.state.values())  # (G, K, ...)
        wide = [t.view(folds, epochs, losses, *t.shape[2:]) for t in self.stack.state.values()]
        self._states = [[tensor[:, place] for tensor in wide] for place in range(epochs)]
        self._loss = [block.losses, block.late.noted] if block.late else [block.losses]
        self._losses = [t.new_zeros(epochs + 1, *t.shape) for t in self._loss]
        self._means = [0] * (epochs + 1)  # how many losses were means

    def write(self, place: int) -> None:
        """Note the block as it is now."""
        torch._foreach_copy_(self._states[place], self._state)
        torch._foreach_copy_([t[place + 1] for t in self._losses], self._loss)
        self._means[place + 1] = self.block.objective.means

    def recall(self, place: int) -> list[Tensor]:
        """Put the block back to what was noted; what it was until now is returned."""
        now = [tensor.clone() for tensor in self._state]
        torch._foreach_copy_(self._state, self._states[place])
        return now

    def restore(self, now: list[Tensor]) -> None:
        """Undo `recall`."""
        torch._foreach_copy_(self._state, now)

    def hard(self) -> Tensor:
        """(E, G, K, 2): TP and FP on the validation rows."""
        found = count_hard(self.stack, self.cuts, self.rows)  # (G, E·K, 2)
        return found.unflatten(1, (-1, self.block.size[1])).transpose(0, 1)

    def finite(self) -> Tensor:
        """(E, G, K): whether all parameters are finite numbers."""
        sums = torch.stack([t.flatten(2).sum(-1) for t in self.stack.state.values()])
        return sums.isfinite().all(0).unflatten(1, (-1, self.block.size[1])).transpose(0, 1)

    def losses(self, places: slice) -> Callable[[], Tensor]:
        """What gives the losses (E, G, K), whenever it is called; place 0 is the event before."""
        losses, *noted = (tensor[places].clone() for tensor in self._losses)
        counts, late = torch.tensor(self._means[places]), self.block.late

        def work_out() -> Tensor:
            for weights in noted:  # of means; none if they were worked out in the epoch itself
                means = torch.arange(weights.shape[2]) < counts[:, None, None]
                own = losses[..., : weights.shape[2]]
                own.copy_(torch.where(means.to(own.device), late.losses(weights), own))
            return losses

        return work_out

    def follow(self, page: Page, count: int) -> None:
        """Take over the last losses of the page before."""
        for mine, theirs in zip(self._losses, page._losses, strict=True):
            mine[0] = theirs[count]
        self._means[0] = page._means[count]


class Notes:
    """Pages on all blocks of a training: the first of one epoch, so that an event comes soon."""

    def __init__(self, study: Study, table: Table, blocks: Sequence[Block]) -> None:
        self._about = (study, table)
        self.blocks = blocks
        self.together = epochs_together(study)
        self.epochs = 0
        self._open(1)

    @property
    def full(self) -> bool:
        return len(self.written) == self.epochs

    def write(self, epoch: int, seconds: float) -> None:
        """Note all models after `epoch`."""
        for page in self.pages:
            page.write(len(self.written))
        self.written.append((epoch, seconds))
        self._hard = None

    def forget(self) -> None:
        """Nobody wants to be told."""
        self.written.clear()

    def hard(self) -> list[Tensor]:
        """(E, G, K, 2) of every block: TP and FP on the validation rows."""
        if self._hard is None:
            self._hard = [page.hard()[: len(self.written)] for page in self.pages]
        return self._hard

    def finite(self) -> list[Tensor]:
        """(E, G, K) of every block: whether all parameters are finite numbers."""
        return [page.finite()[: len(self.written)] for page in self.pages]

    def losses(self, with_last: bool) -> list[Callable[[], Tensor]]:
        """What gives the losses (E, G, K) of every block, with those of the event before or not."""
        places = slice(0 if with_last else 1, len(self.written) + 1)
        return [page.losses(places) for page in self.pages]

    def turn(self) -> None:
        """Begin a new page."""
        before, count = self.pages, len(self.written)
        self._open(self.together)
        for page, last in zip(self.pages, before, strict=True):
            page.follow(last, count)

    def _open(self, epochs: int) -> None:
        self.written: list[tuple[int, float]] = []  # epoch, seconds until then
        self._hard: list[Tensor] | None = None
        if epochs != self.epochs:
            self.epochs = epochs
            self.pages = [Page(*self._about, block, epochs) for block in self.blocks]
