"""Few numbers are quicker in NumPy: it takes half as long as torch to begin an operation."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor

Array = Any  # a NumPy array or a tensor


def quickest(*tensors: Tensor) -> tuple[ModuleType, list[Array]]:
    """NumPy and arrays that share the memory of tensors on the CPU; torch and tensors elsewhere."""
    if tensors[0].is_cpu:
        return np, [tensor.numpy() for tensor in tensors]
    return torch, list(tensors)
