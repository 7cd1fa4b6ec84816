"""The column to predict: which one it probably is, and how it becomes 0/1 labels.

The positive class is the minority unless the user says otherwise, as in the paper; more than two
classes become one against the rest.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anyloss_core.common.text import display_name, display_names
from anyloss_core.data import limits
from anyloss_core.data.cells.numbers import parse_numbers
from anyloss_core.data.cells.values import class_text
from anyloss_core.data.errors import DataError

TARGET_NAMES = ("target", "label", "labels", "outcome", "response")
CLASS_NAMES = ("class", "classes", "type", "y")  # also features: a ship's class, a coordinate
TRUTH = {"true": 1.0, "false": 0.0}
POSITIVE_WORDS = ("1", "yes", "true", "positive", "pos", "y", "t", "bad", "malignant", "died")


@dataclass(frozen=True)
class Proposal:
    """The column that is probably the target, its classes, and every other possible choice."""

    target: str
    positive: str | None  # None with more than two classes: the user picks one
    classes: dict[str, int]  # class -> rows
    candidates: tuple[str, ...]  # columns that could be the target, the proposed one first


@dataclass(frozen=True)
class Target:
    """0/1 labels of the rows whose class is known."""

    labels: np.ndarray  # (rows with a class,) int8
    known: np.ndarray  # (all rows,) bool
    positive: str
    negative: str


def propose_target(frame: pd.DataFrame) -> Proposal:
    """Named like a target, else the last column with two values, else the last with few.

    Amounts are not proposed, nor columns of one value or of too many.
    """
    counts = {name: _few_values(frame[name]) for name in frame.columns}
    refused = {name: _fault(frame[name], counts[name], limits.NUMBERS) for name in frame.columns}
    possible = [name for name, fault in refused.items() if fault is None]
    if not possible:
        likely = min(frame.columns, key=lambda name: _rank(name, counts, list(frame.columns)))
        fault = refused[likely]
        assert fault is not None
        raise DataError(f"No column can be the target. {fault.message}", fault.repair)
    ordered = sorted(possible, key=lambda name: _rank(name, counts, list(frame.columns)))
    classes = class_counts(frame[ordered[0]])
    positive = minority(classes) if len(classes) == 2 else None
    return Proposal(ordered[0], positive, classes, tuple(ordered))


def refusal(column: pd.Series) -> DataError | None:
    """Why this column is not offered as the target; None if it can be."""
    return _fault(column, _few_values(column), limits.NUMBERS)


def is_named(column: object) -> bool:
    """Whether a column is called what targets are called."""
    return str(column).strip().casefold() in TARGET_NAMES + CLASS_NAMES


def find_target(frame: pd.DataFrame, target: str) -> str:
    """The column of that name; case and outer blanks are forgiven when only one fits."""
    if target in frame.columns:
        return target
    wanted = str(target).strip().casefold()
    similar = [name for name in frame.columns if str(name).strip().casefold() == wanted]
    if len(similar) == 1:
        return similar[0]
    raise DataError(
        f"There is no column '{display_name(target)}'.",
        f"Choose the target among {display_names(frame.columns)}.",
    )


def class_counts(column: pd.Series) -> dict[str, int]:
    """Rows of each class, in order of first appearance."""
    counts = column.value_counts(sort=False, dropna=True)
    seen = column.dropna().unique()
    return {class_text(value): int(counts[value]) for value in seen}


def minority(classes: dict[str, int]) -> str:
    """The rarer class; of two equally rare ones the one that sounds positive, or sorts last."""
    fewest = min(classes.values())
    rare = sorted(name for name, rows in classes.items() if rows == fewest)
    named = [name for name in rare if name.casefold() in POSITIVE_WORDS]
    return named[0] if len(named) == 1 else rare[-1]


def split_target(column: pd.Series, positive: object = None) -> Target:
    """Labels of a target column; refuses what is no two-class question."""
    name = display_name(column.name)
    _check_classes(column)
    classes = class_counts(column)
    chosen = _choose(classes, positive, name)
    known = column.notna().to_numpy()
    codes, values = pd.factorize(column[known])
    is_positive = np.array([class_text(value) == chosen for value in values])
    others = [other for other in classes if other != chosen]
    negative = others[0] if len(others) == 1 else f"not {chosen}"
    return Target(is_positive[codes].astype(np.int8), known, chosen, negative)


def _check_classes(column: pd.Series) -> None:
    if fault := _fault(column, int(column.nunique()), limits.CLASSES):
        raise fault


def _fault(column: pd.Series, distinct: int, numbers: int) -> DataError | None:
    """What keeps a column with so many values from being a target, at most so many of numbers."""
    name = display_name(column.name)
    if distinct == 0:
        return DataError(
            f"The target '{name}' is empty in every row.", "Choose another target column."
        )
    if distinct == 1:
        only = display_name(class_text(column.dropna().iloc[0]))
        return DataError(
            f"The target '{name}' holds one class only ('{only}').",
            "A classifier needs rows of two classes: add rows or choose another target column.",
        )
    if column.dtype.kind == "f" and np.isinf(column).any():
        return DataError(
            f"The target '{name}' holds infinite values, which are no classes.",
            "Replace them by a class, or leave the cells empty: those rows are left out.",
        )
    if _is_amount(column, distinct, numbers):
        return DataError(
            f"The target '{name}' holds {distinct} different numbers: an amount, not a class.",
            "Choose a column of classes, or add one that says on which side of a limit each row "
            "lies, such as 'high' and 'low'.",
        )
    if distinct > limits.CLASSES:
        return DataError(
            f"The target '{name}' holds {distinct} different values, which is no class label.",
            f"Choose a column with at most {limits.CLASSES} classes, best with two.",
        )
    return None


def _is_amount(column: pd.Series, distinct: int, numbers: int) -> bool:
    """Whether the values measure something: many numbers, or more than two with fractions."""
    if column.dtype.kind not in "if" or distinct <= 2:
        return False
    return distinct > numbers or bool((column.dropna() % 1 != 0).any())


def _choose(classes: dict[str, int], positive: object, name: str) -> str:
    """The positive class as it is written in the data."""
    if positive is not None:
        return _match(classes, positive, name)
    if len(classes) > 2:
        raise DataError(
            f"The target '{name}' holds {len(classes)} classes: {display_names(classes)}.",
            "Pick the class to find as positive; the others become the rest.",
        )
    return minority(classes)


def _match(classes: dict[str, int], positive: object, name: str) -> str:
    text = class_text(positive)
    if text in classes:
        return text
    similar = [c for c in classes if c.casefold() == text.casefold() or _number(c) == _number(text)]
    if len(similar) == 1:
        return similar[0]
    raise DataError(
        f"The target '{name}' has no class '{display_name(text)}'.",
        f"Choose the positive class among {display_names(classes)}.",
    )


def _number(text: str) -> float:
    """What a class means as a number: '1.0' is 1, '$1,000' is 1000, True is 1; NaN for a word."""
    return TRUTH.get(text.casefold(), parse_numbers([text])[0])


def _few_values(column: pd.Series) -> int:
    """Number of different values; a beginning that shows too many settles it at once."""
    beginning = int(column.head(10 * limits.CLASSES).nunique())
    return beginning if beginning > limits.CLASSES else int(column.nunique())


def _rank(name: str, counts: dict[str, int], names: list[str]) -> tuple[bool, bool, int]:
    """Sort key: two values first among the named and among the others, later columns first."""
    plain = str(name).strip().casefold()
    is_last, two_valued = name == names[-1], counts[name] == 2
    named = plain in TARGET_NAMES or (plain in CLASS_NAMES and (two_valued or is_last))
    return (not named, not two_valued, -names.index(name))
