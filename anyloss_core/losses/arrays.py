"""Floats, NumPy arrays and tensors alike: what scores are worked out in.

One number is quickest as a float, a few numbers in NumPy, which takes half as long as torch to
begin an operation; many numbers, or those on another device, are tensors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import numpy as np
import torch
from torch import Tensor


class Array(Protocol):
    """What NumPy arrays and tensors have in common."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, key: Any) -> Array: ...
    def __setitem__(self, key: Any, value: Array | float) -> None: ...
    def __iter__(self) -> Iterator[Array]: ...
    def __add__(self, other: Array | float) -> Array: ...
    def __sub__(self, other: Array | float) -> Array: ...
    def __mul__(self, other: Array | float) -> Array: ...
    def __rtruediv__(self, other: float) -> Array: ...


Numbers: TypeAlias = float | Array
AnyNumbers = TypeVar("AnyNumbers", float, np.ndarray, Tensor, Array)


def quickest(tensor: Tensor) -> Array:
    """An array that shares the memory of a tensor on the CPU; elsewhere the tensor itself."""
    return cast(Array, tensor.numpy() if tensor.is_cpu else tensor)


def array_like(like: Array, values: Any) -> Array:
    """Numbers in the kind, precision and on the device of `like`."""
    values = np.asarray(values, dtype=np.float64)
    if isinstance(like, Tensor):
        return cast(Array, torch.from_numpy(values).to(like))
    return values.astype(cast(np.ndarray, like).dtype)


def at_least(x: AnyNumbers, floor: float) -> AnyNumbers:
    """The larger of both; a difference of sums, for example, may round to just below 0."""
    if isinstance(x, float):  # several times quicker than NumPy
        return max(x, floor)
    return x.clamp(min=floor) if isinstance(x, Tensor) else np.maximum(np.asarray(x), floor)
