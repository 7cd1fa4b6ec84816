"""Losses as torch modules: 1 - score over a softening, and the usual losses beside them.

A loss takes raw outputs (logits) and 0/1 labels of shape (B,), or (M, B) for M stacked models, and
returns one value per model. `get_loss` and `parse_loss`, which read spellings such as
"anyloss:f1@L=50", live in `spelling`.
"""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import softplus

from anyloss_core.losses.approximation import AMPLIFIER, THRESHOLD
from anyloss_core.losses.arrays import at_least
from anyloss_core.losses.confusion import Counts, Entry, safe_ratio
from anyloss_core.losses.inputs import check_inputs, check_probabilities, passed
from anyloss_core.losses.scores import Score, get_score
from anyloss_core.losses.softening import (
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

_softplus = torch.ops.aten.softplus.out
LINEAR_FROM = 40  # beyond this softplus(x) is x to the last digit
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
        weights = None if weights is None else weights.to(logits.dtype)
        return _Fused.apply(logits, labels, weights, self)

    def value_and_gradient(
        self, outputs: Tensor, labels: Tensor, weights: Tensor | None, wanted: bool
    ) -> tuple[Tensor, Tensor | None]:
        """The loss (...,) and d loss/d outputs (..., B), which may be None unless it is wanted."""
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

    def value_and_gradient(
        self, outputs: Tensor, labels: Tensor, weights: Tensor | None, wanted: bool
    ) -> tuple[Tensor, Tensor | None]:
        """The paper's chain rule (equation 5): one number per class, then sample by sample."""
        softening = self.softening
        if self.takes_probabilities:
            check_probabilities(outputs)
            softening = FromProbabilities(softening)
        buffer = (torch.empty_like(outputs), torch.empty_like(outputs))
        soft = softening.soften(outputs, buffer, torch.empty_like(outputs))
        value, positive, negative = self.score.class_slopes(count(labels, soft, weights))
        loss = self.score.loss(value)
        loss = loss if isinstance(loss, Tensor) else number_like(loss, outputs)
        if not wanted:
            return loss, None
        factor = self.score.loss_slope * softening.scale
        by_class = _by_class(labels, positive, negative, factor, out=soft)
        gradient = softening.chain(by_class, buffer)
        return loss, gradient if weights is None else gradient.mul_(weights)

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
        super().__init__(metric, Uniform(), from_probabilities)


class SigmoidF1Loss(CountsLoss):
    """1 - F1 of sigmoid(beta·(x - eta)) (Bénédict et al., 2021)."""

    def __init__(self, beta: float = 1.0, eta: float = 0.0) -> None:
        super().__init__("f1", SigmoidF1(beta, eta))


class PointwiseLoss(Loss):
    """A (weighted) mean over samples; subclasses give the value and its slope per sample."""

    def fill(self, logits: Tensor, labels: Tensor, values: Tensor | None, slopes: Tensor) -> None:
        """Write d loss/d logit of each sample, and its loss into `values` (may be `logits`)."""
        raise NotImplementedError

    def factors(self, labels: Tensor, weights: Tensor | None) -> Tensor | None:
        """What each sample counts in the mean; None: all the same."""
        return weights

    def value_and_gradient(
        self, outputs: Tensor, labels: Tensor, weights: Tensor | None, wanted: bool
    ) -> tuple[Tensor, Tensor | None]:
        values, slopes = torch.empty_like(outputs), torch.empty_like(outputs)
        self.fill(outputs, labels, values, slopes)
        factors = self.factors(labels, weights)
        if factors is None:
            return values.mean(-1), slopes.div_(outputs.shape[-1])
        share = factors / outputs.shape[-1]
        if weights is not None:
            share = safe_ratio(factors, weights.sum(-1, keepdim=True))
        return values.mul_(share).sum(-1), slopes.mul_(share)


class BCELoss(PointwiseLoss):
    """Binary cross-entropy: softplus(z) - y·z."""

    def fill(self, logits: Tensor, labels: Tensor, values: Tensor | None, slopes: Tensor) -> None:
        torch.sigmoid(logits, out=slopes).sub_(labels)
        if values is not None:  # softplus(±z) loses no digits where it is near 0
            torch.mul(logits, torch.rsub(labels, 1, alpha=2), out=values)
            _softplus(values, 1, LINEAR_FROM, out=values)


class WeightedBCELoss(BCELoss):
    """Cross-entropy whose positives weigh `pos_weight`, by default negatives / positives."""

    def __init__(self, pos_weight: float | Tensor | None = None) -> None:
        super().__init__()
        if isinstance(pos_weight, int | float) and not 0 < pos_weight < math.inf:
            raise ValueError(f"pos_weight must be a positive number, got {pos_weight}")
        self.pos_weight = pos_weight

    def factors(self, labels: Tensor, weights: Tensor | None) -> Tensor:
        # The balance of the weighted samples: a weight of 2 must equal the sample given twice.
        own = torch.ones_like(labels) if weights is None else weights
        if (weight := self.pos_weight) is None:
            classes = (labels * own, (1 - labels) * own)
            weight = even_weight(*(part.sum(-1, keepdim=True) for part in classes))
        return own * (1 + (weight - 1) * labels)


def even_weight(positives: Tensor, negatives: Tensor) -> Tensor:
    """What a positive weighs so that both classes count the same; 1 where one of them is absent."""
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

    def fill(self, logits: Tensor, labels: Tensor, values: Tensor | None, slopes: Tensor) -> None:
        sign = 2 * labels - 1
        balance = self.alpha * labels + (1 - self.alpha) * (1 - labels)
        x = sign * logits
        wrong, cross_entropy = torch.sigmoid(-x), softplus(-x)
        weight = wrong**self.gamma * balance
        steep = self.gamma * torch.sigmoid(x) * cross_entropy + wrong
        torch.mul(steep, weight, out=slopes).mul_(-sign)
        if values is not None:
            torch.mul(weight, cross_entropy, out=values)


class MSELoss(PointwiseLoss):
    """The squared error of the probability: (p - y)²."""

    def fill(self, logits: Tensor, labels: Tensor, values: Tensor | None, slopes: Tensor) -> None:
        p = torch.sigmoid(logits)
        error = p - labels
        torch.neg(logits, out=slopes).sigmoid_().mul_(p).mul_(error).mul_(2)
        if values is not None:
            torch.mul(error, error, out=values)


class SquaredErrorLoss(PointwiseLoss):
    """factor/2·(z - t)² of a linear output z, with the targets t = `low` and `high`.

    The paper's two forms of MSE. Its single-layer perceptron is Adaline, the delta rule: targets
    ±1 and half the squared error, so that the slope is -(t - z) without a factor 2, as published.
    Its MLP takes the labels as they are and the whole squared error.
    """

    def __init__(self, low: float, high: float, factor: float) -> None:
        super().__init__()
        self.low, self.high, self.factor = low, high, factor

    def fill(self, logits: Tensor, labels: Tensor, values: Tensor | None, slopes: Tensor) -> None:
        torch.sub(logits, labels, alpha=self.high - self.low, out=slopes)
        if self.low:
            slopes.sub_(self.low)
        if values is not None:
            torch.mul(slopes, slopes, out=values).mul_(self.factor / 2)
        if self.factor != 1:
            slopes.mul_(self.factor)


def count(labels: Tensor, soft: Tensor, weights: Tensor | None) -> Counts[Any]:
    """The counts of soft labels by two sums instead of four; those of one model as numbers."""
    if weights is None:
        positives, found, predicted = passed.positives(labels), _dot(labels, soft), soft.sum(-1)
    else:
        weighted = labels * weights
        positives, found, predicted = weighted.sum(-1), _dot(weighted, soft), _dot(weights, soft)
    total = labels.shape[-1] if weights is None else weights.sum(-1)
    if soft.ndim == 1:
        return counts_of_sums(float(positives), float(found), float(predicted), float(total))
    return counts_of_sums(positives, found, predicted, total)


def counts_of_sums(
    positives: Entry, found: Entry, predicted: Entry, total: Entry | int
) -> Counts[Entry]:
    """Counts from the sums of all positives, of those found, of all predicted and of all."""
    # A difference of sums may fall below 0 by a rounding error; a count may not.
    missed, alarms = at_least(positives - found, 0.0), at_least(predicted - found, 0.0)
    return Counts(at_least(total - positives - alarms, 0.0), missed, alarms, found)


class _Fused(torch.autograd.Function):
    """From outputs to the loss in one step, with the gradient at hand."""

    @staticmethod
    def forward(
        ctx: Any, outputs: Tensor, labels: Tensor, weights: Tensor | None, loss: Loss
    ) -> Tensor:
        wanted = ctx.needs_input_grad[0]
        value, gradient = loss.value_and_gradient(outputs, labels, weights, wanted)
        ctx.save_for_backward(gradient)
        return value

    @staticmethod
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        if torch.is_grad_enabled():  # a graph is kept, to differentiate the gradient too
            raise RuntimeError("this loss has one derivative only: leave create_graph out")
        (gradient,) = ctx.saved_tensors
        if outer.ndim or float(outer) != 1.0:  # 1 where the loss itself is differentiated
            gradient = gradient * outer[..., None]
        return gradient, None, None, None


def _by_class(labels: Tensor, positive: Any, negative: Any, factor: Any, out: Tensor) -> Tensor:
    """factor·positive for positive samples and factor·negative for negative ones."""
    if isinstance(negative, Tensor):  # a column, one row per model
        positive, negative = positive[..., None] * factor, negative[..., None] * factor
        return torch.mul(labels, positive - negative, out=out).add_(negative)
    start = number_like(negative * factor, labels)
    return torch.add(start, labels, alpha=(positive - negative) * factor, out=out)


def _dot(a: Tensor, b: Tensor) -> Tensor:
    """Σ a·b over the last axis without an intermediate of that size where possible."""
    if a.ndim == b.ndim == 1:
        return torch.dot(a, b)
    return (a * b).sum(-1)
