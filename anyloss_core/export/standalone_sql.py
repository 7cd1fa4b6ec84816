"""A trained model without hidden layers as one SQL expression.

Standard SQL but for dates, which SQLite's strftime takes apart. Names are quoted as identifiers and
levels as strings, so that neither can become code. The class needs no function at all; the score
needs EXP where the output is a logit.
"""

from __future__ import annotations

import math

from anyloss_core.data.cells.values import MISSING
from anyloss_core.data.preparation import FARTHEST
from anyloss_core.export.model_file import TrainedModel
from anyloss_core.export.standalone import (
    NO_SLOT,
    CategoryInput,
    NumberInput,
    Standalone,
    standalone,
)

HEAD = """\
-- A classifier as an expression for SELECT. Made by AnyLoss Lab.
-- It wants columns of numbers as numbers, texts without outer blanks, and NULL or '' where a cell
-- is missing.{dates}
"""
DATES = " Dates are text such as 2024-12-31: strftime is SQLite's."
PARTS = {  # strftime; its week begins on Sunday with 0
    "year": "CAST(strftime('%Y', {0}) AS INTEGER)",
    "month": "CAST(strftime('%m', {0}) AS INTEGER)",
    "day": "CAST(strftime('%d', {0}) AS INTEGER)",
    "weekday": "(CAST(strftime('%w', {0}) AS INTEGER) + 6) % 7",
}
APART = "\0\\"  # never written inside quotes
ALWAYS = 1e300  # beyond every output
LEAST = -709.0  # of a logit whose score is above 0 in float64


class NoSql(ValueError):
    """A model that cannot be said in SQL; the message says why."""


def sql_class(model: TrainedModel) -> str:
    """The predicted class, with a comment above it."""
    bare = _single_layer(model)
    dates = DATES if any(number.part != "number" for number in bare.numbers) else ""
    above = f"{_output(bare)} > {_cut(model.threshold, bare)!r}"
    chosen = f"CASE WHEN {above}\nTHEN {text(model.positive)} ELSE {text(model.negative)} END"
    return f"{HEAD.format(dates=dates)}{chosen}\n"


def sql_score(model: TrainedModel) -> str:
    """The score in [0, 1]; above the threshold it means positive."""
    bare = _single_layer(model)
    output = _output(bare)
    if bare.targets is None:
        return f"1 / (1 + EXP(-({output})))\n"
    low, high = bare.targets
    share = f"(({output}) - {low!r}) / {high - low!r}"
    return f"CASE WHEN {share} < 0 THEN 0.0 WHEN {share} > 1 THEN 1.0 ELSE {share} END\n"


def text(value: str) -> str:
    """A text as SQL writes it.

    A NUL, which no SQL text may hold, is put together; so is a backslash, which is no letter but an
    escape for MySQL, ClickHouse and others: the quote after it would not end the text.
    """
    quoted = "'" + value.replace("'", "''") + "'"
    for sign in APART:
        quoted = quoted.replace(sign, f"' || CHAR({ord(sign)}) || '")
    return quoted


def column(name: str) -> str:
    """A column as SQL names it; to ClickHouse a backslash is an escape here, too."""
    if "\0" in name:
        raise NoSql(f"the column {name!r:.60} holds a NUL, which no SQL name may: rename it")
    if '\\"' in f'{name}"':
        raise NoSql(f"the column {name!r:.60} has a backslash before a quote or its end: rename it")
    return '"' + name.replace('"', '""') + '"'


def _single_layer(model: TrainedModel) -> Standalone:
    bare = standalone(model)
    if len(bare.layers) > 1:
        raise NoSql("a network with hidden layers is too long for SQL: take the Python function")
    return bare


def _output(bare: Standalone) -> str:
    (weights,), (bias,) = (part.tolist() for part in bare.layers[0])
    rest = iter(weights)
    terms = [_number_term(number, next(rest)) for number in bare.numbers]
    for category in bare.categories:
        terms.append(_category_term(category, [next(rest) for _ in range(category.width)]))
    return _sum([repr(bias), *terms])


def _number_term(number: NumberInput, weight: float) -> str:
    """weight * standardised, as the network gets it: gaps filled, wild values tamed."""
    name = column(number.column)
    value = name if number.part == "number" else PARTS[number.part].format(name)
    if number.factors != (1.0, 1.0):
        value = f"{value} * {number.factors[0]!r} * {number.factors[1]!r}"
    filled = weight * min(max((number.fill - number.mean) / number.scale, -FARTHEST), FARTHEST)
    standard = f"({value} - ({number.mean!r})) / {number.scale!r}"
    farthest = weight * FARTHEST
    return (
        f"CASE WHEN {_is_missing(name, number.part)} THEN {filled!r} "
        f"WHEN {standard} > {FARTHEST!r} THEN {farthest!r} "
        f"WHEN {standard} < {-FARTHEST!r} THEN {-farthest!r} "
        f"ELSE {weight!r} * ({standard}) END"
    )


def _is_missing(name: str, part: str) -> str:
    """A text that is no date has no year."""
    return f"{name} IS NULL" if part == "number" else f"{PARTS['year'].format(name)} IS NULL"


def _category_term(category: CategoryInput, weights: list[float]) -> str:
    """The weight of the level that the cell shows."""
    name = column(category.column)
    worth = {NO_SLOT: 0.0} | dict(enumerate(weights))
    levels: dict[int, list[str]] = {}
    for level, slot in category.slots.items():
        if level is not None and slot != category.unseen:
            levels.setdefault(slot, []).append(text(level))
    missing = worth[category.slots.get(None, category.unseen)]
    gone = ", ".join(text(word) for word in sorted(MISSING))
    cases = [f"WHEN {name} IS NULL OR LOWER({name}) IN ({gone}) THEN {missing!r}"]
    cases += [f"WHEN {name} IN ({', '.join(m)}) THEN {worth[s]!r}" for s, m in levels.items()]
    return f"CASE {' '.join(cases)} ELSE {worth[category.unseen]!r} END"


def _sum(terms: list[str]) -> str:
    """A sum as deep as the logarithm of its terms: SQLite nests 1,000 deep at most."""
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    return f"({_sum(terms[:half])}\n+ {_sum(terms[half:])})"


def _cut(threshold: float, bare: Standalone) -> float:
    """The output above which the score is above the threshold."""
    if bare.targets is not None:
        low, high = bare.targets
        return low + threshold * (high - low) if 0 <= threshold < 1 else _beyond(threshold)
    if threshold == 0:
        return LEAST
    if not 0 < threshold < 1:
        return _beyond(threshold)
    return math.log(threshold) - math.log1p(-threshold)


def _beyond(threshold: float) -> float:
    return ALWAYS if threshold >= 1 else -ALWAYS
