"""What each column is, and what will happen to it.

A kind is decided from the values of all rows (and from the name, for ids), never from the class.
numeric, boolean, category, date are used; text, id, constant, empty are dropped, and the action
says so in words.
"""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

USED = ("numeric", "boolean", "category", "date")
ACTIONS = {
    "numeric": "standardised; missing cells get the median",
    "boolean": "used as 0 and 1, standardised if stored as numbers",
    "category": "one column per level, rare levels pooled",
    "date": "split into year, month, day and weekday",
    "text": "dropped: free text cannot be used here",
    "id": "dropped: looks like an identifier, it would only be memorised",
    "constant": "dropped: the same value in every row",
    "empty": "dropped: no values",
    "chosen": "dropped: as you asked",
}
# Name of the feature -> attribute of pandas' dates.
DATE_PARTS = {"year": "year", "month": "month", "day": "day", "weekday": "day_of_week"}
ID_NAME = re.compile(
    r"(^|[\W_])(id|uuid|guid|index|idx|rownames?|rowid|rownumber|row_?num|key)$|^unnamed",
    re.IGNORECASE,
)
CAMEL_ID = re.compile(r"[a-z](ID|Id)$")
PAIRS = (("true", "false"), ("yes", "no"), ("t", "f"), ("y", "n"), ("on", "off"))
TRUE_FALSE = set(map(frozenset, PAIRS))
FEW_ROWS = 20  # below this, 'every value differs' says nothing
DISTINCT_SHARE = 0.5  # texts that differ in more rows than this are no categories
TEXT_LENGTH = 60  # characters on average: categories are short


@dataclass(frozen=True)
class Column:
    """One column of the file: what it is and what happens to it."""

    name: str
    kind: str
    action: str
    missing_share: float
    distinct: int
    levels: tuple[str, ...] = ()  # of a category or boolean text, in order of first appearance

    @property
    def used(self) -> bool:
        """True when the column becomes a feature."""
        return self.kind in USED and self.action == ACTIONS[self.kind]


def describe_column(name: str, column: pd.Series, dropped: bool = False) -> Column:
    """Describe one typed column (see `values`)."""
    missing = column.isna().to_numpy()
    distinct = int(column.nunique())
    kind = _kind(name, column, distinct, missing)
    action = ACTIONS["chosen" if dropped else kind]
    is_category = isinstance(column.dtype, pd.CategoricalDtype) and kind in USED
    levels = tuple(column.cat.categories) if is_category else ()
    return Column(name, kind, action, float(missing.mean()), distinct, levels)


def _kind(name: str, column: pd.Series, distinct: int, missing: np.ndarray) -> str:
    if distinct == 0:
        return "empty"
    is_text = isinstance(column.dtype, pd.CategoricalDtype)
    # A lone level beside missing cells still tells the rows apart; a lone number does not.
    if distinct == 1 and not (is_text and missing.any()):
        return "constant"
    if is_text:
        return _text_kind(name, column, distinct)
    if column.dtype.kind == "M":
        return "date"
    return _number_kind(name, column, distinct)


def _text_kind(name: str, column: pd.Series, distinct: int) -> str:
    levels = column.cat.categories
    if frozenset(level.casefold() for level in levels[:3]) in TRUE_FALSE:
        return "boolean"
    length = float(np.mean([len(level) for level in levels]))
    if length > TEXT_LENGTH:
        return "text"
    present = int(column.notna().sum())
    if distinct == present and present > 2 and _is_id_name(name):
        return "id"
    if distinct > FEW_ROWS and distinct > DISTINCT_SHARE * present:
        spaces = float(np.mean([level.count(" ") for level in levels]))
        return "text" if spaces >= 2 else "id"
    return "category"


def _number_kind(name: str, column: pd.Series, distinct: int) -> str:
    if distinct == 2 and column.dropna().isin((0, 1)).all():
        return "boolean"
    rows = len(column)
    if column.dtype.kind == "i" and distinct == rows:
        counts_up = rows > FEW_ROWS and bool((np.diff(column.to_numpy()) == 1).all())
        if counts_up or (rows > 2 and _is_id_name(name)):
            return "id"
    return "numeric"


def _is_id_name(name: str) -> bool:
    return bool(ID_NAME.search(name[:200]) or CAMEL_ID.search(name[:200]))
