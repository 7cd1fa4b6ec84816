"""A Dataset: usable feature columns, 0/1 labels, names, provenance and warnings.

`dataset_from_frame` is the one door through which every table, read, built in or downloaded,
becomes a Dataset; a table that cannot is refused with a DataError.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from anyloss_core.common.text import display_name, display_names
from anyloss_core.data import limits
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.data.cells.values import first_seen, typed_frame
from anyloss_core.data.columns import Column, describe_column
from anyloss_core.data.errors import DataError
from anyloss_core.data.profile import Profile, find_leaks, profile_of
from anyloss_core.data.target import find_target, split_target


@dataclass(frozen=True, eq=False)
class Dataset:
    """A two-class question with everything needed to train on it."""

    name: str
    frame: pd.DataFrame  # the used feature columns, typed (see `values`), index 0..rows-1
    labels: np.ndarray  # (rows,) int8, 1 = positive
    target: str
    positive: str
    negative: str
    columns: tuple[Column, ...]  # every column of the table but the target, dropped ones too
    source: str = ""
    warnings: tuple[str, ...] = ()
    ready: bool = False  # features as published: the 'paper' protocol leaves them as they are

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def positives(self) -> int:
        """Number of rows of the positive class."""
        return int(self.labels.sum())

    @property
    def minority(self) -> int:
        """Rows of the rarer class."""
        return min(self.positives, self.rows - self.positives)

    @property
    def ratio(self) -> float:
        """Imbalance n of 'n:1': rows of the larger class over rows of the smaller one."""
        return (self.rows - self.minority) / self.minority

    @property
    def used_columns(self) -> tuple[Column, ...]:
        """The columns that become features."""
        return tuple(column for column in self.columns if column.used)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits of the content: the same features and labels, the same fingerprint."""
        digest = hashlib.sha256(repr((self.target, self.positive)).encode())
        digest.update(np.ascontiguousarray(self.labels).data)
        for name in self.frame.columns:
            digest.update(repr((name, str(self.frame[name].dtype.kind))).encode())
            digest.update(pd.util.hash_pandas_object(self.frame[name], index=False).to_numpy())
        return digest.hexdigest()[:16]

    def profile(self) -> Profile:
        """What is known about the data before any training; computed once."""
        return self._profile

    @cached_property
    def _profile(self) -> Profile:
        return profile_of(self.frame, self.labels, self.columns, self.leaks)

    @cached_property
    def leaks(self) -> dict[str, float]:
        """Columns that predict the target almost alone, and their AUC; empty if there are none."""
        return find_leaks(self.frame, self.labels)

    def to_csv(self, path: str | Path | None = None) -> bytes:
        """Features and target as CSV; `load_csv` with this target reads the same Dataset back.

        Texts that a spreadsheet would run as formulas stand behind an apostrophe.
        """
        names = np.where(self.labels == 1, self.positive, self.negative)
        content = harmless_csv(self.frame.assign(**{self.target: names}), "\r\n")
        if path is not None:
            Path(path).write_bytes(content)
        return content


def dataset_from_frame(
    frame: pd.DataFrame,
    target: str,
    positive: object = None,
    name: str = "table",
    drop: Iterable[str] = (),
    source: str = "",
) -> Dataset:
    """Check and describe a table; `drop` names columns that must not become features."""
    read_notes = frame.attrs.get("notes", ())  # left by `read_table`
    typed, notes = typed_frame(_checked(frame))
    target = find_target(typed, target)
    answer = split_target(typed[target], positive)
    features = _features(typed.drop(columns=target), answer.known)
    columns = _described(features, {drop} if isinstance(drop, str) else set(map(str, drop)))
    used = [column.name for column in columns if column.used]
    _check_features(features, used)
    return Dataset(
        name=name,
        frame=features[used].copy(),  # one block a type: rows are taken from it all the time
        labels=answer.labels,
        target=target,
        positive=answer.positive,
        negative=answer.negative,
        columns=columns,
        source=source,
        warnings=(*read_notes, *notes, *_remarks(answer.known, columns)),
    )


def check_size(rows: int, columns: int) -> None:
    """Refuse a table beyond the limits, with the figure and what to reduce."""
    for what, size, most in (
        ("rows", rows, limits.ROWS),
        ("columns", columns, limits.COLUMNS),
        ("cells", rows * columns, limits.CELLS),
    ):
        if size > most:
            raise DataError(
                f"The table has {size:,} {what}; at most {most:,} fit.",
                "Keep a random part of the rows or fewer columns.",
            )


def check_shape(rows: int, columns: int, least: int = 2) -> None:
    """Refuse a table that is too small to ask anything of; new rows need no target column."""
    if columns < least:
        raise DataError(
            "The table has one column only." if columns else "The table has no columns.",
            "It needs at least one feature column and one target column; "
            "check the character that separates the columns.",
        )
    if not rows:
        raise DataError("The table has column names but no rows.", "Add rows below the header.")


def check_folds(dataset: Dataset, folds: int) -> None:
    """Refuse more folds than the rarer class has rows; offer as many as it has."""
    if folds < 2:
        raise DataError(f"folds must be at least 2, got {folds}.", "Choose 2 to 10 folds.")
    if dataset.minority >= folds:
        return
    rare = dataset.positive if dataset.positives == dataset.minority else dataset.negative
    repair = (
        f"Use {dataset.minority} folds or fewer, or add rows of that class."
        if dataset.minority >= 2
        else "Add rows of that class: cross-validation needs at least 2."
    )
    raise DataError(
        f"The class '{display_name(rare)}' has {dataset.minority} rows, too few for {folds} folds.",
        repair,
    )


def check_names(names: Iterable[str]) -> None:
    """Refuse names that occur twice: nobody could say which column is meant."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(
            f"Column names occur more than once: {display_names(twice)}.",
            "Give every column its own name in the first row.",
        )


def _checked(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.set_axis([str(name) for name in frame.columns], axis=1)
    check_names(frame.columns)
    check_size(*frame.shape)
    check_shape(*frame.shape)
    return frame


def _features(features: pd.DataFrame, known: np.ndarray) -> pd.DataFrame:
    """Rows with a class; levels in the order in which these rows show them."""
    if not known.all():
        features = features[known].reset_index(drop=True)
    columns = {
        name: first_seen(column) if isinstance(column.dtype, pd.CategoricalDtype) else column
        for name, column in features.items()
    }
    return pd.DataFrame(columns, copy=False)


def _described(features: pd.DataFrame, drop: set[str]) -> tuple[Column, ...]:
    if unknown := drop - set(features.columns):
        raise DataError(
            f"drop names columns that do not exist: {display_names(sorted(unknown))}.",
            f"The columns are {display_names(features.columns)}.",
        )
    return tuple(describe_column(n, features[n], dropped=n in drop) for n in features.columns)


def _check_features(features: pd.DataFrame, used: list[str]) -> None:
    if not used:
        raise DataError(
            "No feature column is left: all others are constant, empty, ids or free text.",
            "Add a column with numbers, categories or dates that may tell the classes apart.",
        )
    for name in used:
        column = features[name]
        if column.dtype.kind == "f" and (infinite := int(np.isinf(column.to_numpy()).sum())):
            raise DataError(
                f"The column '{display_name(name)}' holds {infinite} infinite values.",
                "Replace them by numbers, leave the cells empty, or drop the column.",
            )


def _remarks(known: np.ndarray, columns: tuple[Column, ...]) -> list[str]:
    """What the user should hear about rows and columns left out."""
    remarks = []
    if unknown := int((~known).sum()):
        remarks.append(f"{unknown} rows without a class were left out.")
    reasons = dict.fromkeys(column.action for column in columns if not column.used)
    for reason in reasons:
        names = [column.name for column in columns if column.action == reason]
        remarks.append(f"{display_names(names)} {'was' if len(names) == 1 else 'were'} {reason}.")
    return remarks
