"""What all losses share: the check at the door, and the loss with its gradient in one step."""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from anyloss_core.losses.functional import read_samples
from anyloss_core.losses.shapes import Reading, Samples, are_several


class Loss(nn.Module):
    """One value from raw outputs and 0/1 labels of the same shape, (B,) or (B, 1).

    `stacked=True` reads outputs (M, B) as M models and gives one value each.
    """

    reading = Reading()

    def stack(self) -> "Loss":
        """This loss, for stacked models (M, B)."""
        self.reading = replace(self.reading, stacked=True)
        return self

    def forward(
        self, logits: Tensor, labels: Tensor, sample_weight: Tensor | None = None
    ) -> Tensor:
        """The loss () of outputs (B,), or (M,) of stacked outputs (M, B)."""
        samples = read_samples(logits, labels, sample_weight, self.reading)
        if are_several(samples) and not self.reading.stacked:
            raise ValueError(
                f"{self.reading.what} have shape {tuple(logits.shape)}; {type(self).__name__} is "
                "for one output per row: use .squeeze(-1), or stacked=True for stacked models"
            )
        return self.fused(samples)

    def fused(self, samples: Samples) -> Tensor:
        """The loss as one step of autograd, its gradient worked out beside it."""
        return _Fused.apply(samples.outputs, samples, self)

    def value_and_gradient(self, samples: Samples, wanted: bool) -> tuple[Tensor, Tensor | None]:
        """The loss (...,) and d loss/d outputs (..., B), which may be None unless it is wanted."""
        raise NotImplementedError

    def plain(self, samples: Samples) -> Tensor:
        """The same value in tensor operations, for what differentiates the gradient too."""
        raise RuntimeError("this loss has one derivative only: leave create_graph out")


class _Fused(torch.autograd.Function):
    """From outputs to the loss in one step, with the gradient at hand."""

    @staticmethod
    def forward(ctx: Any, outputs: Tensor, samples: Samples, loss: Loss) -> Tensor:
        samples = samples._replace(outputs=outputs)
        value, gradient = loss.value_and_gradient(samples, ctx.needs_input_grad[0])
        ctx.save_for_backward(outputs, gradient)
        ctx.samples, ctx.loss = samples._replace(outputs=outputs.detach()), loss
        return value

    @staticmethod
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        outputs, gradient = ctx.saved_tensors
        if torch.is_grad_enabled():  # a graph is kept, to differentiate the gradient too
            value = ctx.loss.plain(ctx.samples._replace(outputs=outputs))
            (gradient,) = torch.autograd.grad(value, outputs, outer, create_graph=True)
        elif outer.ndim or float(outer) != 1.0:  # 1 where the loss itself is differentiated
            gradient = gradient * outer[..., None]
        return gradient, None, None
