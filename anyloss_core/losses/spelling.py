"""How losses are spelled: "anyloss:f1@L=5..73,warm_up=0.2" -> what to train with.

family[:metric][@key=value,...], and methods around BCE: bce+smote, bce+undersample, bce+threshold,
bce+search (forms of BCE, the best of them on inner folds, each with a tuned threshold),
bce+online_f1. Two classifiers of scikit-learn can be named beside them: REFERENCES.
The metric may be a typed formula. A wrong spelling lists what is possible and the nearest match.
"""

import difflib
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from anyloss_core.losses import losses
from anyloss_core.losses.approximation import AMPLIFIER, FORMS
from anyloss_core.losses.schedule import Phase, Ramp, Schedule, read_ramp
from anyloss_core.losses.scores import METRICS, Score, get_score
from anyloss_core.losses.softening import AUTHORS_SIGMOID_F1

SHARED_OPTIONS = ("lr", "schedule", "warm_up", "batch")
SCHEDULES = ("constant", "linear", "cosine")  # how the learning rate falls to 0 over the training
# Have no warm-up with BCE.
NEVER_WARM = ("mse", "adaline", "linear_mse", "weighted_bce", "focal", "lee")
METHODS = ("smote", "undersample", "threshold", "search", "online_f1")  # around BCE
# Outside references of a comparison: no losses, and trained by scikit-learn. See comparison.
REFERENCES = ("logistic_regression", "boosted_trees")
LONGEST = 2_000  # characters of a spelling: the longest formula, and options


class LossError(ValueError):
    """A spelling that names no loss; the message says what is possible."""


@dataclass(frozen=True)
class LossSpec:
    """A spelled loss, read and checked; `build()` gives the torch module."""

    spelling: str  # canonical: what was typed, tidied
    family: str
    score: Score | None = None
    method: str | None = None
    L: float | Ramp | None = None
    lr: float | None = None
    warm_up: float = 0.0  # share of the epochs trained with BCE first
    batch: float | None = None  # rows of a batch, or below 1 a share of the training rows
    schedule: str | None = None  # one of SCHEDULES; None leaves it to those who train
    options: dict[str, Any] = field(default_factory=dict)
    spelled: tuple[str, ...] = field(default=(), compare=False, repr=False)  # options typed

    @property
    def name(self) -> str:
        """The spelling without its options: what tables and legends show."""
        return self.spelling.split("@")[0]

    @property
    def is_reference(self) -> bool:
        """Whether it is no loss but one of scikit-learn's classifiers."""
        return self.family in REFERENCES

    def at(self, epoch: int, epochs: int) -> Phase:
        """What holds in epoch `epoch` (from 0): BCE at first, then L moves to its end."""
        return Schedule(self.L, self.warm_up).at(epoch, epochs)

    def warm_up_epochs(self, epochs: int) -> int:
        """The epochs trained with BCE first, of so many."""
        return round(self.warm_up * epochs)

    def build(self) -> losses.Loss:
        """The torch module; a ramp of L is taken at its end."""
        options = {k: v for k, v in self.options.items() if k not in ("ratio", "metric")}
        if self.L is not None:
            options["L"] = self.L.end if isinstance(self.L, Ramp) else self.L
        make = FAMILIES[self.family].make
        return make(self.score, **options) if self.score else make(**options)


@dataclass(frozen=True)
class Family:
    """A kind of loss: its module, whether a metric follows the colon, its own options.

    One that is not `listed` can be spelled but is not offered: a form of another one.
    """

    make: Callable[..., losses.Loss]
    takes_metric: bool = False
    options: tuple[str, ...] = ()
    listed: bool = True


FAMILIES: dict[str, Family] = {
    "bce": Family(losses.BCELoss),
    "mse": Family(losses.MSELoss),
    "adaline": Family(partial(losses.SquaredErrorLoss, -1.0, 1.0, 1.0), listed=False),
    "linear_mse": Family(partial(losses.SquaredErrorLoss, 0.0, 1.0, 2.0), listed=False),
    "weighted_bce": Family(losses.WeightedBCELoss, options=("pos_weight", "power")),
    "focal": Family(losses.FocalLoss, options=("gamma", "alpha")),
    "anyloss": Family(losses.AnyLoss, True, ("L", "threshold", "form")),
    "sol": Family(losses.SOL, True, ("distribution", "mu", "delta")),
    "soft": Family(losses.SoftLoss, True),
    "lee": Family(losses.LeeLoss, True, ("pos_weight",)),
    "sigmoid_f1": Family(losses.SigmoidF1Loss, options=("beta", "eta", "variant")),
}
_METHOD_OPTIONS = {
    "smote": ("ratio",),
    "undersample": ("ratio",),
    "threshold": ("metric",),
    "search": ("metric",),
    "reference": ("metric",),
}
_WORDS = {
    "form": FORMS,
    "distribution": ("cosine", "uniform"),
    "variant": tuple(AUTHORS_SIGMOID_F1),
    "schedule": SCHEDULES,
}


def get_loss(spelling: str, stacked: bool = False) -> losses.Loss:
    """The torch module of a spelling such as "bce" or "anyloss:f1@L=50"."""
    spec = parse_loss(spelling)
    if spec.is_reference:
        raise LossError(f"{spec.name!r} is trained by scikit-learn; use it in compare()")
    if spec.method:
        raise LossError(f"{spec.name!r} is a method around BCE, not a loss; use it in compare()")
    return spec.build().stack() if stacked else spec.build()


def parse_loss(spelling: str | LossSpec) -> LossSpec:
    """Read a spelling; a LossError says what is wrong with it and what is near."""
    if isinstance(spelling, LossSpec):
        return spelling
    if not isinstance(spelling, str) or not spelling.strip():
        raise LossError(f"a loss must be spelled as text, got {spelling!r:.40}; {_possible()}")
    if len(spelling) > LONGEST:
        raise LossError(f"the loss has {len(spelling):,} characters; at most {LONGEST:,} fit")
    head, _, tail = spelling.partition("@")
    head, _, metric = head.partition(":")
    head, plus, method = head.strip().lower().partition("+")
    if head in REFERENCES and not (plus or metric):
        return _reference(head, tail, spelling)
    family = FAMILIES.get(head)
    if family is None:
        raise LossError(f"unknown loss {spelling.strip()!r}; {_nearest(head)}{_possible()}")
    if plus and (head != "bce" or method not in METHODS):
        known = [f"bce+{name}" for name in METHODS]
        near = _near(f"bce+{method}", known)
        raise LossError(f"unknown method {spelling.strip()!r}; {near}there are {', '.join(known)}")
    score = _metric(head, metric, family, spelling)
    general = [key for key in SHARED_OPTIONS if key != "warm_up" or head not in NEVER_WARM]
    allowed = (*general, *family.options, *_METHOD_OPTIONS.get(method, ()))
    typed = _options(tail, allowed, spelling)
    options = {key: _value(key, text, spelling) for key, text in typed.items()}
    if head == "anyloss":
        options.setdefault("L", AMPLIFIER)
    base = head + (f"+{method}" if method else "") + (f":{score.name}" if score else "")
    shared = {key: options.pop(key) for key in ("L", *SHARED_OPTIONS) if key in options}
    tidy = ",".join(f"{key}={text}" for key, text in typed.items())
    spec = LossSpec(
        spelling=base + (f"@{tidy}" if tidy else ""),
        family=head,
        score=score,
        method=method or None,
        options=options,
        spelled=tuple(typed),
        **shared,
    )
    if not method:
        _check_buildable(spec)
    return spec


def _reference(head: str, tail: str, spelling: str) -> LossSpec:
    """A classifier of scikit-learn; `metric` is what its threshold is tuned for, as of BCE."""
    typed = _options(tail, _METHOD_OPTIONS["reference"], spelling)
    options = {key: _value(key, text, spelling) for key, text in typed.items()}
    tidy = ",".join(f"{key}={text}" for key, text in typed.items())
    name = head + (f"@{tidy}" if tidy else "")
    return LossSpec(name, head, method="reference", options=options, spelled=tuple(typed))


def split_losses(text: str) -> list[str]:
    """A comma-separated list of spellings; commas in brackets and before key=value stay inside."""
    joined: list[str] = []
    for piece in _at_commas(text):
        if joined and "@" in joined[-1] and re.match(r"\w+\s*=", piece):
            joined[-1] += f",{piece}"
        else:
            joined.append(piece)
    return joined


def _at_commas(text: str) -> list[str]:
    """The parts between commas that stand outside brackets, without empty ones."""
    pieces: list[str] = []
    depth = start = 0
    for index, character in enumerate(text + ","):
        depth += (character == "(") - (character == ")")
        if character == "," and depth <= 0:
            pieces.append(text[start:index].strip())
            start = index + 1
    return [piece for piece in pieces if piece]


def _metric(head: str, metric: str, family: Family, spelling: str) -> Score | None:
    if family.takes_metric and not metric.strip():
        raise LossError(
            f"{spelling.strip()!r} needs a metric, for example {head}:f1; {_possible()}"
        )
    if metric.strip() and not family.takes_metric:
        raise LossError(f"{head!r} takes no metric, got {spelling.strip()!r}; write {head!r}")
    return get_score(metric) if family.takes_metric else None


def _options(tail: str, allowed: tuple[str, ...], spelling: str) -> dict[str, str]:
    """The options as typed, under their proper names."""
    options: dict[str, str] = {}
    for part in _at_commas(tail):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        match = next((name for name in allowed if name.lower() == key.lower()), None)
        if match is None or not equals:
            near = _near(key, allowed)
            known = ", ".join(f"{name}=" for name in allowed)
            raise LossError(
                f"{part!r} in {spelling.strip()!r} is no option; {near}there are {known}"
            )
        if match in options:
            raise LossError(f"{match} is given twice in {spelling.strip()!r}; keep one")
        options[match] = value
    return options


def _value(key: str, text: str, spelling: str) -> Any:
    if key == "metric":
        return get_score(text).name
    if key in _WORDS:
        if text not in _WORDS[key]:
            raise LossError(f"{key} must be one of {', '.join(_WORDS[key])}, got {text!r}")
        return text
    if key == "L" and ".." in text:
        try:
            return read_ramp(text)
        except ValueError as error:
            raise LossError(f"{error} in {spelling.strip()!r}") from None
    return _number(key, text, spelling)


def _number(key: str, text: str, spelling: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise LossError(f"{key} must be a number, got {text!r} in {spelling.strip()!r}") from None
    low, high = (0.0, 1.0) if key == "warm_up" else (-math.inf, math.inf)
    positive = key in ("L", "lr", "batch", "ratio", "pos_weight")
    if not (math.isfinite(value) and low <= value <= high) or (positive and value <= 0):
        wanted = "from 0 to 1" if key == "warm_up" else "positive" if positive else "finite"
        raise LossError(f"{key} must be {wanted}, got {text} in {spelling.strip()!r}")
    return value


def _check_buildable(spec: LossSpec) -> None:
    try:
        spec.build()
    except ValueError as error:
        raise LossError(f"{spec.spelling!r}: {error}") from None


def _possible() -> str:
    names = [f"{name}:METRIC" if family.takes_metric else name for name, family in FAMILIES.items()]
    names += [*(f"bce+{method}" for method in METHODS), *REFERENCES]
    metrics = f"{', '.join(METRICS)}, any f<beta>, or a formula"
    return f"there are {', '.join(names)}; METRIC is one of {metrics}"


def _nearest(head: str) -> str:
    names = (*FAMILIES, *REFERENCES)
    return f"did you mean 'anyloss:{head}'? " if head in METRICS else _near(head, names)


def _near(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {near[0]!r}? " if near else ""
