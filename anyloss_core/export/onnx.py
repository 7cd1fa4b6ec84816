"""A trained model as a plain torch module and as ONNX, for programs that know nothing of us.

Both take prepared features (rows, F), in the order of `preparation.feature_names`, and give
P(positive) (rows,). ONNX needs the packages onnx and onnxscript; they are optional.
"""

from __future__ import annotations

import importlib.util
import logging
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from anyloss_core.export import TrainedModel
from anyloss_core.models import Parameters

ACTIVATIONS = {"sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU}
NEEDED = ("onnx", "onnxscript")


class ProbabilityNet(nn.Module):
    """Prepared features (rows, F) -> P(positive) (rows,)."""

    def __init__(self, layers: nn.Sequential, family: str) -> None:
        super().__init__()
        self.layers, self.family = layers, family

    def forward(self, features: Tensor) -> Tensor:
        outputs = self.layers(features).squeeze(-1)
        if self.family == "adaline":
            return ((outputs + 1) / 2).clamp(0, 1)
        return outputs.clamp(0, 1) if self.family == "linear_mse" else torch.sigmoid(outputs)


def to_torch(model: TrainedModel) -> ProbabilityNet:
    """The network as torch layers, in evaluation mode."""
    return ProbabilityNet(_layers(model.parameters), model.loss.family).eval()


def to_onnx(model: TrainedModel, path: str | Path | None = None) -> bytes:
    """The network as ONNX in float32, also written to `path` if there is one."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ModuleNotFoundError(
            f"ONNX export needs {' and '.join(missing)}: pip install {' '.join(NEEDED)}"
        )
    names = model.preparation.feature_names
    example = torch.zeros(2, len(names))
    # The exporter complains about its own internals and about packages that it could use.
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            to_torch(model).float(),
            (example,),
            input_names=["features"],
            output_names=["probability"],
            dynamic_shapes=({0: torch.export.Dim("rows")},),
            dynamo=True,
            verbose=False,
        )
    proto = program.model_proto
    facts = {"positive": model.positive, "threshold": repr(model.threshold)}
    for key, value in (facts | {"features": "\n".join(names)}).items():
        proto.metadata_props.add(key=key, value=value)
    content = proto.SerializeToString()
    if path is not None:
        Path(path).write_bytes(content)
    return content


def _layers(parameters: Parameters) -> nn.Sequential:
    network, tensors = parameters.network, parameters.tensors
    layers: list[nn.Module] = []
    for layer in range(len(network.hidden) + 1):
        outer, inner = tensors[f"weight{layer}"].shape[1:]
        norm = f"scale{layer}" in tensors
        linear = nn.Linear(inner, outer, bias=not norm, dtype=tensors["weight0"].dtype)
        layers.append(_filled(linear, weight=f"weight{layer}", bias=f"bias{layer}", of=tensors))
        if norm:
            normed = nn.BatchNorm1d(outer, network.epsilon, dtype=tensors["weight0"].dtype)
            names = {"weight": "scale", "bias": "shift", "running_mean": "mean"}
            names = {k: f"{v}{layer}" for k, v in (names | {"running_var": "var"}).items()}
            layers.append(_filled(normed, of=tensors, **names))
        if layer < len(network.hidden):
            layers.append(ACTIVATIONS[network.activation]())
    return nn.Sequential(*layers)


@torch.no_grad()
def _filled(module: nn.Module, of: dict[str, Tensor], **names: str) -> nn.Module:
    """The module with the tensors of these names."""
    for own, name in names.items():
        if name in of:
            getattr(module, own).copy_(of[name][0])
    return module
