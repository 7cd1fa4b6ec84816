"""Losses as torch modules: 1 - score over a softening, and the usual losses beside them.

A loss takes raw outputs (logits) and 0/1 labels of shape (B,), or (M, B) for M stacked models, and
returns one value per model. `get_loss` and `parse_loss`, which read spellings such as
"anyloss:f1@L=50", live in `spelling`.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, softplus

from anyloss_core.approximation import AMPLIFIER, THRESHOLD
from anyloss_core.confusion import Counts, safe_ratio
from anyloss_core.loss_inputs import check_inputs, check_probabilities, passed
from anyloss_core.scores import Score, get_score
from anyloss_core.softening import (
    COSINE_CENTRE,
    COSINE_HALF_WIDTH,
    Amplifier,
    Chain,
    Identity,
    RaisedCosine,
    SigmoidF1,
    Softening,
    Uniform,
    number_like,
)

FOCUS = 2.0  # gamma of the focal loss, as in Lin et al. (2017)
FOCAL_BALANCE = 0.25  # alpha of the focal loss: the weight of positives, as in Lin et al. (2017)
# Counts overflow or round away in these; torch's autocast lets its own losses out of them too.
SHORT_TYPES = (torch.float16, torch.bfloat16)


class Loss(nn.Module):
    """What all losses share: the check at the door and one value per model."""

    input_name = "logits"  # what the first argument is called in messages

    def forward(self, logits: Tensor, labels: Tensor, weights: Tensor | None = None) -> Tensor:
        """The loss (...,) of outputs (..., B) against labels of the same shape or (B,)."""
        if isinstance(logits, Tensor) and logits.dtype in SHORT_TYPES:
            logits = logits.float()
        labels = check_inputs(logits, labels, weights, self.input_name)
        return self.compute(logits, labels, None if weights is None else weights.to(logits.dtype))

    def compute(self, logits: Tensor, labels: Tensor, weights: Tensor | None) -> Tensor:
        raise NotImplementedError


class CountsLoss(Loss):
    """1 - f(TN, FN, FP, TP) over soft counts: a score and a softening make a loss."""

    def __init__(
        self, metric: str | Score, softening: Softening, from_probabilities: bool = False
    ) -> None:
        super().__init__()
        self.score = get_score(metric)
        self.softening = softening
        self.takes_probabilities = from_probabilities
        self.input_name = "probabilities" if from_probabilities else "logits"

    def compute(self, logits: Tensor, labels: Tensor, weights: Tensor | None) -> Tensor:
        if self.takes_probabilities:
            check_probabilities(logits)
        return _FusedLoss.apply(logits, labels, weights, self.score, self._soften)

    def counts(self, logits: Tensor, labels: Tensor, weights: Tensor | None = None) -> Counts:
        """The soft confusion matrix (...,) of outputs (..., B), for showing, not for training."""
        labels = check_inputs(logits, labels, weights, self.input_name)
        soft, _, _ = self._soften(logits.detach())
        return count(labels.expand_as(soft), soft, weights)

    def _soften(self, outputs: Tensor) -> tuple[Tensor, float | Tensor, Chain]:
        """From outputs to soft labels and the way back."""
        if not self.takes_probabilities:
            return self.softening.soft_and_chain(outputs)
        soft, slope = self.softening.at(outputs)
        return soft, 1.0, lambda x: x.mul_(slope)

    def extra_repr(self) -> str:
        return f"{self.score.name}, {self.softening}"


class AnyLoss(CountsLoss):
    """The paper's loss for a metric or a typed formula, with amplifying scale L."""

    def __init__(
        self,
        metric: str | Score,
        L: float = AMPLIFIER,
        threshold: float = THRESHOLD,
        form: str = "safe",
        from_probabilities: bool = False,
    ) -> None:
        super().__init__(metric, Amplifier(L, threshold, form), from_probabilities)


class SOL(CountsLoss):
    """The score-oriented loss (Marchetti et al., 2022): the threshold is a random variable."""

    def __init__(
        self,
        metric: str | Score,
        distribution: str = "cosine",
        mu: float = COSINE_CENTRE,
        delta: float = COSINE_HALF_WIDTH,
        from_probabilities: bool = False,
    ) -> None:
        if distribution not in ("cosine", "uniform"):
            raise ValueError(f"distribution must be cosine or uniform, got {distribution!r}")
        softening = RaisedCosine(mu, delta) if distribution == "cosine" else Uniform()
        super().__init__(metric, softening, from_probabilities)


class SoftLoss(CountsLoss):
    """The score of the probabilities as they are; with f1 it is soft-F1, also called Dice."""

    def __init__(self, metric: str | Score, from_probabilities: bool = False) -> None:
        super().__init__(metric, Identity(), from_probabilities)


class SigmoidF1Loss(CountsLoss):
    """1 - F1 of sigmoid(beta·(x - eta)) (Bénédict et al., 2021)."""

    def __init__(self, beta: float = 1.0, eta: float = 0.0) -> None:
        super().__init__("f1", SigmoidF1(beta, eta))


class PointwiseLoss(Loss):
    """A (weighted) mean over samples; subclasses give the value and its slope per sample."""

    positive_above = 0.0  # an output above this is a positive prediction

    def values(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss of each sample, of the shape of `logits`; differentiable."""
        raise NotImplementedError

    def slopes(self, logits: Tensor, labels: Tensor) -> Tensor:
        """d values / d logits, of the shape of `logits`, for training without autograd."""
        raise NotImplementedError

    def compute(self, logits: Tensor, labels: Tensor, weights: Tensor | None) -> Tensor:
        values = self.values(logits, labels)
        if weights is None:
            return values.mean(-1)
        return safe_ratio((values * weights).sum(-1), weights.sum(-1))


class BCELoss(PointwiseLoss):
    """Binary cross-entropy: softplus(z) - y·z."""

    def values(self, logits: Tensor, labels: Tensor) -> Tensor:
        return binary_cross_entropy_with_logits(logits, labels.expand_as(logits), reduction="none")

    def slopes(self, logits: Tensor, labels: Tensor) -> Tensor:
        return torch.sigmoid(logits).sub_(labels)


class WeightedBCELoss(PointwiseLoss):
    """Cross-entropy whose positives weigh `pos_weight`, by default negatives / positives."""

    def __init__(self, pos_weight: float | Tensor | None = None) -> None:
        super().__init__()
        if isinstance(pos_weight, int | float) and not 0 < pos_weight < math.inf:
            raise ValueError(f"pos_weight must be a positive number, got {pos_weight}")
        self.pos_weight = pos_weight

    def compute(self, logits: Tensor, labels: Tensor, weights: Tensor | None) -> Tensor:
        if weights is None or self.pos_weight is not None:
            return super().compute(logits, labels, weights)
        # The balance of the weighted samples: a weight of 2 must equal the sample given twice.
        balanced = WeightedBCELoss(_balance(labels, weights))
        return balanced.compute(logits, labels, weights)

    def _positive_weight(self, labels: Tensor) -> float | Tensor:
        return _balance(labels) if self.pos_weight is None else self.pos_weight

    def values(self, logits: Tensor, labels: Tensor) -> Tensor:
        weight = self._positive_weight(labels)
        return weight * labels * softplus(-logits) + (1 - labels) * softplus(logits)

    def slopes(self, logits: Tensor, labels: Tensor) -> Tensor:
        p = torch.sigmoid(logits)
        return (1 - labels) * p - self._positive_weight(labels) * labels * (1 - p)


def _balance(labels: Tensor, weights: Tensor | float = 1.0) -> Tensor:
    """Negatives / positives (..., 1); 1 without one of them: there is nothing to balance."""
    positives = (labels * weights).sum(-1, keepdim=True)
    negatives = ((1 - labels) * weights).sum(-1, keepdim=True)
    return safe_ratio(negatives, positives).masked_fill(positives * negatives == 0, 1.0)


class FocalLoss(PointwiseLoss):
    """Cross-entropy that looks away from easy samples: a·(1 - q)^gamma·(-log q), q = P(label)."""

    def __init__(self, gamma: float = FOCUS, alpha: float = FOCAL_BALANCE) -> None:
        super().__init__()
        if not (math.isfinite(gamma) and gamma >= 0):
            raise ValueError(f"gamma must be 0 or above, got {gamma}")
        if not 0 < alpha < 1:
            raise ValueError(f"alpha must lie between 0 and 1, got {alpha}")
        self.gamma, self.alpha = gamma, alpha

    def _signed(self, logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        sign = 2 * labels - 1
        return sign, sign * logits, self.alpha * labels + (1 - self.alpha) * (1 - labels)

    def values(self, logits: Tensor, labels: Tensor) -> Tensor:
        _, x, balance = self._signed(logits, labels)
        return balance * torch.sigmoid(-x) ** self.gamma * softplus(-x)

    def slopes(self, logits: Tensor, labels: Tensor) -> Tensor:
        sign, x, balance = self._signed(logits, labels)
        wrong, right = torch.sigmoid(-x), torch.sigmoid(x)
        steep = self.gamma * right * softplus(-x) + wrong
        return -sign * balance * wrong**self.gamma * steep


class MSELoss(PointwiseLoss):
    """The squared error of the probability: (p - y)²."""

    def values(self, logits: Tensor, labels: Tensor) -> Tensor:
        return (torch.sigmoid(logits) - labels) ** 2

    def slopes(self, logits: Tensor, labels: Tensor) -> Tensor:
        p = torch.sigmoid(logits)
        return 2 * (p - labels) * p * torch.sigmoid(-logits)


class AdalineLoss(PointwiseLoss):
    """The paper's MSE of a single-layer perceptron: linear output, labels ±1, the delta rule.

    Half the squared error, so that its slope is -(y - z) without the factor 2, as published.
    """

    def values(self, logits: Tensor, labels: Tensor) -> Tensor:
        return (2 * labels - 1 - logits) ** 2 / 2

    def slopes(self, logits: Tensor, labels: Tensor) -> Tensor:
        return logits - (2 * labels - 1)


class LinearMSELoss(PointwiseLoss):
    """The paper's MSE of an MLP: linear output, labels 0/1, positive above 0.5."""

    positive_above = 0.5

    def values(self, logits: Tensor, labels: Tensor) -> Tensor:
        return (logits - labels) ** 2

    def slopes(self, logits: Tensor, labels: Tensor) -> Tensor:
        return 2 * (logits - labels)


def count(labels: Tensor, soft: Tensor, weights: Tensor | None) -> Counts:
    """The counts of soft labels by two sums instead of four; those of one model as numbers."""
    if weights is None:
        found, predicted, positives = _dot(labels, soft), soft.sum(-1), passed.positives(labels)
        total = float(labels.shape[-1])
    else:
        weights = weights.to(soft.dtype)
        weighted = labels * weights
        found, predicted, positives = _dot(weighted, soft), _dot(weights, soft), weighted.sum(-1)
        total = weights.sum(-1) if soft.ndim > 1 else float(weights.sum())
    if soft.ndim == 1:
        found, predicted, positives = float(found), float(predicted), float(positives)
    missed, alarms = _not_negative(positives - found), _not_negative(predicted - found)
    return Counts(_not_negative(total - positives - alarms), missed, alarms, found)


def _not_negative(x: Tensor | float) -> Tensor | float:
    """A difference of sums may fall below 0 by a rounding error; a count may not."""
    return x.clamp_(min=0) if isinstance(x, Tensor) else max(x, 0.0)


class _FusedLoss(torch.autograd.Function):
    """From outputs to the loss in one step: the paper's chain rule, with the slopes at hand."""

    @staticmethod
    def forward(
        ctx: Any, outputs: Tensor, labels: Tensor, weights: Tensor | None, score: Score, soften: Any
    ) -> Tensor:
        soft, factor, chain = soften(outputs)
        value, slopes = score.slopes(count(labels, soft, weights))
        if ctx.needs_input_grad[0]:
            # What a rising soft label of a negative and of a positive sample does to the loss.
            negative = (slopes.fp - slopes.tn) * score.loss_slope
            gap = (slopes.tp - slopes.fn) * score.loss_slope - negative
            gradient = chain(_by_class(labels, negative, gap, factor, soft))
            ctx.save_for_backward(gradient if weights is None else gradient.mul_(weights))
        loss = score.loss(value)
        return loss if isinstance(loss, Tensor) else number_like(loss, outputs)

    @staticmethod
    def backward(ctx: Any, pull: Tensor) -> tuple[Tensor | None, ...]:
        if torch.is_grad_enabled():  # a graph is kept, to differentiate the gradient too
            raise RuntimeError("a loss over counts has one derivative: leave create_graph out")
        (gradient,) = ctx.saved_tensors
        if pull.ndim or float(pull) != 1.0:  # 1 where the loss itself is differentiated
            gradient = gradient * pull[..., None]
        return gradient, None, None, None, None


def _by_class(
    labels: Tensor, negative: Any, gap: Any, factor: float | Tensor, room: Tensor
) -> Tensor:
    """factor·(negative + gap·label) of every sample, written over `room`."""
    if isinstance(negative, Tensor):  # a column, one row per model
        negative, gap = negative[..., None] * factor, gap[..., None] * factor
        return torch.mul(labels, gap, out=room).add_(negative)
    start = number_like(negative * factor, labels)
    return torch.add(start, labels, alpha=gap * factor, out=room)


def _dot(a: Tensor, b: Tensor) -> Tensor:
    """Σ a·b over the last axis without an intermediate of that size where possible."""
    if a.ndim == b.ndim == 1:
        return torch.dot(a, b)
    return (a * b).sum(-1)
