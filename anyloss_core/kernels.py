"""Sample by sample: from a logit to what is summed up (soft label or loss) and its slope.

A kernel serves neighbouring models of a stack and works in place on big tensors (G, k, B). For a
loss over counts it gives the soft label and d soft/d logit; for a pointwise loss the loss of the
sample and its slope. What the sums mean is left to `objective`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from anyloss_core.losses import CountsLoss, PointwiseLoss
from anyloss_core.scores import Score, get_score
from anyloss_core.softening import Amplifier, Softening
from anyloss_core.spelling import LossSpec

_sigmoid_backward = torch.ops.aten.sigmoid_backward
_softplus = torch.ops.aten.softplus


class Kernel:
    """Fills `soft` and `slope` of its models and may overwrite `logits`.

    `valued` says whether pointwise losses are wanted.
    """

    amplified = False  # whether it waits for an L per model
    seconds = 0.0  # spent so far

    def run(
        self, logits: Tensor, labels: Tensor, soft: Tensor, slope: Tensor, valued: bool
    ) -> None:
        raise NotImplementedError


class CrossEntropy(Kernel):
    """BCE; class weights enter later, through the sums."""

    def run(
        self, logits: Tensor, labels: Tensor, soft: Tensor, slope: Tensor, valued: bool
    ) -> None:
        torch.sigmoid(logits, out=slope)
        if valued:  # log(1 + e^z) - yz; beyond 40 the logarithm is z to the last digit
            _softplus.out(logits, 1, 40, out=soft)
            torch.addcmul(soft, logits, labels, value=-1, out=soft)
        slope.sub_(labels)


class LinearOutput(Kernel):
    """The paper's forms of MSE: the slope is a multiple of z - (spread·y + low)."""

    def __init__(self, spec: LossSpec) -> None:
        adaline = spec.family == "adaline"  # labels -1 and 1, half the squared error
        self.spread, self.low, self.factor = (2, -1, 1) if adaline else (1, 0, 2)

    def run(
        self, logits: Tensor, labels: Tensor, soft: Tensor, slope: Tensor, valued: bool
    ) -> None:
        torch.sub(logits, labels, alpha=self.spread, out=slope)
        if self.low:
            slope.sub_(self.low)
        if self.factor != 1:
            slope.mul_(self.factor)
        if valued:
            torch.mul(slope, slope, out=soft).mul_(0.5 / self.factor)


class Pointwise(Kernel):
    """Any other loss that is a mean over samples."""

    def __init__(self, loss: PointwiseLoss) -> None:
        self.loss = loss

    def run(
        self, logits: Tensor, labels: Tensor, soft: Tensor, slope: Tensor, valued: bool
    ) -> None:
        slope.copy_(self.loss.slopes(logits, labels))
        if valued:
            soft.copy_(self.loss.values(logits, labels))


class Soften(Kernel):
    """Any softening of a loss over counts."""

    def __init__(self, softening: Softening) -> None:
        self.softening = softening
        self.amplified = isinstance(softening, Amplifier)

    def run(
        self, logits: Tensor, labels: Tensor, soft: Tensor, slope: Tensor, valued: bool
    ) -> None:
        softened, steepness = self.softening.soft_and_slope(logits)
        soft.copy_(softened)
        slope.copy_(steepness)

    def amplify(self, L: Sequence[float], like: Tensor) -> None:
        """Take another L for each model, as a tensor (k, 1) of the kind of `like`."""
        self.softening = replace(self.softening, L=like.new_tensor(L)[:, None])


class SafeAmplifier(Kernel):
    """The complement-safe amplifier around 1/2 in two sigmoids, for a stack of L.

    By symmetry min(p, 1-p) = sigmoid(-|z|) =: m and min(A, 1-A) = sigmoid(L(m - 1/2)) =: a. Both
    are small where p or A is near 1, so neither m(1-m) nor a(1-a), the two slopes of the chain
    rule, rounds to 0.
    """

    amplified = True

    def amplify(self, L: Sequence[float], like: Tensor) -> None:
        self.L, self.zero = like.new_tensor(L)[:, None], like.new_zeros(())
        self.low = self.L / -2
        self.same = L[0] if len(set(L)) == 1 else None  # the L of all models

    def run(
        self, logits: Tensor, labels: Tensor, soft: Tensor, slope: Tensor, valued: bool
    ) -> None:
        torch.abs(logits, out=slope)
        slope.neg_().sigmoid_()  # m
        self._amplified(slope, soft).sigmoid_()  # a
        _sigmoid_backward.grad_input(self.L, slope, grad_input=slope)  # L·m(1-m)
        _sigmoid_backward.grad_input(slope, soft, grad_input=slope)  # times a(1-a)
        # A is a below 1/2 and 1 - a above. Never 1/2 ± (1/2 - a), which rounds a small A to 0.
        torch.ge(logits, self.zero, out=logits)
        torch.sub(logits, soft, out=soft).abs_()

    def _amplified(self, smaller: Tensor, out: Tensor) -> Tensor:
        """L(m - 1/2), in one pass where all models have the same L."""
        if self.same is not None:
            return torch.add(self.low[0], smaller, alpha=self.same, out=out)
        return torch.mul(smaller, self.L, out=out).add_(self.low)


def score_of(spec: LossSpec) -> Score | None:
    """The score behind a loss over counts, None for a mean over samples."""
    return get_score("f1") if spec.family == "sigmoid_f1" else spec.score


def kernel_key(spec: LossSpec) -> Hashable:
    """Losses with equal keys share a kernel."""
    if spec.family in ("bce", "weighted_bce"):
        return "bce"
    return (spec.family, tuple(sorted(spec.options.items())))


def has_linear_output(spec: LossSpec) -> bool:
    """Whether it is one of the paper's two forms of MSE."""
    return spec.family in ("adaline", "linear_mse")


def build_kernel(spec: LossSpec) -> Kernel:
    """The kernel of a loss."""
    if kernel_key(spec) == "bce":
        return CrossEntropy()
    if has_linear_output(spec):
        return LinearOutput(spec)
    loss = spec.build()
    if not isinstance(loss, CountsLoss):
        return Pointwise(loss)
    softening = loss.softening
    if isinstance(softening, Amplifier) and softening.form == "safe" and softening.threshold == 0.5:
        return SafeAmplifier()
    return Soften(softening)
