"""How a probability becomes a soft label: the one place where the methods differ.

AnyLoss amplifies (equation 1), SOL lets the threshold be random and uses its distribution
function, soft-F1 takes the probability as it is, sigmoidF1 a sigmoid of the raw output. Each
softening gives the soft label together with its slope, so that a loss needs a single pass. Counts
and scores are left to `confusion` and `scores`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from anyloss_core.approximation import AMPLIFIER, FORMS, THRESHOLD, check_amplifier

Chain = Callable[[Tensor], Tensor]
_times_slope = torch.ops.aten.sigmoid_backward  # (x, s) -> x·s(1-s) in one pass
COSINE_CENTRE = 0.5  # mu and delta of the raised cosine, as in the paper's SOL runs
COSINE_HALF_WIDTH = 0.1
CLEAR_OF_ONE = 0.99  # up to here 1 - p keeps its digits, and p(1-p) needs no second sigmoid


class Softening:
    """A rising function F of the probability with its slope; subclasses implement `apply_to`."""

    def apply_to(self, p: Tensor) -> tuple[Tensor, Tensor]:
        """F(p) and dF/dp; `p` is given away and may be overwritten, which saves a pass."""
        raise NotImplementedError

    def at(self, p: Tensor) -> tuple[Tensor, Tensor]:
        """F(p) and dF/dp, new tensors of the shape of p."""
        return self.apply_to(p.clone())

    def soft_and_slope(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        """The soft labels of raw outputs and d soft label / d logit, of the shape of `logits`."""
        p = torch.sigmoid(logits)
        # p(1-p) from two sigmoids: 1 - p would round to 0 long before the slope does.
        p_slope = torch.neg(logits).sigmoid_().mul_(p)
        soft, slope = self.apply_to(p)
        return soft, slope.mul_(p_slope)

    def soft_and_chain(self, logits: Tensor) -> tuple[Tensor, float | Tensor, Chain]:
        """The soft labels, and the slope as what a backward pass needs: a factor and a chain.

        The slope times x is chain(factor·x), in place. A factor that is put into numbers saves a
        pass over the samples, and so does a slope that is never written down.
        """
        soft, slope = self.soft_and_slope(logits)
        return soft, 1.0, lambda x: x.mul_(slope)

    def __call__(self, logits: Tensor) -> Tensor:
        """The soft labels of raw outputs, as one step of autograd."""
        return _Soften.apply(logits, self.soft_and_slope)

    def from_probabilities(self, p: Tensor) -> Tensor:
        """The soft labels of probabilities, as one step of autograd."""
        return _Soften.apply(p, self.at)


@dataclass(frozen=True, eq=False)
class Amplifier(Softening):
    """A(p) = 1/(1 + e^(-L(p - c))); L is a number, or a tensor with one value per model.

    The safe form takes 1 - A as sigmoid(-u): A' = L·sigmoid(u)·sigmoid(-u) stays above 0 as long
    as it can be represented. The naive form is the paper's, whose slope L·A·(1 - A) is exactly 0
    as soon as A rounds to 1.
    """

    L: float | Tensor = AMPLIFIER
    threshold: float = THRESHOLD
    form: str = "safe"

    def __post_init__(self) -> None:
        if not isinstance(self.L, Tensor):
            check_amplifier(self.L)
        check_share("threshold", self.threshold)
        if self.form not in FORMS:
            raise ValueError(f"form must be one of {', '.join(FORMS)}, got {self.form!r}")

    def soft_and_slope(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        if not self._is_symmetric:
            return super().soft_and_slope(logits)
        soft, factor, chain = self.soft_and_chain(logits)
        return soft, chain(torch.ones_like(soft).mul_(factor))

    @property
    def _is_symmetric(self) -> bool:
        return self.form == "safe" and self.threshold == THRESHOLD

    def soft_and_chain(self, logits: Tensor) -> tuple[Tensor, float | Tensor, Chain]:
        if not self._is_symmetric:
            return super().soft_and_chain(logits)
        # Around 1/2 symmetry saves two of four sigmoids: with m = min(p, 1-p) = sigmoid(-|z|),
        # a = min(A, 1-A) = sigmoid(L(m - 1/2)). Both are small where p or A is near 1, so neither
        # m(1-m) nor a(1-a), the two slopes of the chain rule, rounds to 0.
        smaller = torch.abs(logits).neg_().sigmoid_()
        a = self._amplified(smaller).sigmoid_()
        # A is a below 1/2 and 1 - a above. Never 1/2 ± (1/2 - a), which rounds a small A to 0.
        zero = _constant(0.0, a.dtype, a.device)
        soft = torch.ge(logits, zero, out=torch.empty_like(a)).sub_(a).abs_()

        def chain(x: Tensor) -> Tensor:
            _times_slope.grad_input(x, smaller, grad_input=x)
            return _times_slope.grad_input(x, a, grad_input=x)

        return soft, self.L, chain

    def _amplified(self, smaller: Tensor) -> Tensor:
        """L(m - 1/2), in one pass where L is a number."""
        if isinstance(self.L, Tensor):
            return torch.mul(smaller, self.L).sub_(self.L / 2)
        middle = _constant(-self.L / 2, smaller.dtype, smaller.device)
        return torch.add(middle, smaller, alpha=self.L)

    def apply_to(self, p: Tensor) -> tuple[Tensor, Tensor]:
        u = p.sub_(self.threshold).mul_(self.L)
        if self.form == "naive":
            soft = u.neg_().exp_().add_(1).reciprocal_()
            return soft, (1 - soft).mul_(soft).mul_(self.L)
        soft = torch.sigmoid(u)
        return soft, u.neg_().sigmoid_().mul_(soft).mul_(self.L)


@dataclass(frozen=True)
class RaisedCosine(Softening):
    """SOL with a threshold of raised-cosine density on [mu - delta, mu + delta]."""

    mu: float = COSINE_CENTRE
    delta: float = COSINE_HALF_WIDTH

    def __post_init__(self) -> None:
        check_share("mu", self.mu)
        if not 0 < self.delta <= 1:
            raise ValueError(f"delta must be above 0 and at most 1, got {self.delta}")

    def apply_to(self, p: Tensor) -> tuple[Tensor, Tensor]:
        soft, turned = self._turn(p)
        return soft, turned.cos_().add_(1).mul_(0.5 / self.delta)

    def soft_and_chain(self, logits: Tensor) -> tuple[Tensor, float | Tensor, Chain]:
        if self.mu + self.delta > CLEAR_OF_ONE:
            return super().soft_and_chain(logits)
        p = torch.sigmoid(logits)
        soft, turned = self._turn(p)
        cosine = turned.cos_()

        def chain(x: Tensor) -> Tensor:
            return _times_slope.grad_input(x.addcmul_(x, cosine), p, grad_input=x)

        return soft, 0.5 / self.delta, chain

    def _turn(self, p: Tensor) -> tuple[Tensor, Tensor]:
        """F(p) = 1/2 + (x + sin x)/2pi and x = pi(p - mu)/delta, new tensors."""
        # Beyond ±pi the distribution function is 0 or 1 and the density 0; clamping gives both.
        x = torch.sub(p, self.mu).mul_(math.pi / self.delta).clamp_(-math.pi, math.pi)
        soft = torch.sin(x).add_(x).mul_(0.5 / math.pi).add_(0.5)
        return soft.clamp_(0, 1), x


@dataclass(frozen=True)
class Uniform(Softening):
    """SOL with a threshold uniform on [0, 1], and soft-F1/Dice: F(p) = p."""

    def apply_to(self, p: Tensor) -> tuple[Tensor, Tensor]:
        return p, torch.ones_like(p)


class Identity(Uniform):
    """The probability itself (soft-F1, Dice): the same function as a uniform random threshold."""


@dataclass(frozen=True)
class SigmoidF1(Softening):
    """sigmoid(beta·(x - eta)) of the raw output x (Bénédict et al., 2021).

    The defaults beta = 1, eta = 0 are those of the authors' released code; then it equals the
    identity softening. Larger beta approaches a hard decision at x = eta.
    """

    beta: float = 1.0
    eta: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.beta) and self.beta > 0):
            raise ValueError(f"beta must be a positive number, got {self.beta}")
        if not math.isfinite(self.eta):
            raise ValueError(f"eta must be a finite number, got {self.eta}")

    def soft_and_slope(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        u = torch.sub(logits, self.eta).mul_(self.beta)
        soft = torch.sigmoid(u)
        return soft, u.neg_().sigmoid_().mul_(soft).mul_(self.beta)

    def apply_to(self, p: Tensor) -> tuple[Tensor, Tensor]:
        # logit(0) and logit(1) are infinite; half a rounding step inside they are not.
        edge = torch.finfo(p.dtype).eps / 2
        inside = p.clamp(edge, 1 - edge)
        soft, slope = self.soft_and_slope(torch.logit(inside))
        return soft, slope.div_(inside * (1 - inside))


def number_like(value: float, like: Tensor) -> Tensor:
    """A number in the type and on the device of `like`; operations take it quicker than a float."""
    return torch.scalar_tensor(value, dtype=like.dtype, device=like.device)


@lru_cache(maxsize=64)
def _constant(value: float, dtype: torch.dtype, device: torch.device) -> Tensor:
    """The same, made once; it is only read."""
    return torch.scalar_tensor(value, dtype=dtype, device=device)


def check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {value}")


class _Soften(torch.autograd.Function):
    """Any softening as a torch function with its own backward."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, soft_and_slope: Any) -> Tensor:
        soft, slope = soft_and_slope(x)
        ctx.save_for_backward(slope)
        return soft

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, pull: Tensor) -> tuple[Tensor, None]:
        (slope,) = ctx.saved_tensors
        return pull * slope, None
