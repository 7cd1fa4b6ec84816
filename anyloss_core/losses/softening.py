"""How a probability becomes a soft label: the one place where the methods differ.

AnyLoss amplifies (equation 1), SOL lets the threshold be random and uses its distribution
function, soft-F1 takes the probability as it is, sigmoidF1 a sigmoid of the raw output. `soften`
and `chain` are the two ways through: from raw outputs to soft labels, and from d loss/d soft label
back to d loss/d output. Losses and the engine train with these alone. Counts and scores are left
to `confusion` and `scores`.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import torch
from torch import Tensor

from anyloss_core.losses.approximation import (
    AMPLIFIER,
    FORMS,
    THRESHOLD,
    check_amplifier,
    naive_amplifier,
)

Buffer: TypeAlias = tuple[Tensor, Tensor]  # each of the shape of the outputs
_times_slope = torch.ops.aten.sigmoid_backward.grad_input  # (x, s) -> x·s(1-s) in one pass
COSINE_CENTRE = 0.5  # mu and delta of the raised cosine, as in the paper's SOL runs
COSINE_HALF_WIDTH = 0.1
CLEAR_OF_ONE = 0.99  # up to here 1 - p keeps its digits, and p(1-p) needs no second sigmoid


class Softening:
    """A rising function F of the probability; subclasses implement `at`, and `soften` for speed."""

    @property
    def scale(self) -> float | Tensor:
        """A constant factor of the slope that `chain` leaves out: cheaper in few numbers."""
        return 1.0

    @property
    def is_learnt(self) -> bool:
        """Whether it has a parameter of its own that wants a gradient."""
        return False

    def at(self, p: Tensor) -> tuple[Tensor, Tensor]:
        """F(p) and dF/dp, new tensors of the shape of p."""
        raise NotImplementedError

    def soften(self, logits: Tensor, buffer: Buffer, out: Tensor) -> Tensor:
        """The soft labels of raw outputs, in `out` (may be `logits`); `buffer` is for `chain`."""
        slope, p = buffer
        torch.sigmoid(logits, out=p)
        # p(1-p) from two sigmoids: 1 - p would round to 0 long before the slope does.
        torch.neg(logits, out=slope).sigmoid_().mul_(p)
        soft, own_slope = self.at(p)
        slope.mul_(own_slope)
        return out.copy_(soft)

    def chain(self, x: Tensor | None, buffer: Buffer) -> Tensor:
        """x · d soft label/d logit / scale in place of x; without x that slope, in `buffer[0]`."""
        return buffer[0] if x is None else x.mul_(buffer[0])

    def from_probabilities(self, p: Tensor) -> Tensor:
        """F(p) in plain tensor operations, which torch can differentiate, map and compile."""
        raise NotImplementedError

    def __call__(self, logits: Tensor) -> Tensor:
        """The same of raw outputs."""
        return self.from_probabilities(sigmoid(logits))


@dataclass(frozen=True)
class FromProbabilities(Softening):
    """A softening of outputs that are probabilities already."""

    softening: Softening

    @property
    def is_learnt(self) -> bool:
        return self.softening.is_learnt

    def __call__(self, logits: Tensor) -> Tensor:
        return self.softening.from_probabilities(logits)

    def soften(self, logits: Tensor, buffer: Buffer, out: Tensor) -> Tensor:
        soft, slope = self.softening.at(logits)
        buffer[0].copy_(slope)
        return out.copy_(soft)


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

    @property
    def scale(self) -> float | Tensor:
        return self.L if self._is_symmetric else 1.0

    @property
    def is_learnt(self) -> bool:
        return isinstance(self.L, Tensor) and self.L.requires_grad

    @property
    def _is_symmetric(self) -> bool:
        return self.form == "safe" and self.threshold == THRESHOLD

    def at(self, p: Tensor) -> tuple[Tensor, Tensor]:
        if self.form == "naive":
            soft = naive_amplifier(p, self.L, self.threshold)
            return soft, (1 - soft).mul_(soft).mul_(self.L)
        u = (p - self.threshold).mul_(self.L)
        soft = torch.sigmoid(u)
        return soft, u.neg_().sigmoid_().mul_(soft).mul_(self.L)

    def from_probabilities(self, p: Tensor) -> Tensor:
        if self.form == "naive":
            return naive_amplifier(p, self.L, self.threshold)
        return sigmoid((p - self.threshold) * self.L)

    def soften(self, logits: Tensor, buffer: Buffer, out: Tensor) -> Tensor:
        if not self._is_symmetric:
            return super().soften(logits, buffer, out)
        # Around 1/2 symmetry saves two of four sigmoids: with m = min(p, 1-p) = sigmoid(-|z|),
        # a = min(A, 1-A) = sigmoid(L(m - 1/2)). Both are small where p or A is near 1, so neither
        # m(1-m) nor a(1-a), the two slopes of the chain rule, rounds to 0.
        smaller, a = buffer
        torch.abs(logits, out=smaller).neg_().sigmoid_()
        self._amplified(smaller, a).sigmoid_()
        # A is a below 1/2 and 1 - a above. Never 1/2 ± (1/2 - a), which rounds a small A to 0.
        return torch.ge(logits, _constant(0.0, a.dtype, a.device), out=out).sub_(a).abs_()

    def chain(self, x: Tensor | None, buffer: Buffer) -> Tensor:
        if not self._is_symmetric:
            return super().chain(x, buffer)
        smaller, a = buffer
        out = smaller if x is None else x
        start = _constant(1.0, a.dtype, a.device) if x is None else x
        _times_slope(start, smaller, grad_input=out)
        return _times_slope(out, a, grad_input=out)

    def _amplified(self, smaller: Tensor, out: Tensor) -> Tensor:
        """L(m - 1/2), in one pass where L is a number."""
        if isinstance(self.L, Tensor):
            return torch.mul(smaller, self.L, out=out).sub_(self.L / 2)
        middle = _constant(-self.L / 2, smaller.dtype, smaller.device)
        return torch.add(middle, smaller, alpha=self.L, out=out)


@dataclass(frozen=True)
class RaisedCosine(Softening):
    """SOL with a threshold of raised-cosine density on [mu - delta, mu + delta]."""

    mu: float = COSINE_CENTRE
    delta: float = COSINE_HALF_WIDTH

    def __post_init__(self) -> None:
        check_share("mu", self.mu)
        if not 0 < self.delta <= 1:
            raise ValueError(f"delta must be above 0 and at most 1, got {self.delta}")

    @property
    def scale(self) -> float:
        return 0.5 / self.delta if self._is_clear_of_one else 1.0

    @property
    def _is_clear_of_one(self) -> bool:
        return self.mu + self.delta <= CLEAR_OF_ONE

    def at(self, p: Tensor) -> tuple[Tensor, Tensor]:
        cosine, soft = torch.empty_like(p), torch.empty_like(p)
        self._distribute(p, cosine, soft)
        return soft, cosine.add_(1).mul_(0.5 / self.delta)

    def from_probabilities(self, p: Tensor) -> Tensor:
        x = ((p - self.mu) * (math.pi / self.delta)).clamp(-math.pi, math.pi)
        return ((x + torch.sin(x)) * (0.5 / math.pi) + 0.5).clamp(0, 1)

    def soften(self, logits: Tensor, buffer: Buffer, out: Tensor) -> Tensor:
        if not self._is_clear_of_one:
            return super().soften(logits, buffer, out)
        p, cosine = buffer
        torch.sigmoid(logits, out=p)
        return self._distribute(p, cosine, out)

    def chain(self, x: Tensor | None, buffer: Buffer) -> Tensor:
        if not self._is_clear_of_one:
            return super().chain(x, buffer)
        p, cosine = buffer
        if x is None:
            return _times_slope(cosine.add_(1), p, grad_input=p)
        return _times_slope(x.addcmul_(x, cosine), p, grad_input=x)

    def _distribute(self, p: Tensor, cosine: Tensor, out: Tensor) -> Tensor:
        """F(p) = 1/2 + (x + sin x)/2pi with x = pi(p - mu)/delta in `out`, and cos x."""
        # Beyond ±pi the distribution function is 0 or 1 and the density 0; clamping gives both.
        x = torch.sub(p, self.mu, out=cosine).mul_(math.pi / self.delta)
        x.clamp_(-math.pi, math.pi)
        torch.sin(x, out=out).add_(x).mul_(0.5 / math.pi).add_(0.5).clamp_(0, 1)
        x.cos_()
        return out


@dataclass(frozen=True)
class Uniform(Softening):
    """F(p) = p: SOL with a threshold uniform on [0, 1], and soft-F1 or Dice."""

    def at(self, p: Tensor) -> tuple[Tensor, Tensor]:
        return p, torch.ones_like(p)

    def from_probabilities(self, p: Tensor) -> Tensor:
        return p


@dataclass(frozen=True)
class SigmoidF1(Softening):
    """sigmoid(beta·(x - eta)) of the raw output x (Bénédict et al., 2021).

    Larger beta approaches a hard decision at x = eta. The defaults beta = 1, eta = 0 are ours: one
    sigmoid, whose soft labels are the probabilities, as in soft-F1. The authors write
    1/(1 + e^(S(x + E))), that is beta = -S and eta = -E; see `AUTHORS_SIGMOID_F1` for theirs.
    """

    beta: float = 1.0
    eta: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.beta) and self.beta > 0):
            raise ValueError(f"beta must be a positive number, got {self.beta}")
        if not math.isfinite(self.eta):
            raise ValueError(f"eta must be a finite number, got {self.eta}")

    def soften(self, logits: Tensor, buffer: Buffer, out: Tensor) -> Tensor:
        slope = torch.sub(logits, self.eta, out=buffer[0]).mul_(self.beta)
        torch.sigmoid(slope, out=out)
        slope.neg_().sigmoid_().mul_(out).mul_(self.beta)
        return out

    def at(self, p: Tensor) -> tuple[Tensor, Tensor]:
        # logit(0) and logit(1) are infinite; half a rounding step inside they are not.
        edge = torch.finfo(p.dtype).eps / 2
        inside = p.clamp(edge, 1 - edge)
        soft, slope = torch.empty_like(p), torch.empty_like(p)
        self.soften(torch.logit(inside), (slope, slope), soft)
        return soft, slope.div_(inside * (1 - inside))

    def from_probabilities(self, p: Tensor) -> Tensor:
        edge = torch.finfo(p.dtype).eps / 2
        return self(torch.logit(p.clamp(edge, 1 - edge)))

    def __call__(self, logits: Tensor) -> Tensor:
        return sigmoid((logits - self.eta) * self.beta)


@dataclass(frozen=True)
class SigmoidTwice(Softening):
    """sigmoid(p): never below 1/2, since a probability is never negative."""

    def at(self, p: Tensor) -> tuple[Tensor, Tensor]:
        soft = torch.sigmoid(p)
        return soft, (1 - soft).mul_(soft)

    def from_probabilities(self, p: Tensor) -> Tensor:
        return torch.sigmoid(p)


# sigmoidF1 as its authors released it. Their torch code takes a sigmoid of the output first, then
# S = -1 and E = 0. Their TensorFlow code takes S = -10 and E = 1 and no sigmoid of its own.
AUTHORS_SIGMOID_F1: dict[str, Softening] = {
    "torch": SigmoidTwice(),
    "tensorflow": SigmoidF1(beta=10.0, eta=-1.0),
}


def sigmoid(x: Tensor) -> Tensor:
    """The sigmoid of x, whose slope keeps its digits where the value is near 1."""
    return (_Sigmoid if torch.compiler.is_compiling() else _SigmoidBothWays).apply(x)


class _Sigmoid(torch.autograd.Function):
    """torch takes the slope s(1-s) from the value, which rounds to 0 near 1; sigmoid(-x) does not.

    The slope is made of differentiable operations: there are second derivatives too.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.sigmoid(x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs, output)
        ctx.save_for_forward(*inputs, output)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        x, value = ctx.saved_tensors
        return gradient * (value * torch.sigmoid(-x))


class _SigmoidBothWays(_Sigmoid):
    """With forward differentiation too, as in torch.func.hessian; torch.compile refuses it."""

    jvp = _Sigmoid.backward  # one number from one number


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


class QuickSoften(torch.autograd.Function):
    """Any softening of plain tensors with `soften` and `chain`; differentiable more than once."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, softening: Softening) -> Tensor:
        ctx.buffer = (torch.empty_like(x), torch.empty_like(x))
        ctx.softening = softening
        ctx.save_for_backward(x)
        return softening.soften(x, ctx.buffer, torch.empty_like(x))

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        softening, (x,) = ctx.softening, ctx.saved_tensors
        if torch.is_grad_enabled():
            return torch.autograd.grad(softening(x), x, gradient, create_graph=True)[0], None
        # A copy of the slopes: a graph that is kept may be gone back again.
        return softening.chain(gradient * softening.scale, ctx.buffer), None
