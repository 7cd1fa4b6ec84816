"""The confusion matrix of soft or hard labels, the only thing a score ever sees.

TN = Σ w(1-y)(1-s), FN = Σ w·y(1-s), FP = Σ w(1-y)s, TP = Σ w·y·s over the last axis, with s a soft
label in [0, 1] or a hard 0/1. Leading axes (models are stacked on M) are kept.
"""

from typing import Generic, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor

Entry = TypeVar("Entry", float, np.ndarray, Tensor)


class Counts(NamedTuple, Generic[Entry]):
    """The four entries, each of shape (...,): one value per model."""

    tn: Entry
    fn: Entry
    fp: Entry
    tp: Entry

    @property
    def total(self) -> Entry:
        return self.tn + self.fn + self.fp + self.tp


def soft_counts(
    labels: Tensor, soft_labels: Tensor, weights: Tensor | None = None
) -> Counts[Tensor]:
    """Counts (...,) of soft labels (..., B) against labels (..., B), differentiable in both."""
    soft_labels = torch.as_tensor(soft_labels)
    labels = torch.as_tensor(labels).to(soft_labels.dtype)
    if labels.shape[-1:] != soft_labels.shape[-1:]:  # (B, 1) against (B,) would broadcast
        raise ValueError(
            f"labels have shape {tuple(labels.shape)}, soft labels {tuple(soft_labels.shape)}; "
            "both must hold the samples on their last axis: use .squeeze(-1)"
        )
    missed = 1 - soft_labels
    if weights is not None:
        soft_labels, missed = soft_labels * weights, missed * weights
    return Counts(
        tn=((1 - labels) * missed).sum(-1),
        fn=(labels * missed).sum(-1),
        fp=((1 - labels) * soft_labels).sum(-1),
        tp=(labels * soft_labels).sum(-1),
    )


def hard_counts(
    labels: Tensor, predictions: Tensor, weights: Tensor | None = None
) -> Counts[Tensor]:
    """The same counts for predictions that are 0/1 or booleans."""
    return soft_counts(labels, torch.as_tensor(predictions, dtype=torch.float64), weights)


def safe_ratio(top: Tensor, bottom: Tensor) -> Tensor:
    """top / bottom, and 0 where bottom is 0 (scikit-learn's value for an undefined ratio)."""
    # Mask the divisor, not the quotient: a hidden 0/0 still sends NaN backwards.
    empty = bottom == 0
    return (top / bottom.masked_fill(empty, 1.0)).masked_fill(empty, 0.0)


def even_weight(positives: Tensor, negatives: Tensor) -> Tensor:
    """What a positive weighs so that both classes count the same; 1 where one of them is absent."""
    return safe_ratio(negatives, positives).masked_fill(positives * negatives == 0, 1.0)
