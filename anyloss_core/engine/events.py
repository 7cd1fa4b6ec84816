"""What the training loop reports: an immutable event with one value per model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor

from anyloss_core.confusion import Counts
from anyloss_core.models import Parameters
from anyloss_core.scores import Score, get_score

ROUNDING = 1e-9  # a share of all rows that is nothing but rounding of their weights
FLAT = 1e-5  # a loss that moves less than this between two events stands still


class Judged:
    """Neighbouring events: hard counts on the validation rows (E, M), and losses if asked for.

    Until then it holds on to what the losses depend on.
    """

    def __init__(
        self,
        counts: Counts,
        finite: Tensor,
        losses: Callable[[], Tensor],
        before: Tensor | None,
        follows: bool,
    ) -> None:
        self.counts = counts
        self.finite = finite  # (E, M): whether all parameters are numbers
        self._work_out = losses  # -> (E, M), or (1 + E, M)
        self._before = before  # losses (M,) of the event before, or they come with the others
        self.follows = follows  # whether there is one
        self._scores: dict[str | Score, tuple[Tensor, ...]] = {}

    @property
    def last_losses(self) -> Tensor | None:
        """(M,) of the last event, if they have been worked out."""
        return self.losses[-1] if self._work_out is None else None

    @cached_property
    def hard(self) -> list[Counts]:
        """The counts (M,) of each event."""
        return [Counts(*own) for own in zip(*(c.unbind() for c in self.counts), strict=True)]

    @cached_property
    def losses(self) -> tuple[Tensor, ...]:
        """(M,) of the event before, if there is one, and of each event."""
        found, self._work_out = self._work_out().unbind(), None
        return found if self._before is None else (self._before, *found)

    def scores(self, metric: str | Score) -> tuple[Tensor, ...]:
        """A score (M,) of each event."""
        if metric not in self._scores:
            self._scores[metric] = _score(get_score(metric), self.counts).unbind()
        return self._scores[metric]


@dataclass(frozen=True)
class Event:
    """The state of M models after `epoch` epochs (counted from 1).

    `losses` are those the training met in this epoch (the mean over its batches), worked out when
    they are asked for; counts are taken after it. Soft counts, training counts, gradient norms and
    dead shares are there when the study asked for detail='full'.
    """

    epoch: int
    seconds: float  # of training and measuring so far
    judged: Judged = field(repr=False)  # with its neighbours
    place: int = field(repr=False)  # among them
    valid_soft: Counts | None = None
    train_hard: Counts | None = None
    train_soft: Counts | None = None
    gradient_norms: Tensor | None = None
    dead_share: Tensor | None = None  # of the training rows: their slope is exactly 0
    parameters: Parameters | None = None  # at the chosen epochs
    stopped: Tensor | None = None  # (M,) the epoch at which early stopping ended a model, or 0

    @property
    def losses(self) -> Tensor:
        """Losses (M,) that the training met in this epoch."""
        return self.judged.losses[self.place + self.judged.follows]

    @property
    def previous(self) -> Tensor | None:
        """Losses (M,) of the event before."""
        place = self.place + self.judged.follows - 1
        return self.judged.losses[place] if place >= 0 else None

    @property
    def valid_hard(self) -> Counts:
        """Counts (M,) of the predictions on the validation rows."""
        return self.judged.hard[self.place]

    def scores(self, metric: str | Score, rows: str = "valid", soft: bool = False) -> Tensor:
        """A score (M,) on the validation or training rows."""
        if rows == "valid" and not soft:
            return self.judged.scores(metric)[self.place]
        counts = getattr(self, f"{rows}_{'soft' if soft else 'hard'}")
        if counts is None:
            raise ValueError(f"this event has no {rows} counts; train with Watch(detail='full')")
        return _score(get_score(metric), counts)

    @property
    def diverged(self) -> Tensor:
        """(M,) whether the loss or a parameter is no longer a finite number."""
        return ~(self.losses.isfinite() & self.judged.finite[self.place])

    @property
    def collapsed(self) -> Tensor:
        """(M,) whether all rows get the same class and the loss stands still."""
        counts = self.train_hard or self.valid_hard
        positive, negative = counts.tp + counts.fp, counts.tn + counts.fn
        one_class = torch.minimum(positive, negative) <= ROUNDING * counts.total
        if self.previous is None:
            return torch.zeros_like(one_class)
        return one_class & ((self.losses - self.previous).abs() < FLAT)

    @property
    def status(self) -> tuple[str, ...]:
        """One word per model: training, stopped, collapsed or diverged."""
        words = []
        stopped = torch.zeros_like(self.losses) if self.stopped is None else self.stopped
        for flags in zip(self.diverged, self.collapsed, stopped > 0, strict=True):
            names = ("diverged", "collapsed", "stopped")
            words.append(next((n for n, on in zip(names, flags, strict=True) if on), "training"))
        return tuple(words)


def _score(score: Score, counts: Counts) -> Tensor:
    """The score (M,); on the CPU by NumPy, which is quicker for so few numbers."""
    if counts.tp.device.type != "cpu":
        return score(counts)
    found = score(Counts(*(entry.numpy() for entry in counts)))
    return torch.from_numpy(found).to(counts.tp.dtype)


def counts_of(sums: Tensor, totals: Tensor) -> Counts:
    """Counts (..., M) from (TP, FP) in `sums` (..., M, 2) and the weight of each class (M, 2)."""
    tp, fp = sums.unbind(-1)
    fn, tn = (totals - sums).clamp_(min=0).unbind(-1)
    return Counts(tn, fn, fp, tp)


def merged(parts: list[Parameters], order: Tensor | None) -> Parameters:
    """The parameters of several blocks in the order of the study's models; None: as they are."""
    names: Mapping[str, Tensor] = parts[0].tensors
    tensors = {name: torch.cat([part.tensors[name] for part in parts]) for name in names}
    if order is not None:
        tensors = {name: tensor[order] for name, tensor in tensors.items()}
    return Parameters(parts[0].network, tensors)
