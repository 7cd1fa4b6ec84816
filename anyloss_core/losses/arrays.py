"""Few numbers are quicker in NumPy: it takes half as long as torch to begin an operation."""

from __future__ import annotations

from typing import Any

from torch import Tensor

Array = Any  # a NumPy array or a tensor


def quickest(*tensors: Tensor) -> list[Array]:
    """Arrays that share the memory of tensors on the CPU; elsewhere the tensors themselves."""
    return [tensor.numpy() if tensor.is_cpu else tensor for tensor in tensors]
