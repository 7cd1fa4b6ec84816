"""Counts -> score: every metric is a formula, built in or typed, soft or hard counts alike.

A score's value and its slopes with respect to the four counts come from the same expression tree,
so a typed formula is evaluated, explained, differentiated and trained exactly like a built-in one.
Undefined ratios count as 0, which is scikit-learn's value for reporting; Cohen's kappa of a single
class, NaN there, is 0 here.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anyloss_core.losses.confusion import Counts, Entry
from anyloss_core.losses.expression import LEAVES, Node
from anyloss_core.losses.formula import MAX_LENGTH, FormulaError, parse_formula
from anyloss_core.losses.program import EACH_COUNT, NEGATIVE, POSITIVE, Program, bare_value
from anyloss_core.losses.typeset import latex

RANDOM_TABLES = 2_000  # confusion matrices a formula is tried on
_TABLE_SIZES = (1, 2, 10, 100, 10_000)
_MOST_ROWS = 1e6  # up to which a formula has to work in float32
_LEAST_COUNT = 0.01  # below this a ratio of counts may have any slope
_MOVES = 1e-9  # a slope smaller than this is none
_NAMED = re.compile(r"\s*([^\W\d_][\w .%-]{0,39}?)\s*:(.*)", re.DOTALL)


@dataclass(frozen=True)
class Score:
    """A named function of the counts that rises as predictions improve."""

    name: str
    text: str  # the formula, as a person would write it
    tree: Node
    range: tuple[float, float]

    def __post_init__(self) -> None:
        # Made at once and not when first asked for: that may be inside torch.compile.
        self.__dict__["_value"] = Program([self.tree])
        self.__dict__["_slopes"] = Program([self.tree], [POSITIVE, NEGATIVE])

    def __call__(self, counts: Counts[Entry]) -> Entry:
        """The score (...,) of counts (...,): tensors give a tensor, numbers a number."""
        if any(isinstance(entry, Tensor) for entry in counts):
            return _ScoreOfCounts.apply(self, *_float_tensors(counts))
        numbers = Counts(*(np.asarray(entry, dtype=np.float64) for entry in counts))
        value: Any = self.value_program(numbers)[0]
        return value[()]

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: programs are made anew."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def loss(self, value: Entry) -> Entry:
        """A score as a loss: 0 at the best value of its range, 1 at the worst."""
        low, high = self.range
        return (high - value) / (high - low)

    @property
    def loss_slope(self) -> float:
        """d loss / d score."""
        return -1.0 / (self.range[1] - self.range[0])

    @property
    def latex(self) -> str:
        return latex(self.tree)

    @property
    def value_program(self) -> Program:
        """Counts -> the score."""
        program: Program = self.__dict__["_value"]
        return program

    @property
    def class_slopes(self) -> Program:
        """Counts -> the score, and how it moves with soft labels of positives and negatives."""
        program: Program = self.__dict__["_slopes"]
        return program

    @cached_property
    def _partial_slopes(self) -> Program:
        return Program([self.tree], EACH_COUNT)

    @cached_property
    def report(self) -> FormulaReport:
        """What is found when the formula is tried on random and extreme confusion matrices."""
        return probe(self.tree)


@dataclass(frozen=True)
class FormulaReport:
    """The range a formula shows over many confusion matrices, and what a user should know."""

    low: float
    high: float
    warnings: tuple[str, ...]
    is_cost: bool = False  # it falls as predictions improve, and never rises

    @property
    def is_constant(self) -> bool:
        return self.high - self.low < _MOVES


def get_score(name: str | Score) -> Score:
    """A metric by name (f1, f0.5, gmean, mcc ...) or any formula in TP, TN, FP, FN.

    A formula may have a name of its own: 'Net value: (5*TP - FP) / (5*P)'.
    """
    if isinstance(name, Score):
        return name
    if not isinstance(name, str):
        raise FormulaError(f"a metric must be a name or a formula, got {type(name).__name__}")
    own, text = split_name(name)
    return _named(own, text) if own else _unnamed(text)


def split_name(text: str) -> tuple[str, str]:
    """('Net value', formula) of 'Net value: formula'; ('', text) where there is no name."""
    found = _NAMED.fullmatch(text) if len(text) <= MAX_LENGTH else None
    return (found[1], found[2].strip()) if found else ("", text)


@lru_cache(maxsize=256)
def _named(own: str, text: str) -> Score:
    if own.lower() in METRICS or re.fullmatch(r"f\d+(\.\d*)?", own.lower()):
        raise FormulaError(f"{own!r} is a metric already; give the formula another name")
    score = _unnamed(text)
    return replace(score, name=f"{own}: {score.text}")


def _unnamed(name: str) -> Score:
    if len(name) > MAX_LENGTH or not name.isascii():
        return formula_score(name)  # which refuses it, before anything looks at all of it
    wanted = name.strip().lower()
    if wanted in METRICS:
        return METRICS[wanted]
    if beta := re.fullmatch(r"f(\d+(?:\.\d*)?|\.\d+)", wanted):
        return f_beta(float(beta[1]))
    words = re.findall(r"\w+", wanted.upper())
    if re.fullmatch(r"[a-z_][\w .-]*", wanted) and not set(words) & set(LEAVES):
        near = difflib.get_close_matches(wanted, METRICS, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        known = ", ".join(METRICS)
        raise FormulaError(f"unknown metric {name.strip()!r}; {hint}there are {known}, any f<beta>")
    return formula_score(name)


@lru_cache(maxsize=256)
def formula_score(text: str) -> Score:
    """A score from typed text; its range decides how it becomes a loss."""
    tree = parse_formula(text)
    found = probe(tree)
    if not math.isfinite(found.low) or not math.isfinite(found.high):
        raise FormulaError(
            "the score grows beyond all numbers; use a ratio or smaller powers", text
        )
    _check_float32(tree, text)
    bipolar = found.low < -1e-9 and found.low >= -1 - 1e-9 and found.high <= 1 + 1e-9
    return Score(text.strip(), text.strip(), tree, (-1.0, 1.0) if bipolar else (0.0, 1.0))


def f_beta(beta: float) -> Score:
    """F-beta: recall counts beta times as much as precision."""
    if not 0 < beta <= 1_000:
        raise FormulaError(f"beta of an F score must be between 0 and 1000, got {beta:g}")
    square = f"{beta**2:.12g}"
    weight = f"{1 + beta**2:.12g}"
    # One shape for every beta, the factor 1 included: all F scores of a stack run as one program.
    tree = parse_formula(f"{weight} * TP / ({weight} * TP + {square} * FN + FP)")
    missed = "FN" if beta == 1 else f"{square} * FN"
    return Score(f"f{beta:g}", f"{weight} * TP / ({weight} * TP + {missed} + FP)", tree, (0.0, 1.0))


def probe(tree: Node) -> FormulaReport:
    """Try a formula on random and extreme counts: its range and what is odd about it."""
    counts = _tables()
    undefined = ~np.isfinite(bare_value(tree, counts) + counts.tp * 0)
    value, found, alarmed = Program([tree], [POSITIVE, NEGATIVE])(counts)
    low, high = float(value.min()), float(value.max())
    warnings = []
    if low < -1e-9 or high > 1 + 1e-9:
        warnings.append(f"the score can leave [0, 1]: from {low:.4g} to {high:.4g} were seen")
    inside = ~undefined & (np.minimum.reduce(counts) > 0)
    found, avoided = found[inside], -alarmed[inside]
    for better, gains in (
        ("a missed positive is found (FN to TP)", found),
        ("a false alarm is avoided (FP to TN)", avoided),
    ):
        if gains.min(initial=0.0) < -_MOVES:
            warnings.append(f"the score can fall when {better}")
        elif gains.max(initial=0.0) < 1e-12:
            warnings.append(f"the score never rises when {better}")
    if undefined.any():
        example = ", ".join(
            f"{name.upper()}={getattr(counts, name)[undefined][0]:g}" for name in Counts._fields
        )
        warnings.append(f"the score is undefined somewhere, e.g. at {example}; 0 is used for x/0")
    gains = np.concatenate([found, avoided])
    is_cost = bool(gains.max(initial=0.0) <= _MOVES and gains.min(initial=0.0) < -_MOVES)
    return FormulaReport(low, high, tuple(warnings), is_cost)


def _check_float32(tree: Node, text: str) -> None:
    """Refuse what is fine in float64 and no number, or without a slope, in float32."""
    counts = np.stack(_tables())
    counts = np.concatenate([counts, counts / counts.sum(0) * _MOST_ROWS], 1)
    counts = counts[:, counts.min(0) >= _LEAST_COUNT].astype(np.float32)
    found = Program([tree], [POSITIVE, NEGATIVE, *EACH_COUNT])(Counts(*counts))
    if not (known := np.isfinite(found).all(0)).all():
        worst = counts[:, ~known][:, 0]
        example = ", ".join(
            f"{name.upper()}={n:g}" for name, n in zip(Counts._fields, worst, strict=True)
        )
        raise FormulaError(
            f"the score has no value or slope in float32, e.g. at {example}; divide the counts by N"
            " first, or use smaller powers and numbers",
            text,
        )


@lru_cache(maxsize=1)
def _tables() -> Counts[np.ndarray]:
    """Random confusion matrices of several sizes and all those with entries 0 or 1 or n."""
    random = np.random.default_rng(0)
    shares = random.dirichlet([0.5] * 4, RANDOM_TABLES)
    sizes = random.choice(_TABLE_SIZES, RANDOM_TABLES)[:, None]
    corners = np.stack(np.meshgrid(*[[0.0, 1.0, 1e4]] * 4), -1).reshape(-1, 4)
    whole = np.round(shares * sizes)
    tables = np.concatenate([shares * sizes, whole, corners])
    return Counts(*tables[tables.sum(1) > 0].T)


def _float_tensors(counts: Counts[Any]) -> list[Tensor]:
    """Whole numbers, and plain ones beside tensors, as tensors in which a ratio can be held."""
    floats = [
        entry.dtype for entry in counts if isinstance(entry, Tensor) and entry.is_floating_point()
    ]
    dtype = floats[0] if floats else torch.float64  # as `hard_counts` gives
    return [torch.as_tensor(entry, dtype=dtype) for entry in counts]


class _ScoreOfCounts(torch.autograd.Function):
    """A score as one step of autograd: its slopes are known, and are differentiable themselves."""

    generate_vmap_rule = True

    @staticmethod
    def forward(score: Score, *counts: Tensor) -> Tensor:
        return run_program(score.value_program, Counts(*counts))[0]

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        ctx.score, *counts = inputs
        ctx.save_for_backward(*counts)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        _, *slopes = run_program(ctx.score._partial_slopes, Counts(*ctx.saved_tensors))
        return (None, *(gradient * slope for slope in slopes))


def run_program(program: Program, counts: Counts[Tensor]) -> list[Any]:
    """Value and slopes of tensors; constant ones get the shape of the counts."""
    found: list[Any] = program.run(program.leaves(counts))
    shape = counts.tp.shape
    return [
        value if isinstance(value, Tensor) and value.shape == shape else value + counts.tp * 0.0
        for value in found
    ]


def _metric(name: str, text: str, low: float = 0.0, expression: str | None = None) -> Score:
    return Score(name, text, parse_formula(expression or text), (low, 1.0))


# An absent class is left out of the mean, as in scikit-learn: P/P is 1, or 0 without positives.
_MEAN_RECALL = "(TP / P + TN / NEG) / (P / P + NEG / NEG)"
_KAPPA = "2 * (TP * TN - FN * FP) / ((TP + FP) * (FP + TN) + (TP + FN) * (FN + TN))"
_MCC = "(TP * TN - FP * FN) / sqrt((TP + FP) * (TP + FN) * (TN + FP) * (TN + FN))"

METRICS: dict[str, Score] = {
    score.name: score
    for score in (
        _metric("accuracy", "(TP + TN) / N"),
        _metric("precision", "TP / (TP + FP)"),
        _metric("recall", "TP / P"),
        _metric("specificity", "TN / NEG"),
        _metric("npv", "TN / (TN + FN)"),
        f_beta(1.0),
        f_beta(0.5),
        f_beta(2.0),
        _metric("gmean", "sqrt((TP / P) * (TN / NEG))"),
        _metric("balanced_accuracy", "(TP / P + TN / NEG) / 2", expression=_MEAN_RECALL),
        _metric("jaccard", "TP / (TP + FP + FN)"),
        _metric("fowlkes_mallows", "TP / sqrt((TP + FP) * (TP + FN))"),
        _metric("mcc", _MCC, low=-1.0),
        _metric("kappa", _KAPPA, low=-1.0),
        _metric("youden", "TP / P + TN / NEG - 1", low=-1.0),
        _metric("markedness", "TP / (TP + FP) + TN / (TN + FN) - 1", low=-1.0),
    )
}
