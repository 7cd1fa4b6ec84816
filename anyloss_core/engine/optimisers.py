"""Gradient descent, momentum and Adam on the flat buffers of a stack.

The arithmetic is that of torch.optim, with a learning rate per parameter, so that models with
different rates share every operation. A model that has stopped gets the rate 0. A schedule is a
factor that all rates of a stack share in a step.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from anyloss_core.engine.stack import FoldSpan, Stack, folds_of
from anyloss_core.engine.study import Optimiser


class Updater:
    """Updates a stack after each batch; `rates` (G, K) are the learning rates of the models.

    `total` is the number of steps over which a `schedule` runs.
    """

    def __init__(
        self,
        optimiser: Optimiser,
        stack: Stack,
        rates: Tensor,
        schedule: str = "constant",
        total: int = 1,
    ) -> None:
        self.optimiser, self.stack = optimiser, stack
        self.schedule, self.total = schedule, total
        self.steps = 0
        self.rates = torch.empty_like(stack.values)
        count, self._update = _METHODS[optimiser.name]
        self.state = [torch.zeros_like(stack.values) for _ in range(count)]
        self._pieces: dict[FoldSpan, list[tuple[Tensor, ...]]] = {}
        self.set_rates(rates)

    def set_rates(self, rates: Tensor) -> None:
        for view in self.stack.views(self.rates).values():
            view.copy_(rates.view(*rates.shape, *[1] * (view.ndim - 2)))

    def step(self, part: FoldSpan = None, last: bool = True) -> None:
        """Move all models, or those of some folds; `last` ends the step for the whole stack."""
        if self.optimiser.clip is not None:
            self._clip(self.optimiser.clip, part)
        factor = scheduled(self.schedule, self.steps / self.total)
        for piece in self._buffers(part):
            if self.optimiser.weight_decay:
                piece[1].add_(piece[0], alpha=self.optimiser.weight_decay)
            self._update(self.optimiser, self.steps + 1, factor, *piece)
        self.steps += last

    def _buffers(self, part: FoldSpan) -> list[tuple[Tensor, ...]]:
        """(values, gradients, rates, *state): whole buffers, or views of the folds in `part`."""
        if part not in self._pieces:
            buffers = (self.stack.values, self.stack.gradients, self.rates, *self.state)
            if part is None:
                self._pieces[part] = [buffers]
            else:
                views = [self.stack.views(buffer).values() for buffer in buffers]
                self._pieces[part] = [
                    tuple(view[folds_of(part)] for view in same)
                    for same in zip(*views, strict=True)
                ]
        return self._pieces[part]

    def _clip(self, limit: float, part: FoldSpan) -> None:
        """Shorten gradients above the limit, as torch.nn.utils.clip_grad_norm_ does per model."""
        chosen = folds_of(part)
        shrink = (limit / (self.stack.gradient_norms() + 1e-6)).clamp_(max=1.0)
        for view in self.stack.views(self.stack.gradients).values():
            view[chosen].mul_(shrink[chosen].view(*shrink[chosen].shape, *[1] * (view.ndim - 2)))


def scheduled(schedule: str, share: float) -> float:
    """What is left of the learning rate when `share` (0 to 1) of the steps is done."""
    match schedule:
        case "linear":
            return 1 - share
        case "cosine":
            return (1 + math.cos(math.pi * share)) / 2
    return 1.0


def _descend(
    _: Optimiser, step: int, factor: float, values: Tensor, gradients: Tensor, rates: Tensor
) -> None:
    values.addcmul_(gradients, rates, value=-factor)


def _momentum(
    settings: Optimiser,
    step: int,
    factor: float,
    values: Tensor,
    gradients: Tensor,
    rates: Tensor,
    speed: Tensor,
) -> None:
    speed.mul_(settings.momentum).add_(gradients)
    values.addcmul_(speed, rates, value=-factor)


def _adam(
    settings: Optimiser,
    step: int,
    factor: float,
    values: Tensor,
    gradients: Tensor,
    rates: Tensor,
    mean: Tensor,
    square: Tensor,
) -> None:
    first, second = settings.betas
    mean.lerp_(gradients, 1 - first)
    square.mul_(second).addcmul_(gradients, gradients, value=1 - second)
    spread = square.sqrt().div_(math.sqrt(1 - second**step)).add_(settings.epsilon)
    values.addcdiv_(mean * rates, spread, value=-factor / (1 - first**step))


_METHODS: dict[str, tuple[int, Callable[..., None]]] = {  # buffers of state, update
    "gd": (0, _descend),
    "momentum": (1, _momentum),
    "adam": (2, _adam),
}
