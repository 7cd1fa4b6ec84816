"""The sums a score is evaluated at: of this batch alone, or of more rows than it holds.

F1 is no mean over batches. Its slopes depend on the class sums of all rows that matter, and these
are four numbers per class, so more rows can be brought in cheaply: those of earlier batches
(`memory`), of the other parts of an accumulated batch (`accumulate`), of other processes. In each
case value and slopes are taken at the larger sums, and the gradient goes through the rows at hand.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, distributed, nn

from anyloss_core.losses.inputs import is_mapped


class Totals(nn.Module):
    """Exchanges the class sums (4, ...) of a batch for those the score is evaluated at.

    With `memory` m that is the mean of the batches so far, m times as much for every step that has
    passed since: stochastic compositional descent. The gradient is that of the batch at this mean,
    as long as that of a batch by itself, so that a learning rate keeps its meaning.
    """

    def __init__(self, memory: float = 0.0, sync: bool = True) -> None:
        super().__init__()
        if not 0 <= memory < 1:
            raise ValueError(f"memory must be from 0 to below 1, as in 0.9, got {memory}")
        self.memory, self.sync = memory, sync
        self.mean: Tensor
        self.weight: Tensor
        self.register_buffer("mean", torch.zeros(0), persistent=memory > 0)
        self.register_buffer("weight", torch.zeros(()), persistent=memory > 0)
        self._collected: Tensor | None = None
        self._collecting = False

    @property
    def are_larger(self) -> bool:
        """Whether other sums than those of the batch at hand are taken.

        Where no gradient is wanted a batch is looked at, and counts alone: a loss that nobody told
        to eval() neither remembers it nor waits for other processes.
        """
        more = torch.is_grad_enabled() and (self.memory > 0 or self._processes > 1)
        return self.training and (more or self._collected is not None)

    @property
    def _processes(self) -> int:
        """How many processes share a batch."""
        if self.sync and distributed.is_available() and distributed.is_initialized():
            return distributed.get_world_size()
        return 1

    def reset(self) -> None:
        """Forget the batches so far."""
        if self.mean.numel():
            self.mean, self.weight = self.mean.new_zeros(0), torch.zeros_like(self.weight)

    def train(self, mode: bool = True) -> "Totals":
        """Evaluation forgets: what comes after is another training, or another stretch of it."""
        if not mode:
            self.reset()
        return super().train(mode)

    def forward(self, sums: Tensor) -> Tensor:
        """Value of the larger sums, gradient of `sums`."""
        if not self.are_larger:
            return sums
        if self._collected is not None and not self._collecting:
            whole = self._collected
        else:
            whole = self._of_all_processes(sums).detach()
        if self._collecting:
            self._collected = whole + (0 if self._collected is None else self._collected)
        elif self._collected is None and self.memory:
            whole = self._remembered(whole)
        # Processes average their gradients, as DDP does: each gives so many times its own.
        return whole + self._processes * (sums - sums.detach())

    def _remembered(self, sums: Tensor) -> Tensor:
        if is_mapped(sums):
            raise ValueError(
                "vmap cannot keep a memory of each model; use memory=0 or stacked=True"
            )
        if self.mean.shape != sums.shape:
            self.mean, self.weight = torch.zeros_like(sums), self.weight.new_zeros(())
        weight = self.memory * self.weight + 1
        self.mean = (self.memory * self.weight * self.mean + sums) / weight
        self.weight = weight
        return self.mean

    def _of_all_processes(self, sums: Tensor) -> Tensor:
        if self._processes == 1:
            return sums
        whole = sums.detach().clone()
        distributed.all_reduce(whole)
        return whole

    @contextmanager
    def accumulate(self, add: Callable[..., None]) -> Iterator[Callable[..., None]]:
        """See `CountsLoss.accumulate`."""
        self._collected = torch.zeros(())

        def collect(*batch: Any) -> None:
            self._collecting = True
            try:
                with torch.no_grad():
                    add(*batch)
            finally:
                self._collecting = False

        try:
            yield collect
        finally:
            self._collected = None

    def _load_from_state_dict(self, state: dict[str, Any], prefix: str, *rest: Any) -> None:
        """The mean has the shape of what was trained."""
        if prefix + "mean" in state:
            self.mean = self.mean.new_zeros(state[prefix + "mean"].shape)
        super()._load_from_state_dict(state, prefix, *rest)
