"""Where a sample gets no gradient ('No More Update'), by halving: to the last digit of p."""

import torch

from anyloss_core.losses.approximation import DTYPES, THRESHOLD
from anyloss_core.losses.softening import Amplifier


def saturated(L, dtype="float64", form="naive", threshold=THRESHOLD):
    """The stretches (low, high) of p over which the amplifier's slope is exactly 0."""
    amplifier = Amplifier(float(L), threshold, form)

    def dead(p):
        return bool(amplifier.at(torch.tensor(p, dtype=DTYPES[dtype]))[1] == 0)

    below = [(0.0, _last(dead, 0.0, threshold))] if dead(0.0) else []
    above = [(_last(dead, 1.0, threshold), 1.0)] if dead(1.0) else []
    return (*below, *above)


def _last(holds, inside, outside):
    """The number nearest to `outside` for which it still holds, as it does at `inside`."""
    while (middle := (inside + outside) / 2) not in (inside, outside):
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside
