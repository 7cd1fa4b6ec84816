"""A trained model as a plain torch module and as ONNX, for programs that know nothing of us.

Both take prepared features (rows, F), in the order of `preparation.feature_names`, and give scores
in [0, 1] (rows,): above the threshold a row is positive, but they are no probabilities. ONNX tells
threshold and calibration in its metadata; it needs the optional packages onnx and onnxscript.
"""

import importlib.util
import json
import logging
import warnings
from collections.abc import Mapping
from dataclasses import asdict

import torch
from torch import Tensor, nn

from anyloss_core.common.extras import how_to_install
from anyloss_core.engine.models import Parameters
from anyloss_core.export.model_file import TrainedModel
from anyloss_core.losses.outputs import probabilities
from anyloss_core.losses.spelling import LossSpec

ACTIVATIONS = {"sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU}
NEEDED = ("onnx", "onnxscript")


class ScoreNet(nn.Module):
    """Prepared features (rows, F) -> scores in [0, 1] (rows,)."""

    def __init__(self, layers: nn.Sequential, loss: LossSpec) -> None:
        super().__init__()
        self.layers, self.loss = layers, loss

    def forward(self, features: Tensor) -> Tensor:
        return probabilities(self.loss, self.layers(features).squeeze(-1))


def to_torch(model: TrainedModel) -> ScoreNet:
    """The network as torch layers, in evaluation mode."""
    return ScoreNet(_layers(model.parameters), model.loss).eval()


def to_onnx(model: TrainedModel) -> bytes:
    """The network as ONNX in float32."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ModuleNotFoundError(
            f"ONNX export needs {' and '.join(missing)}: {how_to_install('onnx')}"
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
            output_names=["score"],
            dynamic_shapes=({0: torch.export.Dim("rows")},),
            dynamo=True,
            verbose=False,
        )
    assert program is not None  # dynamo's exporter always gives one
    proto = program.model_proto
    facts = {"positive": model.positive, "threshold": repr(model.threshold)}
    if model.calibration is not None:
        facts["calibration"] = json.dumps(asdict(model.calibration))
    for key, value in (facts | {"features": "\n".join(names)}).items():
        proto.metadata_props.add(key=key, value=value)
    return proto.SerializeToString()


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
def _filled(module: nn.Module, of: Mapping[str, Tensor], **names: str) -> nn.Module:
    """The module with the tensors of these names."""
    for own, name in names.items():
        if name in of:
            getattr(module, own).copy_(of[name][0])
    return module
