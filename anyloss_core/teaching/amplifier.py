"""One setting of the amplifier as the teaching page shows it: curve, slope, regions, words.

Everything is really computed in the chosen floating-point format, by the `Amplifier` that losses
are trained with; nothing is drawn here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from anyloss_core.losses.approximation import (
    AMPLIFIER,
    DTYPES,
    THRESHOLD,
    Interval,
    amplifier_failures,
    approximate,
    valid_range,
)
from anyloss_core.losses.softening import Amplifier

POINTS = 1001  # probabilities of a curve: finer than a screen shows
LEVELS = tuple(10.0**-k for k in range(1, 17))  # accuracy levels t that the page offers
_failures = lru_cache(maxsize=1000)(amplifier_failures)  # the slider at a few thresholds
limits = lru_cache(maxsize=256)(valid_range)  # the valid L at level t: naive form, threshold 0.5


@dataclass(frozen=True)
class AmplifierView:
    """What the sliders say."""

    L: float = AMPLIFIER
    threshold: float = THRESHOLD
    t: float = 0.1  # accuracy level: p = t and p = 1 - t are looked at
    dtype: str = "float64"
    form: str = "safe"

    def at(self, L: float) -> AmplifierView:
        """The same view with another L."""
        return replace(self, L=L)


@dataclass(frozen=True)
class Statement:
    """One sentence on a view; `holds` tells whether it is good news."""

    holds: bool
    text: str


@lru_cache(maxsize=1)
def probabilities() -> np.ndarray:
    """The probabilities of a curve, (POINTS,), 0 and 1 included."""
    grid = np.linspace(0.0, 1.0, POINTS)
    grid.flags.writeable = False  # everybody shares it
    return grid


@lru_cache(maxsize=200)  # a slider's worth
def curve(view: AmplifierView) -> tuple[np.ndarray, np.ndarray]:
    """A(p) and its slope dA/dp at `probabilities()`, computed in the view's format."""
    value, slope = _value_and_slope(torch.tensor(probabilities()), view)
    return value.double().numpy(), slope.double().numpy()


def curve_table(view: AmplifierView) -> pd.DataFrame:
    """The figures behind the charts, one row a probability."""
    p = probabilities()
    value, slope = curve(view)
    return pd.DataFrame(
        {
            "p": p,
            "A(p)": value,
            "slope": slope,
            "amplified": abs(value - 0.5) >= abs(p - 0.5),
            "no more update": slope == 0,
        }
    )


def not_amplified(view: AmplifierView) -> tuple[Interval, ...]:
    """Where the Amplifier condition fails: p moves towards 0.5."""
    return _failures(view.L, view.threshold)  # precision and form play no part


def dead_on_grid(slope: np.ndarray) -> tuple[Interval, ...]:
    """Where a sample gets no gradient, from a curve's slope: to a step of the grid."""
    return _stretches(slope == 0)


def rounded_on_grid(value: np.ndarray, slope: np.ndarray) -> tuple[Interval, ...]:
    """Where A is exactly 0 or 1 and a sample learns all the same (complement-safe form)."""
    return _stretches(((value == 0) | (value == 1)) & (slope > 0))


def _stretches(found: np.ndarray) -> tuple[Interval, ...]:
    """The stretches of p over which `found` (POINTS,) is true."""
    edges = np.diff(found.astype(np.int8), prepend=0, append=0)
    p = probabilities()
    ends = zip(np.flatnonzero(edges > 0), np.flatnonzero(edges < 0), strict=True)
    return tuple(Interval(float(p[first]), float(p[after - 1])) for first, after in ends)


def at(view: AmplifierView, p: float) -> tuple[float, float]:
    """A(p) and its slope at one probability, computed in the view's format."""
    value, slope = _value_and_slope(torch.tensor(p, dtype=torch.float64), view)
    return float(value), float(slope)


def describe(view: AmplifierView) -> tuple[Statement, ...]:
    """What happens to p = t and to p = 1 - t, in words, as the format computes it."""
    return _amplifies(view), _stays_open(view)


def _amplifies(view: AmplifierView) -> Statement:
    p, begin = view.t, f"L = {view.L:g}: p = {view.t:g} becomes "
    value, slope = at(view, p)
    if slope == 0:
        return _dead(begin, value, view)
    begin += f"{value:.2g}: "
    exact = approximate(p, view.L, view.threshold)  # the condition is on A, not on its rounding
    if abs(exact - 0.5) < abs(p - 0.5):
        return Statement(False, begin + "pulled towards 0.5, not away.")
    if (exact - 0.5) * (p - 0.5) < 0:
        return Statement(False, begin + "pushed to the other side of 0.5.")
    return Statement(True, begin + "pushed away from 0.5, as it should be.")


def _stays_open(view: AmplifierView) -> Statement:
    shown = f"1 - {view.t:g}" if view.t < 1e-3 else f"{1 - view.t:g}"
    begin = f"p = {shown} becomes "
    value, slope = at(view, 1 - view.t)
    if slope == 0:
        return _dead(begin, value, view)
    rest = slope / (view.L * value)  # 1 - A, as the format has it
    if value == 1.0:
        kept = f"its slope {slope:.1e} is kept, so the sample still learns."
        return Statement(True, f"{begin}1 - {rest:.1e}: it rounds to 1, but {kept}")
    near = f"1 - {rest:.1e}" if rest < 1e-3 else f"{value:.2g}"
    return Statement(True, f"{begin}{near}: still below 1, it can learn.")


def _dead(begin: str, value: float, view: AmplifierView) -> Statement:
    end = "0" if value < 0.5 else "1"
    return Statement(False, f"{begin}exactly {end} in {view.dtype}: no more update.")


def _value_and_slope(p: Tensor, view: AmplifierView) -> tuple[Tensor, Tensor]:
    """A and its slope at probabilities in float64, which are rounded to the format first."""
    amplifier = Amplifier(view.L, view.threshold, view.form)
    return amplifier.at(p.to(DTYPES[view.dtype]))
