"""A program with everything worked out beforehand that is known beforehand.

In training the slopes of the counts never change, and with all rows in one batch neither do P, NEG
and N. Of (TP / P + TN / NEG) / 2, say, four operations are left for every epoch, and none of them
for the slopes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from anyloss_core.expression import PARTS, RULES, STEPS, Array, Program, plus

# For each rule of an operation, which inputs' values it reads; all of them if it is not here.
READS = {
    "+": ((), ()),
    "-": ((), ()),
    "neg": ((),),
    "divisor": ((),),
    "*": ((1,), (0,)),
    "/": ((1,), (0, 1)),
}


class Step(NamedTuple):
    """What is left of a step of a program: its value, its slope, or both."""

    place: int
    inputs: tuple[int, ...]
    evaluate: Callable | None
    terms: Sequence[tuple[Callable, int]]  # rules of the slope and the inputs they belong to


class Prepared:
    """The value of a program and its slope while some leaves move as in `slopes`.

    The leaves in `known` keep their value; the others are given at every call.
    """

    def __init__(
        self,
        program: Program,
        slopes: Mapping[str, Array],
        known: Mapping[str, Array],
        like: Array,
    ) -> None:
        self.xp, self.result = (torch if isinstance(like, Tensor) else np), program.result
        self.leaves: list[tuple[int, str]] = []
        self.steps: list[Step] = []  # what is left to do
        count = len(program.steps)
        self.values, self.slopes = [None] * count, [None] * count
        self._moves, self._bends = [False] * count, [False] * count  # value or slope not yet known
        with np.errstate(all="ignore"):
            for place, (op, inputs) in enumerate(program.steps):
                if op in known:
                    self.values[place] = known[op]
                elif op in PARTS:
                    self.slopes[place], self._moves[place] = slopes.get(op), True
                    self.leaves.append((place, op))
                elif op == "number":
                    self.values[place] = program.constant(place, like)
                else:
                    self._prepare(place, op, inputs)

    def __call__(self, leaves: Mapping[str, Array]) -> tuple[Array, Array | None]:
        """The value and its slope, None if nothing moves it."""
        values, slopes = self.values.copy(), self.slopes.copy()
        for place, name in self.leaves:
            values[place] = leaves[name]
        self._take(self.steps, values, slopes)
        return values[self.result], slopes[self.result]

    def _prepare(self, place: int, op: str, inputs: tuple[int, ...]) -> None:
        """Work out now what does not depend on a leaf yet to come; leave the rest for later."""
        moves = any(self._moves[i] for i in inputs)
        bends, terms = False, []
        reads = READS.get(op, (range(len(inputs)),) * len(inputs))
        for rule, i, read in zip(RULES[op], inputs, reads, strict=True):
            if self._bends[i] or self.slopes[i] is not None:
                terms.append((rule, i))
                bends |= self._bends[i] or any(self._moves[inputs[n]] for n in read)
        now = Step(place, inputs, None if moves else STEPS[op], () if bends else terms)
        later = Step(place, inputs, STEPS[op] if moves else None, terms if bends else ())
        self._take([now], self.values, self.slopes)
        if moves or bends:
            self.steps.append(later)
        self._moves[place], self._bends[place] = moves, bends

    def _take(self, steps: Sequence[Step], values: list[Array], slopes: list[Array]) -> None:
        for place, inputs, evaluate, terms in steps:
            arguments = [values[i] for i in inputs]
            if evaluate is not None:
                values[place] = evaluate(self.xp, *arguments)
            for rule, i in terms:
                pull = rule(self.xp, slopes[i], values[place], *arguments)
                slopes[place] = plus(slopes[place], pull)
