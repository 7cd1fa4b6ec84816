"""Losses over counts: 1 - score of softened outputs, as torch modules.

AnyLoss, SOL, soft-F1 and sigmoidF1 differ in the softening alone. A module reads its inputs, keeps
what a training has to remember (the phase, the sums of earlier batches) and leaves the maths to
`functional`. On plain tensors on the CPU value and gradient are worked out in one step instead.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import fields, replace
from typing import Any, Self, Unpack, cast

import torch
from torch import Tensor

from anyloss_core.losses.approximation import AMPLIFIER, THRESHOLD, largest_amplifier
from anyloss_core.losses.base import Loss
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.functional import (
    FIXED_AMPLIFIER,
    averaged,
    class_sums,
    counts_of_sums,
    cross_entropy,
    dot,
    entropies,
    read_samples,
    soften,
    without_traces,
)
from anyloss_core.losses.inputs import can_look, check_slope
from anyloss_core.losses.messages import (
    absences,
    constant_score,
    no_gradient,
    rounded_amplifier,
    standing_schedule,
    warn_once,
)
from anyloss_core.losses.schedule import Ramp, Schedule, read_ramp
from anyloss_core.losses.scores import METRICS, Score, get_score
from anyloss_core.losses.shapes import Classes, Options, Reading, Samples, are_several
from anyloss_core.losses.softening import (
    AUTHORS_SIGMOID_F1,
    COSINE_CENTRE,
    COSINE_HALF_WIDTH,
    Amplifier,
    FromProbabilities,
    RaisedCosine,
    SigmoidF1,
    Softening,
    Uniform,
    number_like,
)
from anyloss_core.losses.totals import Totals


class Settings(Options, total=False):
    """What every loss over counts takes: see `shapes` and `Totals`."""

    memory: float
    sync: bool


class CountsLoss(Loss):
    """1 - f(TN, FN, FP, TP) over soft counts: a score and a softening make a loss.

    Outputs and labels (B,) or (B, 1) are one model; (B, C) with class numbers (B,) or with 0/1
    labels (B, C) are several classes or labels, of which `average` ("macro", "micro", "weighted")
    makes one value and None one each. `stacked=True` reads (M, B) as M models.
    `memory` and `sync` say which rows the counts are of: see `Totals`.
    """

    def __init__(
        self,
        metric: str | Score,
        softening: Softening,
        memory: float = 0.0,
        sync: bool = True,
        **options: Unpack[Options],
    ) -> None:
        super().__init__()
        self.score = get_score(metric)
        self.softening = softening
        self.reading = Reading(**options)
        self.totals = Totals(memory, sync)
        self._looked = False

    def forward(
        self, logits: Tensor, labels: Tensor, sample_weight: Tensor | None = None
    ) -> Tensor:
        """The loss of outputs and labels; one number, unless classes or models stay apart."""
        return self.of(read_samples(logits, labels, sample_weight, self.reading))

    def of(self, samples: Samples) -> Tensor:
        """The loss of samples, on the quicker way where there is one."""
        self._look_at_settings(samples.outputs)
        one_each = self.reading.stacked or not are_several(samples)
        quick = one_each and can_look(samples.outputs) and not self.totals.are_larger
        return self.fused(samples) if quick else self.plain(samples)

    def plain(self, samples: Samples) -> Tensor:
        sums = class_sums(samples, *self.summed(samples))
        return self.of_sums(self.totals(sums), samples.exclusive)

    def summed(self, samples: Samples) -> list[Tensor]:
        """What is summed over each class: soft labels (..., B)."""
        return [soften(samples, self.softening, self.reading)]

    def of_sums(self, sums: Tensor, exclusive: bool) -> Tensor:
        """The loss from what has been summed, (4, ...)."""
        self._look_at_sums(sums, exclusive)
        return averaged(self.score, sums, self.reading.average)

    def reset(self) -> None:
        """Forget the batches that `memory` has kept."""
        self.totals.reset()

    def accumulate(self) -> AbstractContextManager[Callable[..., None]]:
        """The gradient of a batch that comes in parts, in two passes:

            with loss.accumulate() as add:
                with torch.no_grad():
                    for x, y in parts:
                        add(model(x), y)             # the sums of all parts
                for x, y in parts:
                    loss(model(x), y).backward()     # the gradient of each part at these sums

        Every call of the second pass gives the loss of the whole batch; gradients add up to its.
        """
        return self.totals.accumulate(self)

    def value_and_gradient(self, samples: Samples, wanted: bool) -> tuple[Tensor, Tensor | None]:
        """The paper's chain rule (equation 5): one number per class, then sample by sample."""
        outputs, classes, weights, _ = samples
        softening = self.softening
        if self.reading.from_probabilities:
            softening = FromProbabilities(softening)
        buffer = (torch.empty_like(outputs), torch.empty_like(outputs))
        soft = softening.soften(outputs, buffer, torch.empty_like(outputs))
        counts = count(classes, soft, weights)
        value, positive, negative = self.score.class_slopes(counts)
        loss = self.score.loss(value)
        loss = loss if isinstance(loss, Tensor) else number_like(loss, outputs)
        if not wanted:
            return loss, None
        factor = self.score.loss_slope * softening.scale
        check_slope(self.score.name, (abs(positive) + abs(negative)) * abs(factor), outputs.dtype)
        self._warn_of_absent_class(counts.tp + counts.fn, counts.fp + counts.tn)
        by_class = _by_class(classes.positive, positive, negative, factor, out=soft)
        gradient = softening.chain(by_class, buffer)
        return loss, gradient if weights is None else gradient.mul_(weights)

    def _look_at_settings(self, outputs: Tensor) -> None:
        """Say at the first step what cannot be learnt with this score or this amplifier."""
        if self._looked or torch.compiler.is_compiling() or not outputs.requires_grad:
            return
        self._looked = True
        if self.score.name not in METRICS and self.score.report.is_constant:
            warn_once(self, "constant", constant_score(self.score))
        own, largest = self.softening, largest_amplifier(outputs.dtype)
        if isinstance(own, Amplifier) and own.form == "naive" and largest < own.L:
            warn_once(self, "range", rounded_amplifier(own.L, largest, outputs.dtype))

    def _look_at_sums(self, sums: Tensor, exclusive: bool) -> None:
        """Say it where a label or a model has no rows of a class; classes share a softmax."""
        if can_look(sums) and sums.requires_grad and not exclusive:
            sizes = sums[:2].sum(-1) if self.reading.average == "micro" else sums[:2]
            if not bool(sizes.all()):
                whose = "of a label " if sizes.ndim > 1 and not self.reading.stacked else ""
                self._warn_of_absent_class(sizes[0], sizes[1], whose)

    def _warn_of_absent_class(self, positives: Any, negatives: Any, whose: str = "") -> None:
        """Say it where a class is absent without which the score stands still."""
        for absent, rows in (("positive", positives), ("negative", negatives)):
            none = bool((rows == 0).any()) if isinstance(rows, Tensor) else rows == 0
            if none and absent in absences(self.score):
                warn_once(self, f"no {absent}", no_gradient(self.score, absent, whose))

    def extra_repr(self) -> str:
        return ", ".join([self.score.name, str(self.softening), *self.reading_words()])

    def reading_words(self) -> list[str]:
        """What differs from the usual in reading and counting, as it was typed."""
        named = [(field.name, getattr(self.reading, field.name)) for field in fields(self.reading)]
        named += [("memory", self.totals.memory), *([] if self.totals.sync else [("sync", False)])]
        return [f"{name}={value}" for name, value in named if value or name == "sync"]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.extra_repr()})"


class AnyLoss(CountsLoss):
    """The paper's loss for a metric or a typed formula, with amplifying scale L.

    L may be a ramp, "5..73", after a `warm_up` with cross-entropy over a share of the training;
    call `step(progress)` or `at(epoch, epochs)` to move it. `blend=r` trains (1-r)·weighted BCE +
    r·AnyLoss. The default L is a fixed one that does well when nobody calls `step`.
    """

    def __init__(
        self,
        metric: str | Score,
        L: float | str | None = None,
        threshold: float = THRESHOLD,
        form: str = "safe",
        *,
        warm_up: float = 0.0,
        blend: float = 1.0,
        memory: float = 0.0,
        sync: bool = True,
        **options: Unpack[Options],
    ) -> None:
        if not 0 <= blend <= 1:
            raise ValueError(f"blend must be the share of AnyLoss, 0 to 1, got {blend}")
        own = FIXED_AMPLIFIER if L is None else read_ramp(L) if isinstance(L, str) else L
        end = own.end if isinstance(own, Ramp) else own
        super().__init__(metric, Amplifier(end, threshold, form), memory, sync, **options)
        self.schedule, self.is_default, self.blend = Schedule(own, warm_up), L is None, blend
        self.warming_up, self.has_moved = False, not self.schedule.moves

    @classmethod
    def paper(cls, metric: str | Score, **options: Unpack[Options]) -> Self:
        """The form of the paper: L = 73, the amplifier written as published, no schedule."""
        return cls(metric, AMPLIFIER, form="naive", **options)

    def step(self, progress: float) -> None:
        """Move ramp and warm-up to where the share `progress` (0 to 1) of a training is done."""
        self._enter(*self.schedule.after(progress))

    def at(self, epoch: int, epochs: int) -> None:
        """Move ramp and warm-up to epoch `epoch` (from 0) of `epochs`, as the engine does."""
        self._enter(*self.schedule.at(epoch, epochs))

    def of(self, samples: Samples) -> Tensor:
        if self.training and not self.has_moved:
            warn_once(self, "schedule", standing_schedule(self.schedule))
        return self.plain(samples) if self._wants_entropies else super().of(samples)

    def summed(self, samples: Samples) -> list[Tensor]:
        soft = [] if self.warming_up else super().summed(samples)
        return [*soft, *([entropies(samples, self.reading)] if self._wants_entropies else [])]

    def of_sums(self, sums: Tensor, exclusive: bool) -> Tensor:
        average = self.reading.average
        if self.warming_up:
            return cross_entropy(sums, exclusive, average)
        if self.blend == 1:
            return super().of_sums(sums, exclusive)
        own = averaged(self.score, sums[:4], average)
        even = cross_entropy(torch.cat([sums[:2], sums[4:]]), exclusive, average, even=True)
        return (1 - self.blend) * even + self.blend * own

    @property
    def _wants_entropies(self) -> bool:
        return self.warming_up or self.blend < 1

    def _enter(self, warming_up: bool, L: float | None) -> None:
        assert L is not None
        if warming_up != self.warming_up:
            self.reset()  # other sums
        self.softening = replace(cast(Amplifier, self.softening), L=L)
        self.warming_up, self.has_moved, self._looked = warming_up, True, False

    def extra_repr(self) -> str:
        L, warm_up = self.schedule.L, self.schedule.warm_up
        shown = f"{L.start:g}..{L.end:g}" if isinstance(L, Ramp) else f"{L:g}"
        parts = [self.score.name, f"L={shown}" + " (default: fixed, no warm-up)" * self.is_default]
        parts += [f"warm_up={warm_up:g}"] * (warm_up > 0) + [f"blend={self.blend:g}"] * (
            self.blend < 1
        )
        amplifier = cast(Amplifier, self.softening)
        parts += [f"threshold={amplifier.threshold:g}"] * (amplifier.threshold != THRESHOLD)
        parts += ["form=naive"] * (amplifier.form == "naive")
        return ", ".join([*parts, *self.reading_words()])


class SOL(CountsLoss):
    """The score-oriented loss (Marchetti et al., 2022): the threshold is a random variable."""

    def __init__(
        self,
        metric: str | Score,
        distribution: str = "cosine",
        mu: float = COSINE_CENTRE,
        delta: float = COSINE_HALF_WIDTH,
        **options: Unpack[Settings],
    ) -> None:
        if distribution not in ("cosine", "uniform"):
            raise ValueError(f"distribution must be cosine or uniform, got {distribution!r}")
        softening = RaisedCosine(mu, delta) if distribution == "cosine" else Uniform()
        super().__init__(metric, softening, **options)


class SoftLoss(CountsLoss):
    """The score of the probabilities as they are; with f1 it is soft-F1, also called Dice."""

    def __init__(self, metric: str | Score, **options: Unpack[Settings]) -> None:
        super().__init__(metric, Uniform(), **options)


class SigmoidF1Loss(CountsLoss):
    """1 - F1 of sigmoid(beta·(x - eta)) (Bénédict et al., 2021); ours is beta = 1, eta = 0.

    `variant="torch"` and `variant="tensorflow"` are the authors' two releases, which differ.
    """

    def __init__(
        self,
        beta: float = 1.0,
        eta: float = 0.0,
        variant: str | None = None,
        **options: Unpack[Settings],
    ) -> None:
        if variant is not None and variant not in AUTHORS_SIGMOID_F1:
            known = ", ".join(AUTHORS_SIGMOID_F1)
            raise ValueError(f"variant must be one of {known}, got {variant!r}")
        if variant is not None and (beta, eta) != (1.0, 0.0):
            raise ValueError(f"variant={variant} has its own beta and eta; leave these out")
        softening = AUTHORS_SIGMOID_F1[variant] if variant else SigmoidF1(beta, eta)
        super().__init__("f1", softening, **options)


def count(classes: Classes, soft: Tensor, weights: Tensor | None) -> Counts[Any]:
    """The counts of soft labels, summed by class; those of one model as numbers."""
    if weights is not None:
        classes = Classes(*(part * weights for part in classes))
    positives, rows = classes.positive.sum(-1), soft.shape[-1]
    negatives = rows - positives if weights is None else classes.negative.sum(-1)
    sums: list[Any] = [positives, negatives, *(dot(part, soft) for part in classes)]
    tiny = torch.finfo(soft.dtype).eps
    return without_traces(counts_of_sums(*(map(float, sums) if soft.ndim == 1 else sums)), tiny)


def _by_class(labels: Tensor, positive: Any, negative: Any, factor: Any, out: Tensor) -> Tensor:
    """factor·positive for positive samples and factor·negative for negative ones."""
    if isinstance(negative, Tensor):  # a column, one row per model
        positive, negative = positive[..., None] * factor, negative[..., None] * factor
        return torch.mul(labels, positive - negative, out=out).add_(negative)
    start = number_like(negative * factor, labels)
    return torch.add(start, labels, alpha=(positive - negative) * factor, out=out)
