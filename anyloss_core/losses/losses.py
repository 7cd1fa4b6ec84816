"""All losses by their class; `spelling` knows them by name.

Means over samples live in `pointwise`, losses over counts in `counts_loss`.
"""

from anyloss_core.losses.base import Loss
from anyloss_core.losses.confusion import even_weight
from anyloss_core.losses.counts_loss import (
    SOL,
    AnyLoss,
    CountsLoss,
    SigmoidF1Loss,
    SoftLoss,
)
from anyloss_core.losses.functional import counts_of_sums
from anyloss_core.losses.pointwise import (
    BCELoss,
    FocalLoss,
    LeeLoss,
    MSELoss,
    PointwiseLoss,
    SquaredErrorLoss,
    WeightedBCELoss,
)

__all__ = [
    "SOL",
    "AnyLoss",
    "BCELoss",
    "CountsLoss",
    "FocalLoss",
    "LeeLoss",
    "Loss",
    "MSELoss",
    "PointwiseLoss",
    "SigmoidF1Loss",
    "SoftLoss",
    "SquaredErrorLoss",
    "WeightedBCELoss",
    "counts_of_sums",
    "even_weight",
]
