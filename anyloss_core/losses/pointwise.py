"""The usual losses: a mean over samples of a value that depends on one sample alone.

BCE, weighted BCE, focal and squared errors. A subclass gives the value and its slope per sample in
one step; the engine trains with the same `fill`.
"""

import math

import torch
from torch import Tensor
from torch.nn.functional import softplus

from anyloss_core.losses.base import Loss
from anyloss_core.losses.confusion import even_weight, safe_ratio
from anyloss_core.losses.inputs import check_labels
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
        self.power = power
        if isinstance(pos_weight, int | float) and not 0 < pos_weight < math.inf:
            raise ValueError(f"pos_weight must be a positive number, got {pos_weight}")
        self.pos_weight = pos_weight

    @classmethod
    def for_labels(cls, labels: Tensor) -> "WeightedBCELoss":
        """The loss with the balance of all training labels (N,), the same in every batch."""
        labels = torch.as_tensor(labels).double()
        check_labels(labels, 1 - labels)
        return cls(float(even_weight(labels.sum(), (1 - labels).sum())))

    def factors(self, classes: Classes, weights: Tensor | None) -> Tensor:
        # The balance of the weighted samples: a weight of 2 must equal the sample given twice.
        own = torch.ones_like(classes.positive) if weights is None else weights
        if (weight := self.pos_weight) is None:
            weight = even_weight(*((part * own).sum(-1, keepdim=True) for part in classes))
            weight = weight**self.power
        return own * (1 + (weight - 1) * classes.positive)


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
