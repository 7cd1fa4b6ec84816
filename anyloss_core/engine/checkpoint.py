"""The state of a training between two epochs, to be put away and taken up in another process.

All that changes from epoch to epoch: parameters, what the optimiser remembers, the losses of the
last epochs, and the random orders of the batches. A training that was taken up gives the same
numbers, to the last bit, as one that was never interrupted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

if TYPE_CHECKING:
    from anyloss_core.engine.loop import Training


class CheckpointError(ValueError):
    """A state that does not belong to this study."""


def save(training: Training) -> dict[str, Any]:
    """The state after the last whole epoch, as numbers and arrays."""
    if training.study.stopping:
        raise CheckpointError("a training that stops early cannot be put away; let it end")
    return {
        "epoch": training.epoch,
        "seconds": training.seconds,
        "steps": [block.updater.steps for block in training.blocks],
        "tensors": [tensor.cpu().numpy().copy() for tensor in _tensors(training)],
        "orders": [generator.get_state().numpy() for generator in _generators(training)],
    }


def restore(training: Training, state: dict[str, Any]) -> None:
    """Let a fresh training of the same study go on where `save` was called."""
    targets, found = _tensors(training), state["tensors"]
    generators = _generators(training)
    fits = [tuple(target.shape) for target in targets] == [np.shape(values) for values in found]
    if not fits or len(generators) != len(state["orders"]):
        raise CheckpointError("the kept state belongs to another version; start the run anew")
    for target, values in zip(targets, found, strict=True):
        target.copy_(torch.from_numpy(values))
    for generator, order in zip(generators, state["orders"], strict=True):
        generator.set_state(torch.from_numpy(order))
    for block, steps in zip(training.blocks, state["steps"], strict=True):
        block.updater.steps = steps
    training.epoch, training.seconds = state["epoch"], state["seconds"]


def _tensors(training: Training) -> list[Tensor]:
    """What a step changes, block by block, in an order that the study decides."""
    return [
        tensor
        for block in training.blocks
        for tensor in (
            block.stack.values,
            *block.stack.running.values(),
            *block.updater.state,
            block.losses,  # those of the epoch before, for the next one
        )
    ]


def _generators(training: Training) -> list[torch.Generator]:
    """The sources of the orders in which rows are seen."""
    orders = [group.orders for group in training.groups]
    return [generator for order in orders for generator in order.values()]
