"""Expressions made ready to run: their value, and their slopes in given directions.

A tree becomes a flat list of steps without repeated sub-expressions. Its slopes are expressions
too, found once by the rules of differentiation, so that running a program is plain arithmetic on
floats, NumPy arrays or tensors. Constants may differ from model to model: one program serves all
expressions of one shape. Every step is defined everywhere: x/0 is 0 (scikit-learn's value for an
undefined ratio), roots and logarithms stop short of the points where their slope is infinite.
"""

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from anyloss_core.losses.arrays import Array, Numbers, array_like, at_least
from anyloss_core.losses.confusion import Counts, Entry
from anyloss_core.losses.expression import PARTS, Node

ROOT_FLOOR = 1e-12  # the slope of a square root is 1/2 over the root, or over this where it is 0
LOG_FLOOR = 1e-30  # log(0) is the logarithm of this
EXP_CEILING = 80.0  # exp beyond this would overflow float32

# How the counts move when the soft label of a positive and of a negative sample rises.
POSITIVE = Counts(tn=0.0, fn=-1.0, fp=0.0, tp=1.0)
NEGATIVE = Counts(tn=-1.0, fn=0.0, fp=1.0, tp=0.0)
EACH_COUNT = tuple(Counts(*row) for row in np.eye(4).tolist())


class Program:
    """Expressions of one shape, each with its own constants, and their slopes.

    A direction says how much each count moves; there is one slope for each.
    """

    def __init__(
        self,
        trees: Sequence[Node],
        directions: Sequence[Counts[float]] = (),
        like: Array | None = None,
    ) -> None:
        assert len({tree.shape for tree in trees}) == 1
        self._all: list[tuple[str, tuple[int, ...]]] = []  # operation, indices of its inputs
        self._constants: dict[int, Numbers] = {}
        self._known: dict[object, int] = {}  # sub-expressions met before
        value = self._add_tree(trees[0], zip(*(tree.constants for tree in trees), strict=True))
        slopes = [self._add_slope(value, direction) for direction in directions]
        zero = self._constant(0.0)
        self._results = [value, *(zero if slope is None else slope for slope in slopes)]
        self._start: list[Numbers | None] = [None] * len(self._all)  # what is known beforehand
        for index, constant in self._constants.items():
            if like is not None and not isinstance(constant, float):
                constant = array_like(like, constant)
            self._start[index] = constant
        self._leaves = [(index, op) for index, (op, _) in enumerate(self._all) if op in PARTS]
        self._steps = [
            (index, FUNCTIONS[op], inputs) for index, (op, inputs) in enumerate(self._all) if inputs
        ]

    def __call__(self, counts: Counts[Entry]) -> list[Entry]:
        """The value (...,) at counts (...,), and its slope (...,) in every direction."""
        with np.errstate(all="ignore"):
            zero = counts.tp * 0.0
            found: list[Any] = self.run(self.leaves(counts))
            return [value + zero for value in found]

    def leaves(self, counts: Counts[Entry]) -> Mapping[str, Numbers]:
        """What it needs of TP, TN, FP, FN, P, NEG and N."""
        found = {op: _sum_of(counts, PARTS[op]) for _, op in self._leaves}
        return cast("Mapping[str, Numbers]", found)

    def run(self, leaves: Mapping[str, Numbers]) -> list[Numbers]:
        """The same from TP, TN, FP, FN, P, NEG and N; what is constant may have fewer axes."""
        values: list[Any] = self._start.copy()
        for index, name in self._leaves:
            values[index] = leaves[name]
        for index, function, inputs in self._steps:
            values[index] = function(*[values[i] for i in inputs])
        return [values[index] for index in self._results]

    def _add_tree(self, tree: Node, constants: Iterator[tuple[float, ...]]) -> int:
        """Append the steps of a tree and return the index of its value."""
        if tree.op == "number":
            return self._constant(np.array(next(constants)))
        inputs = [self._add_tree(child, constants) for child in tree.children]
        if tree.op == "/":
            inputs[1] = self._add("divisor", inputs[1])
        return self._add(tree.op, *inputs)

    def _add_slope(self, result: int, direction: Counts[float]) -> int | None:
        """Append the slope of every step up to `result`; None stands for 0."""
        slopes: list[int | None] = []
        for index in range(result + 1):
            op, inputs = self._all[index]
            if op in PARTS:
                moved = sum(getattr(direction, name) for name in PARTS[op])
                slopes.append(self._constant(moved) if moved else None)
            else:
                slopes.append(self._chain(index, [slopes[i] for i in inputs]))
        return slopes[result]

    def _chain(self, index: int, slopes: Sequence[int | None]) -> int | None:
        """The slope of a step from those of its inputs."""
        op, inputs = self._all[index]
        match op:
            case "+":
                return self._plus(*slopes)
            case "-":
                return self._minus(*slopes)
            case "neg":
                return self._minus(None, *slopes)
            case "divisor":
                return slopes[0]
            case "*":
                return self._plus(
                    self._times(slopes[0], inputs[1]), self._times(slopes[1], inputs[0])
                )
            case "/":  # (a' - (a/b) b') / b
                return self._over(self._minus(slopes[0], self._times(slopes[1], index)), inputs[1])
        total = None
        for number, slope in enumerate(slopes):
            if slope is not None:
                partial = self._add(f"{op}' {number}", index, *inputs)
                total = self._plus(total, self._times(slope, partial))
        return total

    def _plus(self, a: int | None, b: int | None) -> int | None:
        if a is None or b is None:
            return a if b is None else b
        return self._unless_zero(self._add("+", a, b))

    def _minus(self, a: int | None, b: int | None) -> int | None:
        if a is None or b is None:
            return a if b is None else self._add("neg", b)
        return self._unless_zero(self._add("-", a, b))

    def _times(self, slope: int | None, factor: int) -> int | None:
        if slope is None or self._is(slope, 1.0):
            return None if slope is None else factor
        if self._is(slope, -1.0):
            return self._add("neg", factor)
        return self._unless_zero(self._add("*", slope, factor))

    def _over(self, slope: int | None, divisor: int) -> int | None:
        return None if slope is None else self._add("/", slope, divisor)

    def _is(self, index: int, value: float) -> bool:
        constant = self._constants.get(index)
        return isinstance(constant, float) and constant == value

    def _unless_zero(self, index: int) -> int | None:
        return None if self._is(index, 0.0) else index

    def _constant(self, values: float | np.ndarray) -> int:
        """A number, or one for each tree."""
        distinct = np.unique(values)
        key = ("number", np.asarray(values).tobytes()) if len(distinct) > 1 else float(distinct[0])
        index = self._index_of(key, "number", ())
        self._constants[index] = values if len(distinct) > 1 else float(distinct[0])
        return index

    def _add(self, op: str, *inputs: int) -> int:
        """The index of a step, which is worked out at once if its inputs are constants."""
        if inputs and all(i in self._constants for i in inputs):
            with np.errstate(all="ignore"):
                return self._constant(FUNCTIONS[op](*[self._constants[i] for i in inputs]))
        return self._index_of((op, *inputs), op, inputs)

    def _index_of(self, key: object, op: str, inputs: tuple[int, ...]) -> int:
        if key not in self._known:
            self._known[key] = len(self._all)
            self._all.append((op, inputs))
        return self._known[key]


def bare_value(tree: Node, counts: Counts[np.ndarray] | None = None) -> np.ndarray:
    """The mathematical value of a tree: NaN or infinite wherever it is undefined."""
    if tree.op == "number":
        return np.asarray(tree.constant, dtype=np.float64)[()]
    if tree.op in PARTS:
        assert counts is not None
        return _sum_of(counts, PARTS[tree.op])
    inputs = [bare_value(child, counts) for child in tree.children]
    with np.errstate(all="ignore"):
        return (_BARE.get(tree.op) or FUNCTIONS[tree.op])(*inputs)


def _sum_of(counts: Counts[Entry], names: Sequence[str]) -> Entry:
    total: Entry = getattr(counts, names[0])
    for name in names[1:]:
        total = total + getattr(counts, name)
    return total


def _library(x: object) -> Any:
    return torch if isinstance(x, Tensor) else np


def _divisor(x: Entry) -> Entry:
    """x, and infinity in the place of 0: then a quotient and both its slopes are 0 there."""
    if isinstance(x, float):
        return x or math.inf
    if isinstance(x, Tensor):
        return x.masked_fill(x == 0, torch.inf)
    x = np.array(x)  # a third of the cost of np.where
    x[x == 0] = np.inf
    return x


def _power(base: Entry, exponent: Entry) -> Entry:
    """Defined for every base: 0 to a negative power is 0, roots of negative numbers are 0."""
    where = _library(base).where
    undefined = (base == 0) & (exponent < 0) | (base < 0) & (exponent % 1 != 0)
    return where(undefined, 0.0, where(undefined, 1.0, base) ** exponent)


def _root(x: Entry) -> Entry:
    return math.sqrt(max(x, 0.0)) if isinstance(x, float) else _library(x).sqrt(at_least(x, 0.0))


def _capped_exp(x: Entry) -> Entry:
    return _library(x).exp(-at_least(-x, -EXP_CEILING))


def _logarithm(x: Entry) -> Entry:
    return _library(x).log(at_least(x, LOG_FLOOR))


def _smaller(a: Entry, b: Entry) -> Entry:
    if isinstance(a, Tensor):
        return a.clamp(max=b)
    return b.clamp(max=a) if isinstance(b, Tensor) else np.minimum(a, b)


def _larger(a: Entry, b: Entry) -> Entry:
    return -_smaller(-a, -b)


def _wins(a: Entry, b: Entry) -> Entry:
    """1 where a > b, 0 where a < b, 1/2 at a tie: how min and max share their slope."""
    difference = a - b
    return 0.5 + 0.5 * _library(difference).sign(difference)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "neg": operator.neg,
    "abs": abs,
    "divisor": _divisor,
    "**": _power,
    "sqrt": _root,
    "log": _logarithm,
    "exp": _capped_exp,
    "min": _smaller,
    "max": _larger,
    # The slope of a function v along its inputs; exponents are numbers, so they have none.
    "**' 0": lambda v, a, b: b * _power(a, b - 1),
    "abs' 0": lambda v, a: _library(a).sign(a),
    "sqrt' 0": lambda v, a: 0.5 / at_least(v, ROOT_FLOOR) * (a >= 0),
    "log' 0": lambda v, a: 1 / at_least(a, LOG_FLOOR) * (a > 0),
    "exp' 0": lambda v, a: v * (a < EXP_CEILING),
    "min' 0": lambda v, a, b: _wins(b, a),
    "min' 1": lambda v, a, b: _wins(a, b),
    "max' 0": lambda v, a, b: _wins(a, b),
    "max' 1": lambda v, a, b: _wins(b, a),
}
_BARE: dict[str, Callable[..., Any]] = {
    "**": operator.pow,
    "sqrt": np.sqrt,
    "log": np.log,
    "exp": np.exp,
}
