"""G folds x K losses of one network, trained side by side: forward and backward by hand.

The K models of a fold see the same rows, so the first layer is one product per fold; deeper
layers are one product per model. All parameters lie in one flat buffer, so that an optimiser
updates the whole stack in a few operations. Activations have shape (G, K*H, B): the rows of a batch
last, where sums and vector units want them. A `part` is some of the folds, needed when the last
batch of the epoch differs in length between folds.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from anyloss_core.engine.models import Network, Parameters, initial_parameters

_aten = torch.ops.aten
FoldSpan = tuple[int, int] | None  # neighbouring folds, from and up to; None: all


def folds_of(part: FoldSpan) -> slice:
    return slice(None) if part is None else slice(*part)


class Layer:
    """A dense layer of every model of a stack: (G, K, H_out, H_in) weights and what goes with them.

    `values` and `gradients` hold the parameters and the derivatives of the loss by the same names.
    """

    def __init__(
        self, network: Network, index: int, values: dict[str, Tensor], gradients: dict[str, Tensor]
    ) -> None:
        self.network, self.hidden = network, index < len(network.hidden)
        weight = values["weight"]
        groups, losses, outer, inner = weight.shape
        # Models of a fold share the rows, not what their hidden layers make of them.
        self.shape = (groups, losses * outer) if index == 0 else (groups * losses, outer)
        self.weight = weight.view(*self.shape, inner)
        self.weight_gradient = gradients["weight"].view(*self.shape, inner)
        self.norm = "scale" in values
        self.activate = f"{network.activation}_"
        if self.norm:
            self.flat = {name: tensor.view(-1) for name, tensor in values.items()}
            self.flat_gradients = [gradients[name].view(-1) for name in ("scale", "shift")]
        else:
            self.bias = values["bias"].view(*self.shape, 1)
            self.bias_gradient = gradients["bias"].view(*self.shape)

    def forward(self, inputs: Tensor, training: bool, out: Tensor | None = None) -> Tensor:
        """Inputs (groups, H_in, B) -> activations (groups, H_out, B), in `out` if it is given."""
        if self.norm:
            outputs = self._normalise(torch.bmm(self.weight, inputs), training)
        else:
            outputs = torch.baddbmm(self.bias, self.weight, inputs, out=out)
        if self.hidden:
            outputs = getattr(outputs, self.activate)()
        if training:
            self.inputs, self.outputs = inputs, outputs
        return outputs

    def backward(self, gradient: Tensor) -> Tensor:
        """From d loss/d outputs to the gradients of this layer, and d loss/d raw outputs."""
        if self.hidden:
            gradient = _ACTIVATION_BACKWARD[self.network.activation](gradient, self.outputs)
        if self.norm:
            gradient = self._normalise_backward(gradient)
        else:
            torch.sum(gradient, -1, out=self.bias_gradient)
        torch.bmm(gradient, self.inputs.transpose(1, 2), out=self.weight_gradient)
        return gradient

    def input_gradient(self, gradient: Tensor) -> Tensor:
        """From d loss/d raw outputs to d loss/d inputs."""
        transposed = self.weight.transpose(1, 2)
        # The output layer has one unit: an outer product, for which bmm is slow.
        return transposed * gradient if self.shape[1] == 1 else torch.bmm(transposed, gradient)

    def _normalise(self, raw: Tensor, training: bool) -> Tensor:
        """Batch norm of every hidden unit over the rows; each unit of each model is a channel."""
        shape, network = raw.shape, self.network
        raw = raw.view(1, -1, shape[-1])
        # One row has no variance to learn from: it must not enter the running one.
        learn = not training or shape[-1] > 1
        mean, var = (self.flat["mean"], self.flat["var"]) if learn else (None, None)
        outputs, batch_mean, batch_spread = torch.native_batch_norm(
            raw,
            self.flat["scale"],
            self.flat["shift"],
            mean,
            var,
            training,
            network.momentum,
            network.epsilon,
        )
        if training:
            self.raw, self.batch = raw, (batch_mean, batch_spread)
        return outputs.view(shape)

    def _normalise_backward(self, gradient: Tensor) -> Tensor:
        inner, scale, shift = _aten.native_batch_norm_backward(
            gradient.view(self.raw.shape),
            self.raw,
            self.flat["scale"],
            None,
            None,
            *self.batch,
            True,
            self.network.epsilon,
            (True, True, True),
        )
        for target, found in zip(self.flat_gradients, (scale, shift), strict=True):
            target.copy_(found)
        return inner.view(gradient.shape)


class Stack:
    """The layers of G x K models over flat buffers `values` and `gradients`."""

    def __init__(
        self,
        network: Network,
        features: int,
        size: tuple[int, int],
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        self.network, self.size = network, size
        self.shapes = {name: (*size, *shape) for name, shape in network.shapes(features).items()}
        total = sum(math.prod(shape) for shape in self.shapes.values())
        self.values = torch.zeros(total, dtype=dtype, device=device)
        self.gradients = torch.zeros_like(self.values)
        self.running = {  # mean 0 and variance 1 until the first batch
            name: torch.full((*size, width), start, dtype=dtype, device=device)
            for layer, width in enumerate(network.hidden if network.batch_norm else ())
            for name, start in ((f"mean{layer}", 0.0), (f"var{layer}", 1.0))
        }
        self.named = self.views(self.values)
        self.state = {**self.named, **self.running}  # (G, K, ...): all that a model is
        self._parts: dict[FoldSpan, list[Layer]] = {}

    def start(self, seeds: list[int], columns: list[int]) -> None:
        """Fresh weights: one start per fold, the same for all its losses."""
        for fold, (seed, width) in enumerate(zip(seeds, columns, strict=True)):
            for name, value in initial_parameters(self.network, width, seed).items():
                target = self.named[name][fold]
                if name == "weight0":  # columns that this fold does not have keep weight 0
                    target = target[..., :width]
                target.copy_(value.to(target.dtype))

    def load(self, parameters: Parameters) -> None:
        """Take over parameters of G x K models on one axis."""
        for name, target in self.state.items():
            target.copy_(parameters.tensors[name].view(target.shape))

    def views(self, buffer: Tensor) -> dict[str, Tensor]:
        """The parts (G, K, ...) of a flat buffer, by name."""
        pieces = buffer.split([math.prod(shape) for shape in self.shapes.values()])
        return {
            name: piece.view(shape)
            for (name, shape), piece in zip(self.shapes.items(), pieces, strict=True)
        }

    def layers(self, part: FoldSpan = None) -> list[Layer]:
        """The layers of all folds, or of some neighbouring ones."""
        if part not in self._parts:
            chosen = folds_of(part)
            values = {name: view[chosen] for name, view in self.state.items()}
            gradients = {name: view[chosen] for name, view in self.views(self.gradients).items()}
            self._parts[part] = [
                Layer(self.network, index, _of_layer(values, index), _of_layer(gradients, index))
                for index in range(len(self.network.hidden) + 1)
            ]
        return self._parts[part]

    def forward(
        self, rows: Tensor, part: FoldSpan = None, training: bool = False, out: Tensor | None = None
    ) -> Tensor:
        """Rows (G, B, F) -> logits (G, K, B), in `out` if it is given."""
        outputs, last = rows.transpose(1, 2), len(self.network.hidden)
        for index, layer in enumerate(self.layers(part)):
            if index == 1:  # from here on every model has inputs of its own
                outputs = outputs.view(layer.shape[0], -1, rows.shape[1])
            ready = None if out is None or index < last else out.view(*layer.shape, -1)
            outputs = layer.forward(outputs, training, ready)
        return outputs.view(rows.shape[0], self.size[1], rows.shape[1])

    def backward(self, gradient: Tensor, part: FoldSpan = None) -> None:
        """Fill `gradients` from d loss/d logits (G, K, B), after a forward pass in training."""
        first, *others = self.layers(part)
        for layer in reversed(others):
            raw = layer.backward(gradient.view(*layer.shape, -1))
            gradient = layer.input_gradient(raw)
        first.backward(gradient.view(*first.shape, -1))

    def parameters(self) -> Parameters:
        """A copy of all parameters with G x K merged into one axis."""
        tensors = {name: tensor.flatten(0, 1).clone() for name, tensor in self.state.items()}
        return Parameters(self.network, tensors)

    def finite(self) -> Tensor:
        """(G, K): whether all parameters of a model are finite numbers."""
        sums = torch.stack([tensor.flatten(2).sum(-1) for tensor in self.state.values()])
        return sums.isfinite().all(0)

    def gradient_norms(self) -> Tensor:
        """The length (G, K) of each model's gradient."""
        squares = [view.flatten(2).square().sum(-1) for view in self.views(self.gradients).values()]
        return torch.stack(squares).sum(0).sqrt()


def _of_layer(tensors: dict[str, Tensor], index: int) -> dict[str, Tensor]:
    """'weight1' of the stack is 'weight' of layer 1."""
    suffix = str(index)
    length = len(suffix)
    return {
        name[:-length]: tensor
        for name, tensor in tensors.items()
        if name.endswith(suffix) and name[:-length].isalpha()
    }


# (d loss/d output, output) -> d loss/d input
_ACTIVATION_BACKWARD: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "sigmoid": _aten.sigmoid_backward,
    "tanh": _aten.tanh_backward,
    "relu": lambda gradient, output: _aten.threshold_backward(gradient, output, 0),
}
