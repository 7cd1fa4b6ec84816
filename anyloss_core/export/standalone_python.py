"""A trained model as one Python function that needs nothing but Python's standard library.

`predict(row)` takes the cells of one row by column, as csv.DictReader gives them or as numbers and
dates, and returns the class and the score, with the probability if the model is calibrated. Every
name and level is written by `repr`, so that it can never become code.
"""

from __future__ import annotations

from collections.abc import Sequence

from anyloss_core.comparison.calibration import FARTHEST, Calibration
from anyloss_core.data.cells.spreadsheet import STARTERS
from anyloss_core.data.cells.values import MISSING
from anyloss_core.export.model_file import TrainedModel
from anyloss_core.export.standalone import Standalone, standalone

SCRIPT = '''\
"""A classifier as one function. Made by AnyLoss Lab; needs Python 3.11 and nothing else.

predict({{column: cell, ...}}) returns the class and a score in [0, 1] that is cut at the
threshold{promise}.
Cells are numbers, dates or texts: '12.5', '2024-12-31', 'red'; None, '' or NA where they are
missing. A number or date that is written in another way raises a ValueError.
"""

import math
from datetime import UTC, datetime


def predict(row):
    # column, part of it, fill, mean, scale, powers of two
    numbers = {numbers}
    # column, the feature that each level lights, that of other levels, features; -1 is none
    categories = {categories}
    # weights of every unit and its bias
    layers = {layers}
    missing = {missing}

    def text_of(column):
        cell = row[column]
        if isinstance(cell, float) and cell.is_integer():
            cell = int(cell)
        text = "" if cell is None else str(cell).strip()
        if text[:1] == "'" and text[1:2] and text[1] in {starters}:
            text = text[1:]
        return "" if text.casefold() in missing else text

    def number_of(column, part):
        text = text_of(column)
        try:
            if part == "number":
                return float(text.replace("_", "?"))
            date = datetime.fromisoformat(text)
        except ValueError:
            if any(sign.isdigit() for sign in text):
                wanted = "number such as 12.5" if part == "number" else "date such as 2024-12-31"
                raise ValueError(f"{{column!r}}: {{text!r}} is no {{wanted}}") from None
            return math.nan
        date = date.astimezone(UTC) if date.tzinfo else date
        return float(date.weekday() if part == "weekday" else getattr(date, part))

    values = []
    for column, part, fill, mean, scale, first, second in numbers:
        value = number_of(column, part) * first * second
        value = value if math.isfinite(value) else fill
        values.append(min(max((value - mean) / scale, -1e6), 1e6))
    for column, slots, unseen, width in categories:
        lit = slots.get(text_of(column) or None, unseen)
        values += [float(slot == lit) for slot in range(width)]
    for number, (weights, biases) in enumerate(layers):
        if number:
            values = [{activation} for value in values]
        values = [
            sum((w * value for w, value in zip(unit, values)), bias)
            for unit, bias in zip(weights, biases)
        ]
    (output,) = values
    score = {score}
    chosen = {positive} if score > {threshold} else {negative}
{ending}'''
UNCALIBRATED = """\
    return chosen, score
"""
ISOTONIC = """\
    knots = {pairs}
    probability = knots[-1][1]
    for (left, low), (right, high) in zip(knots, knots[1:]):
        if left < right and score < right:
            probability = low + (high - low) * (max(score, left) - left) / (right - left)
            break
    return chosen, score, probability
"""
PLATT = """\
    inside = min(max(score, {farthest}), 1 - {farthest})
    logit = {slope} * (math.log(inside) - math.log1p(-inside)) + {intercept}
    return chosen, score, 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0
"""
ACTIVATIONS = {
    "tanh": "math.tanh(value)",
    "sigmoid": "1 / (1 + math.exp(-value)) if value > -700 else 0.0",
    "relu": "max(value, 0.0)",
}
SIGMOID = "1 / (1 + math.exp(-output)) if output > -700 else math.exp(output)"


def python_function(model: TrainedModel) -> str:
    """The source of a module with the function `predict`."""
    bare = standalone(model)
    return SCRIPT.format(
        promise=", and the probability" if model.calibration else "",
        **_tables(bare),
        missing=repr(tuple(sorted(MISSING))),
        starters=repr("".join(STARTERS)),
        activation=ACTIVATIONS[bare.activation],
        score=_score(bare),
        positive=repr(model.positive),
        negative=repr(model.negative),
        threshold=repr(float(model.threshold)),
        ending=_ending(model.calibration),
    )


def _tables(bare: Standalone) -> dict[str, str]:
    """The constants of the function, a line for each entry."""
    numbers = [(n.column, n.part, n.fill, n.mean, n.scale, *n.factors) for n in bare.numbers]
    categories = [(c.column, c.slots, c.unseen, c.width) for c in bare.categories]
    layers = [(weights.tolist(), biases.tolist()) for weights, biases in bare.layers]
    tables = (_lines(numbers), _lines(categories), _lines(layers))
    return dict(zip(("numbers", "categories", "layers"), tables, strict=True))


def _lines(entries: Sequence[tuple]) -> str:
    inside = "".join(f"        {entry!r},\n" for entry in entries)
    return f"[\n{inside}    ]" if entries else "[]"


def _score(bare: Standalone) -> str:
    if bare.targets is None:
        return SIGMOID
    low, high = bare.targets
    return f"min(max((output - {low!r}) / {high - low!r}, 0.0), 1.0)"


def _ending(calibration: Calibration | None) -> str:
    """What the function returns: the probability, too, where there is one."""
    if calibration is None:
        return UNCALIBRATED
    if calibration.method == "isotonic":
        return ISOTONIC.format(pairs=repr(calibration.pairs))
    slope, intercept = calibration.pairs[0]
    return PLATT.format(farthest=FARTHEST, slope=repr(slope), intercept=repr(intercept))
