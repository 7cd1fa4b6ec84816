"""What somebody wants: a metric, a cost, a floor or a formula of their own.

A goal is spelled as text, so that a link, a run, the command line and a report can hold it:

    f1                                          any metric
    cost: miss=50, alarm=1, hit=10, in=EUR      money per case
    precision at recall >= 0.9                  a rate while another is held
    TP / (TP + FP + FN)                         a formula of one's own

Whatever trains, tunes and judges receives the goal as one metric or formula (`metric`); the goal
itself adds its words, and how its scores are read: money per 1,000 rows, whether a floor holds.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from anyloss_core.common.goal_formulas import (
    RATES,
    cost_formula,
    floor_formula,
    read_cost,
    read_floor,
)
from anyloss_core.common.wording import floor_words, metric_words
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import METRICS, get_score

KINDS = ("metric", "cost", "floor", "formula")
DEFAULT = "f1"
PER = 1_000  # rows to which money and alarms are scaled
LARGEST_PRICE = 1e9
_PRICES = ("miss", "alarm", "hit")
_FLOOR = re.compile(r"([a-z_]\w*)(?: at |@)([a-z_]\w*) *(?:>=|≥) *([0-9.]+)( ?%)?", re.IGNORECASE)
_CURRENCY = re.compile(r"[^\d\s=,;:]{0,8}")


class GoalError(ValueError):
    """A goal that cannot be used; the message says what to write."""


@dataclass(frozen=True)
class Goal:
    """One thing to maximise; `parse_goal`, `cost_goal` and `floor_goal` make them."""

    kind: str  # one of KINDS
    metric: str  # the metric or formula that everything else receives
    miss: float = 0.0  # what a missed positive costs, per case
    alarm: float = 0.0  # what a false alarm costs
    hit: float = 0.0  # what a positive that is found earns
    currency: str = ""
    wanted: str = ""  # the rate that a floor leaves free
    held: str = ""  # the rate that has to reach `floor`
    floor: float = 0.0

    @property
    def text(self) -> str:
        """How it is spelled; `parse_goal` reads it back."""
        if self.kind == "cost":
            prices = ", ".join(f"{name}={getattr(self, name):g}" for name in _PRICES)
            return f"cost: {prices}" + (f", in={self.currency}" if self.currency else "")
        if self.kind == "floor":
            return f"{self.wanted} at {self.held} >= {self.floor:g}"
        return self.metric

    @property
    def loss(self) -> str:
        """AnyLoss of this goal, its recipe chosen on inner folds."""
        return f"anyloss:{self.metric}"

    @property
    def words(self) -> str:
        """'F1', 'money in EUR', 'precision at recall ≥ 0.9'."""
        if self.kind == "cost":
            return f"money in {self.currency}" if self.currency else "money"
        if self.kind == "floor":
            return floor_words(self.wanted, self.held, self.floor)
        return metric_words(self.metric)

    @property
    def columns(self) -> tuple[str, ...]:
        """The metrics that say the most about it, itself first."""
        usual = ("precision", "recall", "accuracy", "balanced_accuracy", "mcc")
        own = (self.wanted, self.held) if self.kind == "floor" else ()
        return tuple(dict.fromkeys((self.metric, *own, *usual)))[:6]

    def money(self, counts: Counts[float]) -> float:
        """What a cost comes to per 1,000 rows: negative where it costs more than it earns."""
        earned = self.hit * counts.tp - self.miss * counts.fn - self.alarm * counts.fp
        return PER * earned / max(sum(counts), 1.0)

    def money_of(self, score: float, share: float) -> float:
        """The same from a score, or from a difference of scores, and the share of positives."""
        return PER * score * (self.miss + self.hit) * share

    def holds(self, counts: Counts[float]) -> float:
        """The probability that a floor holds on new rows, from counts of held-out rows.

        Beta posterior of the held rate with Jeffreys' prior; 1 for a goal without a floor.
        """
        return float(self.chances(counts)) if self.kind == "floor" else 1.0

    def chances(self, counts: Counts[Any]) -> np.ndarray:
        """The same for the counts of many thresholds; for a floor."""
        from scipy.special import betaincc

        good, bad = _OF_RATE[self.held]
        met, missed = getattr(counts, good), getattr(counts, bad)
        return np.asarray(betaincc(met + 0.5, missed + 0.5, self.floor))


_OF_RATE = {  # what counts for a rate and what against it
    "precision": ("tp", "fp"),
    "recall": ("tp", "fn"),
    "specificity": ("tn", "fp"),
    "npv": ("tn", "fn"),
}


def parse_goal(text: str | Goal) -> Goal:
    """Read a goal; a GoalError or FormulaError says what is wrong with it."""
    if isinstance(text, Goal):
        return text
    if not isinstance(text, str) or not text.strip():
        raise GoalError("a goal must be a metric, a cost, a floor or a formula: f1, for example")
    text = text.strip()
    if found := _FLOOR.fullmatch(text):
        return floor_goal(found[1].lower(), found[2].lower(), _share(found[3], bool(found[4])))
    if text.lower().startswith("cost:") and "=" in text:  # no formula has one
        return _typed_cost(text[5:])
    return formula_goal(text)


def cost_goal(miss: float, alarm: float, hit: float = 0.0, currency: str = "") -> Goal:
    """A price for each kind of case, all of them from 0 on."""
    prices: dict[str, Any] = dict(zip(_PRICES, (miss, alarm, hit), strict=True))
    for name, price in prices.items():
        if not (math.isfinite(price) and 0 <= price <= LARGEST_PRICE):
            raise GoalError(f"{name} must be an amount from 0 to {LARGEST_PRICE:g}, got {price}")
    if not miss + hit:
        raise GoalError("finding a positive must be worth something: give miss or hit a price")
    if not alarm:
        raise GoalError("a false alarm must cost something, or every row should raise an alarm")
    if not _CURRENCY.fullmatch(currency):
        raise GoalError(f"a currency is a short word such as EUR, got {currency[:20]!r}")
    return Goal("cost", cost_formula(miss, alarm, hit), miss, alarm, hit, currency)


def floor_goal(wanted: str, held: str, floor: float) -> Goal:
    """The most of one rate while another is at least `floor`."""
    for rate in (wanted, held):
        if rate not in RATES:
            raise GoalError(f"a floor takes two of {', '.join(RATES)}, got {rate!r}")
    if wanted == held:
        raise GoalError(f"{wanted} is wanted and held; hold another rate")
    if not 0 < floor < 1:
        raise GoalError(f"a floor lies between 0 and 1, got {floor:g}")
    formula = floor_formula(wanted, held, floor)
    return Goal("floor", formula, wanted=wanted, held=held, floor=floor)


def formula_goal(metric: str) -> Goal:
    """A metric or a formula; one that a cost or a floor is made of is that cost or floor."""
    metric = get_score(metric).name
    if cost := read_cost(metric):
        return cost_goal(*cost)
    if held := read_floor(metric):
        return floor_goal(*held)
    known = metric in METRICS or re.fullmatch(r"f[\d.]+", metric)
    return Goal("metric" if known else "formula", metric)


def _typed_cost(text: str) -> Goal:
    """'miss=50, alarm=1, hit=10, in=EUR'; what is left out is 0."""
    prices, currency = dict.fromkeys(_PRICES, 0.0), ""
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key.lower() == "in":
            currency = value
        elif key.lower() in prices:
            prices[key.lower()] = _amount(key, value)
        else:
            raise GoalError(f"{key!r} is no part of a cost; write cost: miss=50, alarm=1, hit=10")
    return cost_goal(**prices, currency=currency)


def _amount(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GoalError(f"{name} must be an amount of money, got {text[:20]!r}") from None


def _share(text: str, percent: bool) -> float:
    value = _amount("a floor", text)
    return value / 100 if percent else value
