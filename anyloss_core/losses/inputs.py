"""The check at the door of every loss: what would give a silent wrong number is refused."""

import math
import weakref
from typing import Any

import torch
from torch import Tensor


def check_inputs(
    logits: Tensor, labels: Tensor, weights: Tensor | None, what: str = "logits"
) -> Tensor:
    """Refuse what would give a silent wrong number; return the labels in the outputs' dtype."""
    if not _plainly_fit(logits, labels, weights):
        labels = _check_kinds(logits, labels, weights, what)
    detached = logits.detach()
    # One reduction is cheap; which element is at fault is looked for only when there is one.
    if not math.isfinite(detached.sum()) and not detached.isfinite().all():
        raise ValueError(f"{what} hold NaN or infinity; lower the learning rate or check the data")
    if not passed.are(labels):
        check_labels(labels)
        passed.remember(labels)
    if weights is not None and not bool((weights >= 0).all() & (weights < math.inf).all()):
        raise ValueError("weights must be finite and not negative")
    return labels


def _plainly_fit(logits: Any, labels: Any, weights: Any) -> bool:
    """What a training brings at every step: floats of the same shape and kind, without weights."""
    return (
        type(logits) is type(labels) is Tensor
        and weights is None
        and logits.shape == labels.shape
        and logits.dtype == labels.dtype
        and logits.is_floating_point()
        and logits.numel() > 0
        and logits.ndim > 0
        and not labels.requires_grad
    )


def _check_kinds(logits: Tensor, labels: Tensor, weights: Tensor | None, what: str) -> Tensor:
    """Refuse wrong types and shapes; return the labels in the outputs' dtype, without a graph."""
    for name, value in ((what, logits), ("labels", labels), ("weights", weights)):
        if not isinstance(value, Tensor) and (value is not None or name != "weights"):
            kind = type(value).__name__
            raise ValueError(f"{name} must be a tensor, got {kind}; use torch.as_tensor({name})")
    if not logits.is_floating_point():
        raise ValueError(f"{what} must be floating point, got {logits.dtype}; use .float()")
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(f"{what} must hold at least one sample, got shape {tuple(logits.shape)}")
    for name, value in (("labels", labels), ("weights", weights)):
        if value is not None and value.shape not in (logits.shape, logits.shape[-1:]):
            raise ValueError(
                f"{name} have shape {tuple(value.shape)}, {what} {tuple(logits.shape)}; "
                f"they must be equal: use .squeeze(-1) or .reshape_as({what})"
            )
    return (labels.detach() if labels.requires_grad else labels).to(logits.dtype)


def check_labels(labels: Tensor) -> None:
    odd = torch.addcmul(labels, labels, labels, value=-1).flatten()
    if float(torch.dot(odd, odd)) != 0:
        seen = ", ".join(f"{value:g}" for value in labels.unique()[:5].tolist())
        raise ValueError(f"labels must be 0 or 1, got {seen}; map the positive class to 1 first")


class _Passed:
    """The labels that passed last: a full-batch training brings the same tensor at every step."""

    def __init__(self) -> None:
        # A weak reference, the version, and the sum if it was asked for: replaced as one, since
        # other threads may bring other labels in between.
        self._last: tuple[Any, int, list[Tensor]] = (lambda: None, 0, [])

    def are(self, labels: Tensor) -> bool:
        """Whether these passed last and torch has not written to them since."""
        return self._sum_of(labels) is not None

    def remember(self, labels: Tensor) -> None:
        if not labels.is_inference():  # those have no version
            self._last = (weakref.ref(labels), labels._version, [])

    def positives(self, labels: Tensor) -> Tensor:
        """How many labels are 1 (...,), counted once for those that passed last."""
        known = self._sum_of(labels)
        if known is None:
            return labels.sum(-1)
        if not known:
            known.append(labels.sum(-1))
        return known[0]

    def _sum_of(self, labels: Tensor) -> list[Tensor] | None:
        tensor, version, known = self._last
        return known if tensor() is labels and version == labels._version else None


passed = _Passed()


def check_probabilities(p: Tensor) -> None:
    low, high = (float(edge) for edge in p.detach().aminmax())
    if low < 0 or high > 1:
        raise ValueError(
            f"probabilities must lie in [0, 1], got {low:g} to {high:g}; "
            "pass logits with from_probabilities=False, or apply a sigmoid first"
        )
