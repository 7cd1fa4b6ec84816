"""What the training loop reports: one immutable event, with a value for each of M models."""

from dataclasses import dataclass

import torch
from torch import Tensor

from anyloss_core.engine.models import Parameters
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import Score, get_score

ROUNDING = 1e-9  # a share of all rows that is nothing but rounding of their weights
# A loss stands still if, at the pace of its last epoch, it would move less than this in the whole
# training.
STILL = 1e-3


@dataclass(frozen=True)
class Event:
    """The state of M models after `epoch` of `epochs` epochs (counted from 1).

    `losses` are those the training met in this epoch (the mean over its batches); counts are taken
    after it. What tells a collapse or a divergence (training counts, losses before, finite
    parameters) is there where `Watch.judges`: in every event of a study that asked for
    detail='full', and at the end of any training. Soft counts, gradient norms and dead shares are
    there for detail='full' alone.
    """

    epoch: int
    epochs: int
    seconds: float  # of training and measuring so far
    losses: Tensor
    valid_hard: Counts[Tensor]
    losses_before: Tensor | None = None  # of the epoch before; NaN in the first
    finite: Tensor | None = None  # whether all parameters are finite numbers
    valid_soft: Counts[Tensor] | None = None
    train_hard: Counts[Tensor] | None = None
    train_soft: Counts[Tensor] | None = None
    gradient_norms: Tensor | None = None
    dead_share: Tensor | None = None  # of the training rows: their slope is exactly 0
    parameters: Parameters | None = None  # at the chosen epochs
    sample_p: Tensor | None = None  # (M, S): probabilities of the rows that `Watch.sample` names
    sample_soft: Tensor | None = None  # (M, S): their soft labels, p itself for a mean
    stopped: Tensor | None = None  # the epoch at which early stopping ended a model, or 0

    def scores(self, metric: str | Score, rows: str = "valid", soft: bool = False) -> Tensor:
        """A score (M,) on the validation or training rows."""
        counts = getattr(self, f"{rows}_{'soft' if soft else 'hard'}")
        if counts is None:
            raise ValueError(f"this event has no {rows} counts; train with Watch(detail='full')")
        if not counts.tp.is_cpu:
            return get_score(metric)(counts)
        found = get_score(metric)(Counts(*(entry.numpy() for entry in counts)))  # few: quicker
        return torch.from_numpy(found).to(counts.tp.dtype)

    @property
    def diverged(self) -> Tensor:
        """(M,) whether the loss, or a parameter where it is looked at, is no finite number."""
        finite = self.losses.isfinite()
        return ~(finite if self.finite is None else finite & self.finite)

    @property
    def collapsed(self) -> Tensor:
        """(M,) whether all rows counted get the same class and the loss stands still.

        Told by the last event, and by all where the study asked for detail='full'.
        """
        if self.losses_before is None:
            return torch.zeros_like(self.losses, dtype=torch.bool)
        still = stands_still(self.losses, self.losses_before, self.epochs)
        return still & one_class(self.valid_hard, self.train_hard)

    @property
    def status(self) -> tuple[str, ...]:
        """One word per model: training, stopped, collapsed or diverged."""
        words = ["training"] * len(self.losses)
        stopped = None if self.stopped is None else self.stopped > 0
        for word, flags in (
            ("stopped", stopped),
            ("collapsed", self.collapsed),
            ("diverged", self.diverged),
        ):
            for model in [] if flags is None else flags.nonzero().flatten().tolist():
                words[model] = word
        return tuple(words)


def one_class(valid: Counts[Tensor], train: Counts[Tensor] | None = None) -> Tensor:
    """(M,) whether all rows, of validation and of training if known, get the same class."""
    counts = valid if train is None else Counts(*map(torch.add, valid, train))
    positive, negative = counts.tp + counts.fp, counts.tn + counts.fn
    total = positive + negative
    return (total > 0) & (positive.minimum(negative) <= ROUNDING * total)


def stands_still(losses: Tensor, before: Tensor, epochs: int) -> Tensor:
    """Whether losses hardly differ from those of the epoch before, in a training of `epochs`."""
    return (losses - before).abs() * epochs < STILL


def counts_of(sums: Tensor, totals: Tensor) -> Counts[Tensor]:
    """Counts (..., M) from (TP, FP) in `sums` (..., M, 2) and the weight of each class (M, 2)."""
    tp, fp = sums.unbind(-1)
    fn, tn = (totals - sums).clamp_(min=0).unbind(-1)
    return Counts(tn, fn, fp, tp)
