"""The check at the door of every loss: what would give a silent wrong number is refused.

Values are looked at where that is free of charge, on the CPU; reading one back from another device
would make it wait, and inside torch.compile, torch.func or on the meta device there is none.
"""

import math
from typing import Any

import torch
from torch import Tensor

from anyloss_core.losses.shapes import Reading, Samples

SUM_ERROR = 5e-3  # shares in half precision sum to 1 within this


def can_look(outputs: Tensor) -> bool:
    """Whether values are at hand: plain tensors on the CPU, outside of any transformation."""
    return (
        type(outputs) in (Tensor, torch.nn.Parameter)
        and outputs.is_cpu
        and not torch.compiler.is_compiling()
        and not torch._C._are_functorch_transforms_active()
    )


def is_mapped(values: Tensor) -> bool:
    """Whether these are many at once, inside torch.vmap."""
    if torch.compiler.is_compiling():
        return False
    functorch = torch._C._functorch
    while functorch.is_functorch_wrapped_tensor(values):
        if functorch.is_batchedtensor(values):
            return True
        values = functorch.get_unwrapped(values)
    return False


def check_values(samples: Samples, labels: Tensor, reading: Reading) -> None:
    """Refuse what would give a silent wrong number; `labels` are as the caller gave them."""
    detached = samples.outputs.detach()
    # One reduction is cheap; which element is at fault is looked for only when there is one.
    if not math.isfinite(detached.sum()) and not detached.isfinite().all():
        what = reading.what
        raise ValueError(f"{what} hold NaN or infinity; lower the learning rate or check the data")
    if reading.from_probabilities:
        check_probabilities(detached)
        if samples.exclusive:
            _check_sums(detached, "probabilities", "softmax them")
    if samples.exclusive and labels.ndim == 2:
        _check_shares(samples.classes.positive)
        several = "leave exclusive out if a row may have several labels"
        _check_sums(samples.classes.positive, "shares", several)
    elif samples.exclusive:
        _check_codes(labels, len(samples.outputs), reading.ignore_index)
    elif reading.soft_labels:
        _check_shares(samples.classes.positive)
    else:
        # In every call: a buffer may be refilled through NumPy, which leaves no trace in a tensor.
        check_labels(samples.classes.positive, samples.classes.negative)
    weights = samples.weights
    if weights is not None and not bool((weights >= 0).all() & (weights < math.inf).all()):
        raise ValueError("sample_weight must be finite and not negative")


def check_labels(labels: Tensor, negatives: Tensor) -> None:
    """Refuse labels that are not 0 or 1; `negatives` are 1 - labels."""
    # Between 0 and 1 no y(1 - y) is negative, and it is 0 for 0 and 1 alone: nothing cancels out.
    low, high = labels.aminmax()
    inside = float(low) >= 0 and float(high) <= 1  # False for NaN, too
    if not inside or float(torch.dot(labels.flatten(), negatives.flatten())) != 0:
        seen = ", ".join(f"{value:g}" for value in labels.unique()[:5].tolist())
        raise ValueError(
            f"labels must be 0 or 1, got {seen}; map the positive class to 1 first, or say "
            "soft_labels=True if they are shares"
        )


def check_probabilities(p: Tensor) -> None:
    low, high = (float(edge) for edge in p.aminmax())
    if low < 0 or high > 1:
        raise ValueError(
            f"probabilities must lie in [0, 1], got {low:g} to {high:g}; "
            "pass logits with from_probabilities=False, or apply a sigmoid first"
        )


def check_slope(score: str, slope: Any, dtype: torch.dtype) -> None:
    """Refuse a slope (...,) that `dtype` cannot hold; a typed formula may have a pole nearby."""
    fits = slope <= torch.finfo(dtype).max  # False for NaN, too
    if not (fits.all() if isinstance(fits, Tensor) else fits):
        raise ValueError(
            f"the gradient of {score} is no number of {str(dtype).removeprefix('torch.')} at these "
            "counts; keep its divisors away from 0, or use smaller powers"
        )


def _check_shares(labels: Tensor) -> None:
    low, high = (float(edge) for edge in labels.aminmax())
    if not 0 <= low <= high <= 1:
        raise ValueError(f"soft labels must lie in [0, 1], got {low:g} to {high:g}")


def _check_sums(shares: Tensor, what: str, otherwise: str) -> None:
    """Refuse shares (C, B) of exclusive classes that are no whole row each."""
    sums = shares.sum(0)
    off = (sums - 1).abs() > SUM_ERROR
    if bool(off.any()):
        raise ValueError(
            f"the {what} of a row must sum to 1, got {float(sums[off][0]):g}; divide by their sum, "
            f"or {otherwise}"
        )


def _check_codes(labels: Tensor, classes: int, ignored: int | None) -> None:
    own = labels if ignored is None else labels[labels != ignored]
    if own.numel() and not 0 <= int(own.min()) <= int(own.max()) < classes:
        raise ValueError(
            f"labels must be class numbers from 0 to {classes - 1}, got {int(own.min())} to "
            f"{int(own.max())}; rows to leave out need ignore_index"
        )
