"""What the shapes of outputs and labels mean: rows of one model, a stack, classes or labels.

    logits (B,) or (B, 1), labels of that shape     one model, B rows
    logits (M, B), labels (M, B) or (B,)            M stacked models, only with stacked=True
    logits (B, C), whole numbers (B,)               C classes
    logits (B, C), labels (B, C)                    C labels, or with exclusive=True C classes

`arrange` brings all of them into one form, rows on the last axis, without looking at a value; what
the values must be is left to `inputs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import torch
from torch import Tensor

AVERAGES = ("macro", "micro", "weighted")


class Classes(NamedTuple):
    """Which samples belong to which class: two tensors (..., B) of 0 and 1, or shares."""

    positive: Tensor
    negative: Tensor


class Options(TypedDict, total=False):
    """What a user may say about outputs and labels."""

    from_probabilities: bool
    stacked: bool
    average: str | None
    ignore_index: int | None
    soft_labels: bool
    exclusive: bool


@dataclass(frozen=True)
class Reading:
    """How outputs and labels are read; the fields are a user's keywords."""

    from_probabilities: bool = False
    stacked: bool = False
    average: str | None = None
    ignore_index: int | None = None  # rows with this label do not count
    soft_labels: bool = False  # labels are shares between 0 and 1
    exclusive: bool = False  # labels (B, C) are shares of classes, of which a row has one

    def __post_init__(self) -> None:
        if self.average is not None and self.average not in AVERAGES:
            known = ", ".join(AVERAGES)
            raise ValueError(f"average must be one of {known} or None, got {self.average!r}")
        if self.stacked and self.average is not None:
            raise ValueError("average is for classes and labels; stacked models stay apart")
        if self.exclusive and (self.stacked or not self.soft_labels):
            raise ValueError("exclusive=True is for shares of classes (B, C): add soft_labels=True")
        if self.exclusive and self.ignore_index is not None:
            raise ValueError("ignore_index is for class numbers; give a row the sample_weight 0")

    @property
    def what(self) -> str:
        """What the first argument is called in messages."""
        return "probabilities" if self.from_probabilities else "logits"


class Samples(NamedTuple):
    """Outputs and classes (..., B), and what each sample counts: (B,), (..., B) or None."""

    outputs: Tensor
    classes: Classes
    weights: Tensor | None
    exclusive: bool = False  # the leading axis are classes, of which a row has one


def are_several(samples: Samples) -> bool:
    """More than one model, class or label; as a property torch 2.6 would not compile it."""
    return samples.outputs.ndim > 1


def arrange(logits: Tensor, labels: Tensor, weights: Tensor | None, reading: Reading) -> Samples:
    """Rows on the last axis, labels as classes in the precision of the outputs."""
    kept = None
    if reading.ignore_index is not None:
        kept = labels != reading.ignore_index
        labels = labels.where(kept, 0)
    numbers = labels.ndim < logits.ndim and not reading.stacked
    classes = torch.arange(logits.shape[-1], device=logits.device)[:, None] if numbers else None
    if not reading.stacked:
        logits, labels = _rows_last(logits), _rows_last(labels)
        weights = None if weights is None else _rows_last(weights)
        kept = None if kept is None else _rows_last(kept)
    positive = (labels if classes is None else labels == classes).detach().to(logits.dtype)
    own = None if weights is None else weights.detach().to(logits.dtype)
    if kept is not None:
        own = kept.to(logits.dtype) if own is None else own * kept
    exclusive = numbers or reading.exclusive
    return Samples(logits, Classes(positive, torch.rsub(positive, 1)), own, exclusive)


def _rows_last(values: Tensor) -> Tensor:
    """(B, C) -> (C, B), (B, 1) -> (B,)."""
    if values.ndim < 2:
        return values
    return values[:, 0] if values.shape[1] == 1 else values.T


def check_shapes(logits: Any, labels: Any, weights: Any, reading: Reading) -> None:
    """Refuse what `arrange` cannot read; the sentence names the repair."""
    what = reading.what
    for name, value in ((what, logits), ("labels", labels), ("sample_weight", weights)):
        if not isinstance(value, Tensor) and (value is not None or name != "sample_weight"):
            kind = type(value).__name__
            raise ValueError(f"{name} must be a tensor, got {kind}; use torch.as_tensor({name})")
    if not logits.is_floating_point():
        raise ValueError(f"{what} must be floating point, got {logits.dtype}; use .float()")
    if logits.ndim == 0 or logits.numel() == 0:
        raise ValueError(f"{what} must hold at least one sample, got shape {tuple(logits.shape)}")
    if reading.stacked:
        _check_stack(logits, labels, weights, what)
    else:
        _check_rows(logits, labels, weights, reading)


def _check_stack(logits: Tensor, labels: Tensor, weights: Tensor | None, what: str) -> None:
    for name, value in (("labels", labels), ("sample_weight", weights)):
        if value is not None and value.shape not in (logits.shape, logits.shape[-1:]):
            raise ValueError(
                f"{name} have shape {tuple(value.shape)}, {what} {tuple(logits.shape)}; stacked "
                f"models (M, B) want (M, B) or (B,): use .squeeze(-1) or .reshape_as({what})"
            )


def _check_rows(logits: Tensor, labels: Tensor, weights: Tensor | None, reading: Reading) -> None:
    what, shape = reading.what, tuple(logits.shape)
    if logits.ndim > 2:
        raise ValueError(f"{what} have shape {shape}; use .flatten() to make every cell a row")
    several = logits.ndim == 2 and logits.shape[1] > 1
    chosen = several and labels.shape == logits.shape[:1]
    if labels.shape != logits.shape and not chosen:
        raise ValueError(
            f"labels have shape {tuple(labels.shape)}, {what} {shape}; they must be equal: use "
            f".squeeze(-1) or .reshape_as({what}); stacked models need stacked=True"
        )
    if chosen and (labels.is_floating_point() or labels.dtype == torch.bool):
        raise ValueError(
            f"labels of {logits.shape[1]} classes must be whole numbers, got {labels.dtype}; use "
            ".long(), or stacked=True if the rows of the logits are models"
        )
    if weights is not None and weights.shape not in (logits.shape, logits.shape[:1]):
        raise ValueError(
            f"sample_weight has shape {tuple(weights.shape)}, {what} {shape}; give one per row"
        )
    if several and weights is not None and weights.ndim == 2:
        raise ValueError("sample_weight must be (B,), one per row, where there are several classes")
    if reading.exclusive and not several:
        raise ValueError(f"exclusive=True is for several classes, got {what} {shape}")
    if reading.average is not None and not several:
        raise ValueError(f"average={reading.average!r} is for several classes, got {what} {shape}")
