"""A trained model as bare numbers and texts: what a program without this package needs of it.

Batch norm is folded into its layer. Numbers and parts of dates come first, categories after them,
and the weights of the first layer follow that order. `standalone_python` and `standalone_sql` write
it down.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from anyloss_core.data.encoding import MISSING_CODE
from anyloss_core.data.fitting import CategoryFit, NumberFit
from anyloss_core.engine.models import Parameters
from anyloss_core.export.model_file import TrainedModel
from anyloss_core.losses.outputs import linear_targets

NO_SLOT = -1  # of a level that lights no feature


@dataclass(frozen=True)
class NumberInput:
    """A number, or a part of a date: (x * first * second, gaps filled, - mean) / scale."""

    column: str
    part: str  # 'number', 'year', 'month', 'day' or 'weekday'
    fill: float
    mean: float
    scale: float
    factors: tuple[float, float]  # powers of two; 1 but for extreme columns


@dataclass(frozen=True)
class CategoryInput:
    """A category: the feature that each level lights; None is a missing cell."""

    column: str
    slots: dict[str | None, int]
    unseen: int  # the feature of levels that the training did not show
    width: int


@dataclass(frozen=True)
class Standalone:
    """Inputs and layers; `targets` are those of a linear output, None where it is a logit."""

    numbers: tuple[NumberInput, ...]
    categories: tuple[CategoryInput, ...]
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]  # weights (outer, inner), biases (outer,)
    activation: str
    targets: tuple[float, float] | None


def standalone(model: TrainedModel) -> Standalone:
    """Everything that decides a prediction."""
    numbers: list[tuple[list[int], NumberInput]] = []
    categories: list[tuple[list[int], CategoryInput]] = []
    at = 0
    for field, raw, fit in model.preparation.parts():
        if isinstance(fit, NumberFit):
            part = raw[len(field.name) + 1 :] if field.kind == "date" else "number"
            numbers.append(([at], _number(field.name, part, fit)))
            at += 1
        else:
            width = len(fit.slots)
            category = _category(field.name, field.levels, fit)
            categories.append(([*range(at, at + width)], category))
            at += width
    order = [feature for features, _ in (*numbers, *categories) for feature in features]
    (weights, biases), *rest = _layers(model.parameters)
    return Standalone(
        tuple(number for _, number in numbers),
        tuple(category for _, category in categories),
        ((weights[:, order], biases), *rest),
        model.parameters.network.activation,
        linear_targets(model.loss),
    )


def _number(column: str, part: str, fit: NumberFit) -> NumberInput:
    first = -fit.exponent // 2  # 2.0**1029 alone would be no number
    factors = (2.0**first, 2.0 ** (-fit.exponent - first))
    return NumberInput(column, part, fit.fill, fit.mean, fit.scale, factors)


def _category(column: str, levels: tuple[str, ...], fit: CategoryFit) -> CategoryInput:
    slots = {code: slot for slot, codes in enumerate(fit.slots) for code in codes}
    if fit.base is not None:
        slots[fit.base] = NO_SLOT
    unseen = NO_SLOT if fit.rare is None else fit.rare
    named = {None if code == MISSING_CODE else levels[code]: slot for code, slot in slots.items()}
    return CategoryInput(column, named, unseen, len(fit.slots))


def _layers(parameters: Parameters) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and biases of every layer in float64."""
    tensors = {name: t[0].double().cpu().numpy() for name, t in parameters.tensors.items()}
    layers = []
    for layer in range(len(parameters.network.hidden) + 1):
        weights, biases = tensors[f"weight{layer}"], tensors.get(f"bias{layer}")
        if biases is None:  # batch norm
            spread = np.sqrt(tensors[f"var{layer}"] + parameters.network.epsilon)
            slope = tensors[f"scale{layer}"] / spread
            biases = tensors[f"shift{layer}"] - tensors[f"mean{layer}"] * slope
            weights = weights * slope[:, None]
        layers.append((weights, biases))
    assert all(one[0].shape[0] == other[0].shape[1] for one, other in pairwise(layers))
    return layers
