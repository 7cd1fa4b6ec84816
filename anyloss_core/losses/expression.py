"""Expression trees over the four counts: evaluate and differentiate.

A tree is turned once into a `Program`, a flat list of steps without repeated sub-expressions. One
pass forward gives the values and the slopes with respect to TN, FN, FP, TP (the rules fit below, in
`RULES`); for plain numbers a pass backward is quicker. Every step is defined everywhere: x/0 is 0
(scikit-learn's value for an undefined ratio), roots and logarithms stop short of the points where
their slope is infinite. Constants may be vectors, so that one program serves many models at once.
Programs run on NumPy arrays as on tensors: for the few numbers of a confusion matrix NumPy is
several times quicker.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anyloss_core.confusion import Counts

Array = Any  # a NumPy array, a tensor, or a plain number
LEAVES = ("TP", "TN", "FP", "FN", "N", "P", "NEG")
FUNCTIONS = ("sqrt", "abs", "log", "exp", "min", "max")
PARTS = {  # which counts a leaf sums up
    "TP": ("tp",),
    "TN": ("tn",),
    "FP": ("fp",),
    "FN": ("fn",),
    "P": ("tp", "fn"),
    "NEG": ("tn", "fp"),
    "N": ("tn", "fn", "fp", "tp"),
}
ROOT_FLOOR = 1e-12  # the slope of a square root is 1/2 over the root, or over this where it is 0
LOG_FLOOR = 1e-30  # log(0) is the logarithm of this
EXP_CEILING = 80.0  # exp beyond this would overflow float32


@dataclass(frozen=True)
class Node:
    """One operation on other nodes; `op` is a leaf's name, 'number', an operator or a function."""

    op: str
    children: tuple[Node, ...] = ()
    constant: float = 0.0

    @cached_property
    def counts(self) -> frozenset[str]:
        """The counts this expression depends on."""
        own = PARTS.get(self.op, ())
        return frozenset(own).union(*(child.counts for child in self.children))

    @cached_property
    def shape(self) -> str:
        """The expression with its constants left out: equal shapes can share one program."""
        inner = ",".join(child.shape for child in self.children)
        return f"{self.op}({inner})" if inner else self.op

    @cached_property
    def constants(self) -> tuple[float, ...]:
        own = (self.constant,) if self.op == "number" else ()
        return own + tuple(c for child in self.children for c in child.constants)

    @cached_property
    def weights(self) -> tuple[float, ...] | None:
        """The weights of TN, FN, FP, TP in a sum of counts, None for anything else."""
        if self.op in PARTS:
            return tuple(float(name in PARTS[self.op]) for name in Counts._fields)
        parts = [child.weights for child in self.children]
        if self.op in ("+", "-") and None not in parts:
            sign = 1 if self.op == "+" else -1
            return tuple(a + sign * b for a, b in zip(*parts, strict=True))
        if self.op == "*" and sum(child.op == "number" for child in self.children) == 1:
            factor = next(child.constant for child in self.children if child.op == "number")
            inner = next((part for part in parts if part is not None), None)
            return None if inner is None else tuple(factor * weight for weight in inner)
        return None

    @cached_property
    def ratio(self) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """The weights above and below the line, if this is a ratio of two sums of counts."""
        ends = tuple(child.weights for child in self.children)
        return ends if self.op == "/" and None not in ends else None

    def value_at(self, counts: Counts | None) -> Array:
        """The bare mathematical value: NaN or infinite wherever the formula is undefined."""
        if self.op == "number":
            return np.float64(self.constant)
        if self.op in PARTS:
            return sum(getattr(counts, name) for name in PARTS[self.op])
        inputs = [child.value_at(counts) for child in self.children]
        with np.errstate(all="ignore"):
            return _BARE.get(self.op, STEPS.get(self.op))(np, *inputs)


def number(value: float) -> Node:
    return Node("number", constant=float(value))


def leaf(name: str) -> Node:
    return Node(name)


def call(op: str, *children: Node) -> Node:
    return Node(op, children)


class Program:
    """Steps that evaluate expressions of one shape on counts (M,), each with its own constants."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        assert len({node.shape for node in nodes}) == 1
        self.steps: list[tuple[str, tuple[int, ...]]] = []  # operation, places of its inputs
        self.fixed: dict[int, Array] = {}  # place -> constant
        self._places: dict[object, int] = {}
        columns = iter(zip(*(node.constants for node in nodes), strict=True))
        self.result = self._add(nodes[0], columns)
        self._ratio = nodes[0].ratio if len(nodes) == 1 else None
        self._way_back = [(place, *self.steps[place]) for place in reversed(range(self.result + 1))]

    def values(self, counts: Counts) -> list[Array]:
        """The value of every step; the expression's own is the one at `self.result`."""
        xp = torch if isinstance(counts.tp, Tensor) else np
        values: list[Array] = []
        for place, (op, inputs) in enumerate(self.steps):
            if inputs:
                values.append(STEPS[op](xp, *[values[i] for i in inputs]))
            elif place in self.fixed:
                values.append(self.constant(place, counts.tp))
            else:
                values.append(sum_of(counts, PARTS[op]))
        return values

    def slopes(self, counts: Counts) -> tuple[Array, Counts]:
        """The value (M,) and its derivative with respect to each count (M,)."""
        if isinstance(counts.tp, float):
            return self._slopes_of_numbers(counts)  # quicker than arrays of one number
        xp, zero = (torch if isinstance(counts.tp, Tensor) else np), counts.tp * 0
        still = xp.stack([zero] * 4)  # (4, M): nothing moves, whichever count does
        moving = Counts(*(xp.stack([zero + (i == j) for i in range(4)]) for j in range(4)))
        with np.errstate(all="ignore"):
            value, slopes = self.along(
                {op: (sum_of(counts, names), sum_of(moving, names)) for op, names in PARTS.items()}
            )
        return value + zero, Counts(*(still if slopes is None else slopes + still))

    def _slopes_of_numbers(self, counts: Counts) -> tuple[float, Counts]:
        """The same of plain numbers, from the result back to the counts."""
        if self._ratio:
            return _slopes_of_ratio(*self._ratio, counts)
        with np.errstate(all="ignore"):
            values = self.values(counts)
            pulls = [0.0] * len(values)  # d result / d step
            pulls[self.result] = 1.0
            slopes = dict.fromkeys(Counts._fields, 0.0)
            for place, op, inputs in self._way_back:
                pull = pulls[place]
                if op in PARTS:
                    for name in PARTS[op]:
                        slopes[name] += pull
                elif op == "+":
                    a, b = inputs
                    pulls[a] += pull
                    pulls[b] += pull
                elif op == "*":
                    a, b = inputs
                    pulls[a] += pull * values[b]
                    pulls[b] += pull * values[a]
                elif op == "/":
                    a, b = inputs
                    share = pull / values[b]
                    pulls[a] += share
                    pulls[b] -= share * values[place]
                elif op == "divisor":
                    pulls[inputs[0]] += pull
                else:
                    arguments = [values[i] for i in inputs]
                    for i, rule in zip(inputs, RULES.get(op, ()), strict=True):
                        pulls[i] += rule(np, pull, values[place], *arguments)
        return values[self.result], Counts(**slopes)

    def along(self, leaves: Mapping[str, tuple[Array, Array | None]]) -> tuple[Array, Array]:
        """The value and its slope when the leaves move as given: name -> (value, slope or None).

        One pass forward. What stands still is None, as P, NEG and N are in training.
        """
        like = leaves["TP"][0]
        xp = torch if isinstance(like, Tensor) else np
        values, slopes = [], []
        for place, (op, inputs) in enumerate(self.steps):
            if op in PARTS:
                value, slope = leaves[op]
            elif op == "number":
                value, slope = self.constant(place, like), None
            else:
                arguments = [values[i] for i in inputs]
                value, slope = STEPS[op](xp, *arguments), None
                for rule, i in zip(RULES[op], inputs, strict=True):
                    if slopes[i] is not None:
                        slope = plus(slope, rule(xp, slopes[i], value, *arguments))
            values.append(value)
            slopes.append(slope)
        return values[self.result], slopes[self.result]

    def constant(self, place: int, like: Array) -> Array:
        """A number, or one number per model on the device and in the precision of the counts."""
        constant = self.fixed[place]
        if isinstance(constant, float):
            return constant
        if isinstance(like, Tensor):
            return torch.as_tensor(constant).to(like)
        return constant.astype(like.dtype, copy=False)

    def _add(self, node: Node, columns: Iterator[tuple[float, ...]]) -> int:
        """Append the steps of `node` and return its place."""
        if node.op == "number":
            column = next(columns)
            place = self._place(("number", column), "number", ())
            self.fixed[place] = column[0] if len(set(column)) == 1 else np.array(column)
            return place
        inputs = [self._add(child, columns) for child in node.children]
        if node.op == "/":
            inputs[1] = self._place(("divisor", inputs[1]), "divisor", (inputs[1],))
        return self._place((node.op, *inputs), node.op, tuple(inputs))

    def _place(self, key: object, op: str, inputs: tuple[int, ...]) -> int:
        """A sub-expression met before is used again."""
        if key not in self._places:
            self._places[key] = len(self.steps)
            self.steps.append((op, inputs))
        return self._places[key]


def _slopes_of_ratio(
    top: tuple[float, ...], bottom: tuple[float, ...], counts: Counts
) -> tuple[float, Counts]:
    """What most scores are, on plain numbers: here the steps would take longer than the sums."""
    tn, fn, fp, tp = counts
    below = bottom[0] * tn + bottom[1] * fn + bottom[2] * fp + bottom[3] * tp
    inverse = 1 / below if below else 0.0  # x/0 is 0, and so are its slopes
    value = (top[0] * tn + top[1] * fn + top[2] * fp + top[3] * tp) * inverse
    return value, Counts(*[(a - value * b) * inverse for a, b in zip(top, bottom, strict=True)])


def sum_of(counts: Counts, names: tuple[str, ...]) -> Array:
    total = getattr(counts, names[0])
    for name in names[1:]:
        total = total + getattr(counts, name)
    return total


def plus(old: Array | None, new: Array) -> Array:
    """A sum that begins with None."""
    return new if old is None else old + new


def _divisor(xp: Any, x: Array) -> Array:
    """x, and infinity in the place of 0: then a quotient and both its slopes are 0 there."""
    if isinstance(x, float):
        return x or math.inf
    if xp is np:  # in place: a third of the cost of np.where
        x = np.array(x)
        x[x == 0] = np.inf
        return x
    return x.masked_fill(x == 0, torch.inf)


def _power(xp: Any, base: Array, exponent: Array) -> Array:
    """Defined for every base: 0 to a negative power is 0, roots of negative numbers are 0."""
    undefined = (base == 0) & (exponent < 0) | (base < 0) & (exponent % 1 != 0)
    return xp.where(undefined, 0.0, xp.where(undefined, 1.0, base) ** exponent)


def _at_least(xp: Any, x: Array, floor: float) -> Array:
    if isinstance(x, float):  # a lone number: several times quicker than NumPy's
        return max(x, floor)
    return xp.clip(x, floor, None)


def _root(xp: Any, x: Array) -> Array:
    return (math.sqrt if isinstance(x, float) else xp.sqrt)(_at_least(xp, x, 0.0))


def _pair(xp: Any, a: Array, b: Array) -> tuple[Array, Array]:
    """Both as arrays; a lone number takes the other's device and precision."""
    if xp is torch and not (isinstance(a, Tensor) and isinstance(b, Tensor)):
        like = a if isinstance(a, Tensor) else b
        return (torch.as_tensor(a).to(like), torch.as_tensor(b).to(like))
    return a, b


def _wins(xp: Any, a: Array, b: Array) -> Array:
    """1 where a > b, 0 where a < b, 1/2 at a tie: how min and max share their slope."""
    return 0.5 + 0.5 * xp.sign(a - b)


STEPS = {
    "+": lambda xp, a, b: a + b,
    "-": lambda xp, a, b: a - b,
    "*": lambda xp, a, b: a * b,
    "/": lambda xp, a, b: a / b,
    "divisor": _divisor,
    "**": _power,
    "neg": lambda xp, a: -a,
    "abs": lambda xp, a: abs(a),
    "sqrt": _root,
    "log": lambda xp, a: xp.log(_at_least(xp, a, LOG_FLOOR)),
    "exp": lambda xp, a: xp.exp(xp.clip(a, None, EXP_CEILING)),
    "min": lambda xp, a, b: xp.minimum(*_pair(xp, a, b)),
    "max": lambda xp, a, b: xp.maximum(*_pair(xp, a, b)),
}
_BARE = {
    "**": lambda xp, a, b: a**b,
    "sqrt": lambda xp, a: xp.sqrt(a),
    "log": lambda xp, a: xp.log(a),
    "exp": lambda xp, a: xp.exp(a),
}
# For each input of a step: (xp, pull on the step, value of the step, *inputs) -> pull on the input.
RULES = {
    "+": (lambda xp, g, v, a, b: g, lambda xp, g, v, a, b: g),
    "-": (lambda xp, g, v, a, b: g, lambda xp, g, v, a, b: -g),
    "*": (lambda xp, g, v, a, b: g * b, lambda xp, g, v, a, b: g * a),
    "/": (lambda xp, g, v, a, b: g / b, lambda xp, g, v, a, b: -(g * v) / b),
    "divisor": (lambda xp, g, v, a: g,),
    "**": (
        lambda xp, g, v, a, b: g * b * _power(xp, a, b - 1),
        lambda xp, g, v, a, b: g * 0.0,  # the formula parser lets only numbers be exponents
    ),
    "neg": (lambda xp, g, v, a: -g,),
    "abs": (lambda xp, g, v, a: g * xp.sign(a),),
    "sqrt": (lambda xp, g, v, a: 0.5 * g / _at_least(xp, v, ROOT_FLOOR) * (a >= 0),),
    "log": (lambda xp, g, v, a: g / _at_least(xp, a, LOG_FLOOR) * (a > 0),),
    "exp": (lambda xp, g, v, a: g * v * (a < EXP_CEILING),),
    "min": (
        lambda xp, g, v, a, b: g * _wins(xp, b, a),
        lambda xp, g, v, a, b: g * _wins(xp, a, b),
    ),
    "max": (
        lambda xp, g, v, a, b: g * _wins(xp, a, b),
        lambda xp, g, v, a, b: g * _wins(xp, b, a),
    ),
}
