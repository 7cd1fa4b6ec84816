"""How a loss changes while it is trained: BCE at first, then L moves from its start to its end.

The one rule for ramp and warm-up. The engine asks for an epoch, a loop of somebody's own for an
epoch or for the share of the training that is done.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from anyloss_core.losses.approximation import check_amplifier


@dataclass(frozen=True)
class Ramp:
    """An L that grows geometrically from `start` to `end` over the epochs."""

    start: float
    end: float

    def at(self, share: float) -> float:
        """L when `share` of the training (0 to 1) is done."""
        return self.start * (self.end / self.start) ** min(max(share, 0.0), 1.0)


class Phase(NamedTuple):
    """What a loss is at one moment of a training."""

    warming_up: bool  # BCE is trained in its stead
    L: float | None  # of the amplifier; None for losses without one


@dataclass(frozen=True)
class Schedule:
    """L, or a ramp of it, after a warm-up with BCE over a share of the epochs."""

    L: float | Ramp | None = None
    warm_up: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.warm_up <= 1:
            raise ValueError(f"warm_up must be a share of the epochs, 0 to 1, got {self.warm_up}")

    @property
    def moves(self) -> bool:
        return isinstance(self.L, Ramp) or self.warm_up > 0

    @property
    def end(self) -> Phase:
        """What holds at the end of a training."""
        return Phase(False, self.L.end if isinstance(self.L, Ramp) else self.L)

    def at(self, epoch: int, epochs: int) -> Phase:
        """What holds in epoch `epoch` (from 0): BCE at first, then L moves to its end."""
        warm_up = round(self.warm_up * epochs)
        return self._phase(epoch < warm_up, (epoch - warm_up) / max(epochs - 1 - warm_up, 1))

    def after(self, progress: float) -> Phase:
        """What holds when the share `progress` (0 to 1) of a training is done."""
        if not 0 <= progress <= 1:
            raise ValueError(f"progress must be the share that is done, 0 to 1, got {progress}")
        rest = max(1 - self.warm_up, 1e-12)
        return self._phase(progress < self.warm_up, (progress - self.warm_up) / rest)

    def _phase(self, warming_up: bool, share: float) -> Phase:
        return Phase(warming_up, self.L.at(share) if isinstance(self.L, Ramp) else self.L)


def read_ramp(text: str) -> Ramp:
    """The ramp of a text such as "5..73"."""
    parts = text.split("..", 1)
    try:
        start, end = (float(part) for part in parts)
    except ValueError:
        raise ValueError(f"L must be a number or a ramp such as 5..73, got {text!r}") from None
    for value in (start, end):
        check_amplifier(value)
    if end < start or not math.isfinite(end):  # also what "5...73" would mean: from 5 to .73
        raise ValueError(f"a ramp of L must rise, as in L=5..73, got {text}")
    return Ramp(start, end)
