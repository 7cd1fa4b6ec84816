"""When a training goes wrong: found in its history, explained, with what to try.

Collapsed: every row gets the same class and the loss stands still, as the engine's events say, for
some epochs. Frozen ('No More Update'): nearly no row has a gradient any more although rows are
still wrong. Diverged: the loss is no longer a number.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from anyloss_core.comparison.protocols import WARMED
from anyloss_core.engine.empty_batches import empty_batches
from anyloss_core.live.history import History
from anyloss_core.live.settings import RAMP_START
from anyloss_core.losses.spelling import LossSpec, Ramp

WINDOW = 15  # epochs that a collapse has to last
DEAD = 0.95  # share of rows without a slope that counts as frozen
FEW = 5  # rows of the rarer class in a batch below which its counts are too rough


@dataclass(frozen=True)
class Finding:
    """What happened to one loss, since when, and what to try."""

    loss: str
    kind: str  # collapsed, frozen or diverged
    epoch: int
    advice: tuple[str, ...]
    predicted: str = ""  # the only class that a collapsed model predicts
    dead: float = 0.0  # share of rows without a slope


def find(history: History, epoch: int | None = None) -> list[Finding]:
    """All findings up to an epoch."""
    end = len(history.epochs) if epoch is None else bisect_right(history.epochs, epoch)
    found = (_find_one(history, model, end) for model in range(len(history.losses)))
    return [finding for finding in found if finding is not None]


def small_batches(history: History) -> dict[str, str]:
    """Loss -> what to say of its batches, where they are too small for it."""
    settings, (negatives, positives) = history.settings, history.view["train"]
    rows = positives + negatives
    said = {
        loss: empty_batches(recipe, positives, rows, settings.stratified)
        for loss, recipe in zip(history.losses, settings.recipes(rows), strict=True)
    }
    return {loss: words for loss, words in said.items() if words is not None}


def _find_one(history: History, model: int, end: int) -> Finding | None:
    losses = history.column("losses")[:end, model]
    if not np.isfinite(losses).all():
        return _finding(history, model, "diverged", int(np.argmax(~np.isfinite(losses))))
    counts = history.column("train_hard")[:end, model]  # (E, 4): tn, fn, fp, tp
    dead = history.column("dead")[:end, model]
    collapsed = np.zeros(end, dtype=bool)
    if history.holds("collapsed"):
        collapsed = history.column("collapsed")[:end, model]
    since = _since(collapsed)
    if since < end and history.epochs[end - 1] - history.epochs[since] >= WINDOW - 1:
        only = str(history.view["classes"][int(counts[-1, 2:].sum() > 0)])
        return _finding(history, model, "collapsed", since, predicted=only, dead=float(dead[-1]))
    stuck = (dead >= DEAD) & (counts[:, 1:3].sum(-1) > 0)
    if stuck[-1]:
        return _finding(history, model, "frozen", _since(stuck), dead=float(dead[-1]))
    return None


def _since(flags: np.ndarray) -> int:
    """Where the run of True that lasts to the end begins."""
    off = np.flatnonzero(~flags)
    return int(off[-1]) + 1 if len(off) else 0


def _finding(history: History, model: int, kind: str, since: int, **more: Any) -> Finding:
    advice = tuple(_advise(history, model, kind))
    return Finding(history.losses[model], kind, history.epochs[since], advice, **more)


def _advise(history: History, model: int, kind: str) -> Iterator[str]:
    settings, spec = history.settings, history.settings.specs[model]
    if kind == "diverged":
        yield f"a smaller learning rate than {spec.lr or settings.lr:g}"
        return
    yield from _advise_on_softening(spec)
    train = history.view["train"]
    batch = settings.batch or sum(train)
    rare = batch * min(train) / sum(train)
    if rare < FEW and batch < sum(train):
        yield f"larger batches: {batch} rows hold about {rare:.1f} of the rarer class"
    if spec.score is None and spec.family != "sigmoid_f1":
        yield "a loss that looks at both classes, such as AnyLoss-F1 or weighted BCE"
    if settings.optimiser == "gd":
        yield "Adam instead of plain gradient descent, or a larger learning rate"
    else:
        yield "a smaller learning rate if it collapsed early, a larger one if it never began"


def _advise_on_softening(spec: LossSpec) -> Iterator[str]:
    if spec.family == "sol":
        yield "a wider window of thresholds, such as delta=0.3"
    constant = spec.L if spec.family == "anyloss" and not isinstance(spec.L, Ramp) else None
    if constant is not None and constant > RAMP_START:
        yield f"an L that grows from {RAMP_START:g}, or a smaller constant L than {constant:g}"
    if spec.family in WARMED and not spec.warm_up:
        yield "a BCE warm-up of 20 % of the epochs"
