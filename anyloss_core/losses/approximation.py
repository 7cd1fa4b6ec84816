"""The amplifier A(p) = 1 / (1 + e^(-L(p - c))) and where it works (Section 3.1 of the paper).

Answers: what A and its slope are, where the two conditions fail ('Amplifier' and 'No 0/1'), and
which L are valid at an accuracy level t in a floating-point format (Table 1). How A is used inside
a loss is left to `softening`.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from numbers import Real
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from scipy.optimize import brentq
from scipy.special import expit
from torch import Tensor

AMPLIFIER = 73.0  # L of the paper: the largest integer valid at t = 1e-15 in float64
THRESHOLD = 0.5  # p above this counts as positive
DTYPES: dict[str, torch.dtype] = {
    "float64": torch.float64,
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
}
FORMS = ("safe", "naive")

Values = TypeVar("Values", float, np.ndarray, Tensor)


class Interval(NamedTuple):
    """A stretch of probabilities, both ends included up to rounding."""

    low: float
    high: float


class ValidRange(NamedTuple):
    """The smallest and the largest valid L; empty when `minimum` exceeds `maximum`."""

    minimum: float
    maximum: float

    @property
    def empty(self) -> bool:
        return self.minimum > self.maximum

    def as_published(self) -> tuple[float, float]:
        """Two decimals as in Table 1: the minimum rounded up, the maximum rounded down."""
        return math.ceil(self.minimum * 100) / 100, math.floor(self.maximum * 100) / 100


def approximate(p: Values, L: float = AMPLIFIER, threshold: float = THRESHOLD) -> Values:
    """A(p) for a float, a NumPy array or a tensor, in the precision of `p`."""
    if isinstance(p, Tensor):
        return torch.sigmoid(L * (p - threshold))
    if isinstance(p, np.ndarray):
        return expit(L * (p - threshold))
    return float(expit(L * (p - threshold)))


def approximation_slope(p: Values, L: float = AMPLIFIER, threshold: float = THRESHOLD) -> Values:
    """dA/dp = L·A(p)·(1 - A(p)), with 1 - A taken as A mirrored, so that it never rounds to 0."""
    return L * approximate(p, L, threshold) * approximate(2 * threshold - p, L, threshold)


def naive_amplifier(p: Tensor, L: float | Tensor, threshold: float = THRESHOLD) -> Tensor:
    """A(p) written as the paper writes it: exactly 1 as soon as e^(-u) drowns beside 1."""
    return 1 / (1 + torch.exp(-L * (p - threshold)))


def amplifier_failures(L: float, threshold: float = THRESHOLD) -> tuple[Interval, ...]:
    """Stretches of p that A moves towards 0.5 instead of away from it, exact to the root.

    With x = logit(p) the condition reads |L(p - c)| >= |x|: the borders are the roots of
    x = ±L(sigmoid(x) - c). Working in x keeps the digits of a p very close to 0.
    """
    check_amplifier(L)
    borders = sorted(_fixed_points(L, threshold, +1) + _fixed_points(L, threshold, -1))
    edges = [-math.inf, *borders, math.inf]
    failing = []
    for low, high in pairwise(edges):
        x = _between(low, high)
        # At p = 0.5 two roots coincide but for rounding: no stretch lies between them.
        if high - low > 1e-9 and abs(L * (expit(x) - threshold)) < abs(x):
            failing.append(Interval(float(expit(low)), float(expit(high))))
    return tuple(interval for interval in _joined(failing) if interval.low < interval.high)


def valid_range(t: float, dtype: str = "float64") -> ValidRange:
    """The valid L at accuracy level t, unrounded: amplifying at p = t, below 1 at p = 1 - t.

    The minimum solves A(t) = t; the maximum is the largest L for which the naive A(1 - t), really
    computed in `dtype`, is still below 1. float64 gives the paper's Table 1.
    """
    if not 0 < t < 0.5:
        raise ValueError(f"t must lie between 0 and 0.5, got {t}; the paper uses 0.1 ... 1e-16")
    minimum = (math.log1p(-t) - math.log(t)) / (0.5 - t)
    near_one = torch.tensor(1 - t, dtype=torch.float64).to(_dtype(dtype))

    def still_below_one(L: float) -> bool:
        return bool(naive_amplifier(near_one, L) < 1)

    # Beyond 2^-(digits) the exponential drowns beside 1; that L bounds the search from above.
    ceiling = 4 * -math.log(torch.finfo(near_one.dtype).eps) / (0.5 - t)
    return ValidRange(minimum, _last_true(still_below_one, 0.0, ceiling))


@lru_cache(maxsize=8)
def largest_amplifier(dtype: torch.dtype) -> float:
    """The largest L whose naive A(1) is still below 1: 73.47 in float64, 33.27 in float32."""
    name = str(dtype).removeprefix("torch.")
    return valid_range(torch.finfo(dtype).tiny, name).maximum  # 1 - tiny is 1


def check_amplifier(L: float) -> None:
    if not (isinstance(L, Real) and math.isfinite(L) and L > 0):
        raise ValueError(f"L must be a positive number, got {L!r}; the paper uses {AMPLIFIER:g}")


def _dtype(name: str | torch.dtype | type) -> torch.dtype:
    name = getattr(name, "__name__", str(name)).removeprefix("torch.")  # np.float32 has a name
    if name not in DTYPES:
        raise ValueError(f"dtype must be one of {', '.join(DTYPES)}, got {name!r}")
    return DTYPES[name]


def _fixed_points(L: float, threshold: float, sign: int) -> list[float]:
    """All x with x = sign·L(sigmoid(x) - c), one root between each two turning points."""

    def gap(x: float) -> float:
        return x - sign * L * (float(expit(x)) - threshold)

    turns: list[float] = []
    if sign > 0 and L > 4:  # sigmoid'(x) = 1/L has two solutions, else `gap` only rises
        turn = 2 * math.acosh(math.sqrt(L) / 2)
        turns = [-turn, turn]
    far = L * (abs(threshold) + 1) + 1
    edges = [-far, *turns, far]
    return [
        brentq(gap, low, high, xtol=1e-15, rtol=1e-15)
        for low, high in pairwise(edges)
        if gap(low) * gap(high) <= 0
    ]


def _between(low: float, high: float) -> float:
    if math.isinf(low):
        return high - 1 if math.isfinite(high) else 0.0
    return low + 1 if math.isinf(high) else (low + high) / 2


def _joined(intervals: list[Interval]) -> list[Interval]:
    """Neighbouring stretches that touch become one."""
    joined: list[Interval] = []
    for interval in intervals:
        if joined and joined[-1].high >= interval.low:
            joined[-1] = Interval(joined[-1].low, interval.high)
        else:
            joined.append(interval)
    return joined


def _last_true(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """The last float between `inside` (true) and `outside` (false) for which the test holds."""
    while True:
        middle = (inside + outside) / 2
        if middle in (inside, outside):
            return inside
        if holds(middle):
            inside = middle
        else:
            outside = middle
