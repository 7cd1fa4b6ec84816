"""What a loss says once: a training that goes on but cannot learn what it is meant to.

What would give a wrong number is refused (see `inputs`); this is for what is right and useless. A
warning comes at the first time it applies to a loss object, and not again.
"""

import warnings
from typing import Any

import torch
from torch import Tensor

from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.schedule import Schedule
from anyloss_core.losses.scores import Score

_WITHOUT = {  # some batch in which a class is absent
    "positive": Counts(tn=6.0, fn=0.0, fp=2.0, tp=0.0),
    "negative": Counts(tn=0.0, fn=2.0, fp=0.0, tp=6.0),
}


class LossWarning(UserWarning):
    """A loss cannot teach what it is meant to; the message names the repair."""


def warn_once(owner: Any, kind: str, message: str) -> None:
    """Warn, unless this object has warned of this kind before."""
    said: set[str] = owner.__dict__.setdefault("_said", set())
    if kind not in said:
        said.add(kind)
        warnings.warn(message, LossWarning, stacklevel=3)


def no_gradient(score: Score, absent: str, whose: str = "") -> str:
    """The message of a batch that lacks a class without which the score stands still."""
    return (
        f"a batch without {absent} samples {whose}gives {score.name} a gradient of exactly 0, so "
        "its step teaches nothing; take larger batches, stratified ones that hold both classes, or "
        "memory=0.9, which counts earlier batches too"
    )


def absences(score: Score) -> list[str]:
    """The classes without which a score does not change with the soft labels of the other one."""
    found = []
    for absent, counts in _WITHOUT.items():
        _, positive, negative = score.class_slopes(counts)
        if not float(negative if absent == "positive" else positive):
            found.append(absent)
    return found


def standing_schedule(schedule: Schedule) -> str:
    """The message of a ramp or a warm-up that nobody moves."""
    return (
        f"{schedule} stands at its end, L = {schedule.end.L:g} without a warm-up, until "
        "step(progress) or at(epoch, epochs) is called: call one of them before every epoch"
    )


def constant_score(score: Score) -> str:
    return f"{score.name!r} has the same value for every confusion matrix: nothing can be learnt"


def rounded_amplifier(L: float | Tensor, largest: float, dtype: torch.dtype) -> str:
    precision = str(dtype).removeprefix("torch.")
    return (
        f"L = {float(L):g} is beyond the valid range of {precision} in the naive form: above "
        f"{largest:.2f} A(p) rounds to exactly 1 and its gradient to 0; take a smaller L, "
        "form='safe' or float64"
    )
