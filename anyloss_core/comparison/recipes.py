"""Which recipes are tried for a loss that leaves its recipe open, and on which inner folds.

Under 'fresh' `anyloss:f1` without options means: the plan's L and warm-up, or another of the plan's
candidates where the inner folds show that it is better. SOL has the same choice among its
distributions, and `bce+search` among forms of BCE, each with a tuned threshold. Whatever is spelled
out (`anyloss:f1@L=73`) stays as it is. Which candidate is taken is left to `choice`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
from sklearn.model_selection import StratifiedKFold

from anyloss_core.comparison.protocols import LARGE, Plan, trained_as
from anyloss_core.comparison.settings import amplifier_text
from anyloss_core.losses.spelling import LossSpec, parse_loss

INNER_FOLDS = 5  # on which thresholds and recipes are judged, as many as in scikit-learn
LEAST = 2  # rows of the rarer class that an inner fold needs to choose a recipe
RATES = (1.0, 1 / 3, 3.0)  # of bce+search, times the usual one, which comes first
FORMS = (
    "weighted_bce",
    "weighted_bce@power=0.5",
    "focal@alpha=0.25",
    "focal@alpha=0.75",
)  # of bce+search, beside BCE at three rates
DISTRIBUTIONS = (  # of SOL; the first is its default
    "distribution=cosine",
    "distribution=uniform",
    "distribution=cosine,delta=0.3",
)


def is_automatic(spec: LossSpec, plan: Plan) -> bool:
    """Whether a loss has its recipe chosen on inner folds."""
    searched = spec.family in ("anyloss", "sol") and not spec.spelled and bool(plan.search)
    return searched or spec.method == "search"


def choosing(specs: Iterable[LossSpec], plan: Plan) -> tuple[str, ...]:
    """The spellings of those that do."""
    return tuple(spec.spelling for spec in specs if is_automatic(spec, plan))


def candidates(spec: LossSpec, plan: Plan, rate: float) -> tuple[LossSpec, ...]:
    """What is tried, the default first; one entry where nothing is left open.

    Each is spelled out, as `anyloss:f1@L=10,warm_up=0`. `rate` is the usual learning rate.
    """
    if spec.method == "search":
        return tuple(_forms_of_bce(spec, rate))
    usual = trained_as(spec, plan)
    if not is_automatic(spec, plan):
        return (usual,)
    if spec.family == "sol":
        texts = [f"{option},warm_up={warm_up:g}" for option, warm_up in _sols(usual)]
    else:
        pairs = dict.fromkeys([(usual.L, usual.warm_up), *plan.search])
        texts = [f"L={amplifier_text(L)},warm_up={warm_up:g}" for L, warm_up in pairs]
    return tuple(parse_loss(f"{spec.name}@{text}") for text in texts)


def recipe_text(spec: LossSpec) -> str:
    """What tells a candidate from the others: 'L=10,warm_up=0', 'weighted_bce'."""
    name, _, options = spec.spelling.partition("@")
    return options if spec.score else spec.spelling if options else name


def inner_splits(labels: np.ndarray, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The inner folds of training rows with these labels: positions to learn from, to be judged.

    A large table has one instead of five: a fifth of its rows judges well enough. None where a
    class has a single row.
    """
    parts = min(INNER_FOLDS, int(np.bincount(labels, minlength=2).min()))
    if parts < 2:
        return
    splitter = StratifiedKFold(parts, shuffle=True, random_state=seed)
    yield from islice(splitter.split(labels, labels), used_folds(len(labels)))


def used_folds(rows: int) -> int:
    """How many inner folds are trained for so many training rows."""
    return 1 if rows > LARGE else INNER_FOLDS


def enough_to_choose(labels: np.ndarray) -> bool:
    """Whether every inner fold has rows enough of the rarer class to choose a recipe by."""
    return np.unique(labels, return_counts=True)[1].min() >= LEAST * INNER_FOLDS


def training_key(spec: LossSpec) -> str:
    """Equal for losses whose models are the same: all but the threshold, which comes afterwards."""
    options = {name: value for name, value in spec.options.items() if name != "metric"}
    method = None if spec.method in ("threshold", "search") else spec.method
    return repr(replace(spec, spelling="", options=options, method=method))


def _forms_of_bce(spec: LossSpec, rate: float) -> Iterator[LossSpec]:
    plain = replace(spec, spelling="bce", method=None, options={})
    for factor in RATES:
        own = plain if factor == 1 else replace(plain, lr=factor * rate)
        yield replace(own, spelling="bce" if factor == 1 else f"bce@lr={factor * rate:.3g}")
    for text in FORMS:
        yield replace(parse_loss(text), lr=spec.lr, schedule=spec.schedule, batch=spec.batch)


def _sols(usual: LossSpec) -> Iterator[tuple[str, float]]:
    """SOL's distributions after the usual warm-up, and the first two without one."""
    yield from ((option, usual.warm_up) for option in DISTRIBUTIONS)
    yield from ((option, 0.0) for option in DISTRIBUTIONS[:2])
