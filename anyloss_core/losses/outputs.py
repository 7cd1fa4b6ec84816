"""What an output means: the raw value above which a model predicts positive, and probabilities.

Most losses train a logit. The paper's two forms of MSE have a linear output instead; losses with a
threshold of their own (amplifier, random threshold, sigmoidF1) decide there.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from anyloss_core.spelling import LossSpec


def cut(spec: LossSpec) -> float:
    """The output above which a row is predicted positive."""
    if spec.family == "linear_mse":
        return 0.5
    if spec.family == "sigmoid_f1":
        return float(spec.options.get("eta", 0.0))
    share = spec.options.get("threshold", spec.options.get("mu", 0.5))
    share = min(max(float(share), 1e-12), 1 - 1e-12)
    return math.log(share / (1 - share))


def decision(spec: LossSpec) -> float:
    """The probability above which a row is predicted positive."""
    value = cut(spec)
    return 0.5 if spec.family in ("linear_mse", "adaline") else 1 / (1 + math.exp(-value))


def probabilities(spec: LossSpec, outputs: Tensor) -> Tensor:
    """Outputs as probabilities of the positive class; linear outputs are cut to [0, 1]."""
    if spec.family == "adaline":
        return ((outputs + 1) / 2).clamp(0, 1)
    if spec.family == "linear_mse":
        return outputs.clamp(0, 1)
    return torch.sigmoid(outputs)
