"""Networks: their shape, the parameters of M of them, their start, and what they predict.

A network is a list of dense layers; the hidden ones may be followed by batch norm and have an
activation, the last gives the logit (an SLP has no other layer). How a stack of them is trained is
left to `stack`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

ACTIVATIONS = ("sigmoid", "tanh", "relu")
INITIALS = ("zeros", "he", "glorot")
_TRUNCATION = 0.87962566103423978  # sd of a unit normal cut at ±2, by which Keras divides


@dataclass(frozen=True)
class Network:
    """The shape of a network; without hidden layers it is the SLP."""

    hidden: tuple[int, ...] = ()
    activation: str = "sigmoid"
    batch_norm: bool = False
    initial: str = "zeros"
    momentum: float = 0.1  # share of the newest batch in the running mean and variance
    epsilon: float = 1e-5  # added to the variance

    def __post_init__(self) -> None:
        if any(not isinstance(width, int) or width < 1 for width in self.hidden):
            raise ValueError(f"hidden must list widths above 0, got {self.hidden}")
        for name, known in (("activation", ACTIVATIONS), ("initial", INITIALS)):
            if getattr(self, name) not in known:
                wanted = ", ".join(known)
                raise ValueError(f"{name} must be one of {wanted}, got {getattr(self, name)!r}")
        if self.hidden and self.initial == "zeros":
            raise ValueError("initial='zeros' leaves hidden units alike; use 'he' or 'glorot'")

    def shapes(self, features: int, outputs: int = 1) -> dict[str, tuple[int, ...]]:
        """The trained parameters of one model, in the order of the layers."""
        widths = (features, *self.hidden, outputs)
        shapes: dict[str, tuple[int, ...]] = {}
        for layer, (inner, outer) in enumerate(pairwise(widths)):
            shapes[f"weight{layer}"] = (outer, inner)
            if self.batch_norm and layer < len(self.hidden):  # the norm takes any bias out again
                shapes[f"scale{layer}"] = shapes[f"shift{layer}"] = (outer,)
            else:
                shapes[f"bias{layer}"] = (outer,)
        return shapes

    def size(self, features: int) -> int:
        """The number of trained parameters of one model."""
        return sum(math.prod(shape) for shape in self.shapes(features).values())


@dataclass(frozen=True)
class Parameters:
    """The parameters of M models, each tensor with a leading axis M."""

    network: Network
    tensors: Mapping[str, Tensor]

    def __len__(self) -> int:
        return len(self.tensors["weight0"])

    def one(self, model: int) -> Parameters:
        """The parameters of a single model, as a stack of one."""
        return self.pick([model])

    def pick(self, models: Sequence[int]) -> Parameters:
        """The parameters of some models, in that order."""
        chosen = {name: tensor[list(models)] for name, tensor in self.tensors.items()}
        return Parameters(self.network, chosen)


def predict(parameters: Parameters, features: Tensor) -> Tensor:
    """The logits (M, B) of M models with one output for features (B, F)."""
    return outputs_of(parameters, features)[:, 0]


def outputs_of(parameters: Parameters, features: Tensor) -> Tensor:
    """All outputs (M, O, B) of M models for features (B, F)."""
    tensors = parameters.tensors
    like = tensors["weight0"]
    inputs = torch.as_tensor(features).to(like).T.expand(len(parameters), -1, -1)
    for layer in range(len(parameters.network.hidden)):
        outputs = tensors[f"weight{layer}"] @ inputs  # (M, H, B)
        if parameters.network.batch_norm:
            spread = (tensors[f"var{layer}"] + parameters.network.epsilon).rsqrt()
            outputs = (outputs - tensors[f"mean{layer}"][..., None]) * spread[..., None]
            outputs = outputs * tensors[f"scale{layer}"][..., None]
            outputs += tensors[f"shift{layer}"][..., None]
        else:
            outputs += tensors[f"bias{layer}"][..., None]
        inputs = getattr(torch, parameters.network.activation)(outputs)
    last = len(parameters.network.hidden)
    return tensors[f"weight{last}"] @ inputs + tensors[f"bias{last}"][..., None]


def initial_parameters(
    network: Network, features: int, seed: int, outputs: int = 1
) -> dict[str, Tensor]:
    """The start of one model in float64; the same seed gives the same start on every device."""
    generator = torch.Generator().manual_seed(seed)
    start: dict[str, Tensor] = {}
    for name, shape in network.shapes(features, outputs).items():
        start[name] = torch.zeros(shape, dtype=torch.float64)
        if name.startswith("scale"):
            start[name].fill_(1.0)
        elif name.startswith("weight") and network.initial != "zeros":
            output = name == f"weight{len(network.hidden)}" and bool(network.hidden)
            _fill(start[name], network, generator, output)
    return start


def _fill(weight: Tensor, network: Network, generator: torch.Generator, output: bool) -> None:
    """He-normal as in Keras for layers with a non-linearity after them, Glorot for the output."""
    outer, inner = weight.shape
    if network.initial == "he" and not output:
        spread = math.sqrt(2 / inner) / _TRUNCATION
        torch.nn.init.trunc_normal_(weight, 0.0, spread, -2 * spread, 2 * spread, generator)
    else:
        limit = math.sqrt(6 / (inner + outer))
        weight.uniform_(-limit, limit, generator=generator)
