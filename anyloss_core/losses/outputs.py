"""What an output means: from where on a model predicts positive, and probabilities.

Most losses train a logit. The paper's two forms of MSE have a linear output instead, whose targets
are two numbers; losses with a threshold of their own (amplifier, random threshold, sigmoidF1)
decide there. This is the one place that decides what counts as positive.
"""

import math

import torch
from torch import Tensor

from anyloss_core.losses.approximation import THRESHOLD
from anyloss_core.losses.losses import SquaredErrorLoss
from anyloss_core.losses.softening import AUTHORS_SIGMOID_F1
from anyloss_core.losses.spelling import LossSpec


def cut(spec: LossSpec) -> float:
    """The output above which a row is predicted positive."""
    if targets := linear_targets(spec):
        return sum(targets) / 2
    if spec.family == "sigmoid_f1":
        variant = AUTHORS_SIGMOID_F1.get(spec.options.get("variant", ""))
        return float(getattr(variant, "eta", spec.options.get("eta", 0.0)))
    share = spec.options.get("threshold", spec.options.get("mu", THRESHOLD))
    share = min(max(float(share), 1e-12), 1 - 1e-12)
    return math.log(share / (1 - share))


def decision(spec: LossSpec) -> float:
    """The probability above which a row is predicted positive."""
    return THRESHOLD if linear_targets(spec) else 1 / (1 + math.exp(-cut(spec)))


def probabilities(spec: LossSpec, outputs: Tensor) -> Tensor:
    """Outputs as probabilities of the positive class; linear outputs are cut to [0, 1]."""
    if targets := linear_targets(spec):
        low, high = targets
        return ((outputs - low) / (high - low)).clamp(0, 1)
    return torch.sigmoid(outputs)


def linear_targets(spec: LossSpec) -> tuple[float, float] | None:
    """What a linear output is trained to be for negative and positive rows."""
    loss = spec.build() if spec.score is None else None
    return (loss.low, loss.high) if isinstance(loss, SquaredErrorLoss) else None
