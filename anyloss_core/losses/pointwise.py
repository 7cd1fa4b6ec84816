"""The usual losses: a mean over samples of a value that depends on one sample alone.

BCE, weighted BCE, focal, squared errors and the surrogate of F-beta. A subclass gives the value and
its slope per sample in one step; the engine trains with the same `fill`.
"""

import math
import re
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import softplus

from anyloss_core.losses.base import Loss
from anyloss_core.losses.confusion import even_weight, safe_ratio
from anyloss_core.losses.inputs import check_labels
from anyloss_core.losses.scores import Score, get_score
from anyloss_core.losses.shapes import Classes, Samples

_softplus = torch.ops.aten.softplus.out
LINEAR_FROM = 40  # beyond this softplus(x) is x to the last digit
FOCUS = 2.0  # gamma of the focal loss, as in Lin et al. (2017)
FOCAL_BALANCE = 0.25  # alpha of the focal loss: the weight of positives, as in Lin et al. (2017)


class PointwiseLoss(Loss):
    """A (weighted) mean over samples; subclasses give the value and its slope per sample."""

    def fill(self, logits: Tensor, labels: Tensor, values: Tensor | None, slopes: Tensor) -> None:
        """Write d loss/d logit of each sample, and its loss into `values` (may be `logits`)."""
        raise NotImplementedError

    def factors(self, classes: Classes, weights: Tensor | None) -> Tensor | None:
        """What each sample counts in the mean; None: all the same."""
        return weights

    def value_and_gradient(self, samples: Samples, wanted: bool) -> tuple[Tensor, Tensor | None]:
        outputs, classes, weights, _ = samples
        values, slopes = torch.empty_like(outputs), torch.empty_like(outputs)
        self.fill(outputs, classes.positive, values, slopes)
        factors = self.factors(classes, weights)
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
    """Cross-entropy whose positives weigh `pos_weight`, by default (negatives / positives)^power.

    The default balances each batch by itself. Training with `compare` and the engine balances a
    fold: all its training rows, whatever the batch. `WeightedBCELoss.for_labels` does the same.
    """

    def __init__(self, pos_weight: float | Tensor | None = None, power: float = 1.0) -> None:
        super().__init__()
        if not 0 <= power < math.inf or (pos_weight is not None and power != 1):
            raise ValueError(f"power must be 0 or above, and without pos_weight, got {power}")
        self.pos_weight, self.power = _checked_weight(pos_weight), power

    @classmethod
    def for_labels(cls, labels: Tensor) -> "WeightedBCELoss":
        """The loss with the balance of all training labels (N,), the same in every batch."""
        labels = torch.as_tensor(labels).double()
        check_labels(labels, 1 - labels)
        return cls(float(even_weight(labels.sum(), (1 - labels).sum())))

    def factors(self, classes: Classes, weights: Tensor | None) -> Tensor:
        if (weight := self.pos_weight) is None:
            weight = _balance(classes, weights) ** self.power
        return _weighted(classes, weights, weight)


class LeeLoss(PointwiseLoss):
    """F-beta as a mean over samples, after Lee, Yang and Yoo (2021, arXiv:2104.01459).

    F-beta rises with r = TP / (beta²·P + FP), so -log r = -log TP + log(beta²·P + FP) leads the
    same way. Taken sample by sample, means of logarithms instead of logarithms of means, that is
    -log p, the BCE of a positive, and log(c + p) with c = beta²·P/N for a negative, which for large
    c is the absolute error p/c but for a constant. Both classes count the same, as in
    `WeightedBCELoss`: `pos_weight` is N/P, by default that of the batch. See the README of this
    room for what is ours in it.
    """

    def __init__(
        self, metric: str | Score = "f1", pos_weight: float | Tensor | None = None
    ) -> None:
        super().__init__()
        self.score = get_score(metric)
        self.beta = _beta_of(self.score)
        self.pos_weight = _checked_weight(pos_weight)

    def balanced(self, pos_weight: float | Tensor) -> "LeeLoss":
        """The loss for so many negatives to a positive, a number or (..., 1)."""
        return LeeLoss(self.score, pos_weight)

    def value_and_gradient(self, samples: Samples, wanted: bool) -> tuple[Tensor, Tensor | None]:
        if self.pos_weight is not None:
            return super().value_and_gradient(samples, wanted)
        own = self.balanced(_balance(samples.classes, samples.weights))
        return own.value_and_gradient(samples, wanted)

    def factors(self, classes: Classes, weights: Tensor | None) -> Tensor:
        return _weighted(classes, weights, self.pos_weight)

    def fill(self, logits: Tensor, labels: Tensor, values: Tensor | None, slopes: Tensor) -> None:
        assert self.pos_weight is not None
        p, rest = torch.sigmoid(logits), torch.sigmoid(-logits)  # 1 - p without rounding to 0
        raised = p + self.beta**2 / self.pos_weight
        if values is not None:  # may be `logits`
            missed = softplus(-logits)
            torch.mul(labels, missed - raised.log(), out=values).add_(raised.log())
        alarm = p / raised
        torch.mul(labels, -1 - alarm, out=slopes).add_(alarm).mul_(rest)


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


def _beta_of(score: Score) -> float:
    """2.0 of 'f2'."""
    found = re.fullmatch(r"f(\d+\.?\d*|\.\d+)", score.name)
    if not found:
        raise ValueError(f"this loss is for F-beta alone, such as f1 or f2, got {score.name!r}")
    return float(found[1])


def _checked_weight(pos_weight: float | Tensor | None) -> float | Tensor | None:
    if isinstance(pos_weight, int | float) and not 0 < pos_weight < math.inf:
        raise ValueError(f"pos_weight must be a positive number, got {pos_weight}")
    return pos_weight


def _balance(classes: Classes, weights: Tensor | None) -> Tensor:
    """(..., 1): what a positive weighs so that both classes count the same."""
    # Of the weighted samples: a weight of 2 must equal the sample given twice.
    own = torch.ones_like(classes.positive) if weights is None else weights
    return even_weight(*((part * own).sum(-1, keepdim=True) for part in classes))


def _weighted(classes: Classes, weights: Tensor | None, pos_weight: Any) -> Tensor:
    """What each sample counts where a positive weighs so much."""
    own = torch.ones_like(classes.positive) if weights is None else weights
    return own * (1 + (pos_weight - 1) * classes.positive)
