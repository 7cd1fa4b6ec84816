"""Many data sets at once: the synthetic twins of the paper's 102, and folders or zips of tables.

An entry of any suite (the real one is in `real_suite`) has a name, a reference that another
process can open, a title, and `load()`. Sizes and balance are known in advance for built-in suites.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd

from anyloss_core.datasets.dataset import Dataset
from anyloss_core.datasets.errors import DataError
from anyloss_core.datasets.limits import display_name
from anyloss_core.datasets.reading import SUFFIXES, load_csv
from anyloss_core.datasets.real_suite import Task, real_suite
from anyloss_core.datasets.sources import member, opened, table_members, zip_archive
from anyloss_core.datasets.synthetic import Recipe, generate

SEPARATIONS = (0.5, 2.0)  # of the classes, from hard to easy
NOISES = (0.0, 0.15)
HARD_CLUSTERS = (1, 2, 3)


@dataclass(frozen=True)
class Twin:
    """A generated data set with the size and balance of one of the paper's."""

    number: int
    recipe: Recipe

    @property
    def name(self) -> str:
        """twin N."""
        return f"twin {self.number}"

    @property
    def reference(self) -> str:
        """What `open_reference` understands."""
        return f"twin:{self.number}"

    @property
    def title(self) -> str:
        """One line for lists."""
        return f"Generated twin of data set {self.number} of the paper's 102"

    @property
    def rows(self) -> int:
        """Rows, as published."""
        return self.recipe.rows

    @property
    def ratio(self) -> float:
        """n of 'n:1'."""
        return (self.rows - self.recipe.positives) / self.recipe.positives

    def load(self) -> Dataset:
        """Generate it."""
        return generate(self.recipe, self.name)


@dataclass(frozen=True)
class TableFile:
    """A table in a folder, or in a zip."""

    path: Path
    member: str | None = None

    @property
    def name(self) -> str:
        """The file's name."""
        return self.member or self.path.name

    @property
    def reference(self) -> str:
        """What `open_reference` understands when files are allowed."""
        inside = "" if self.member is None else f"#{quote(self.member)}"
        return f"file:{quote(str(self.path.resolve()))}{inside}"

    @property
    def title(self) -> str:
        """One line for lists."""
        return display_name(self.name)

    def load(self) -> Dataset:
        """Read it; target and positive class are proposed."""
        return load_member(self.path, self.member) if self.member else load_csv(self.path)


Entry = Task | Twin | TableFile


@cache
def synthetic_suite() -> tuple[Twin, ...]:
    """102 generated twins: published sizes, features and balance, varied difficulty."""
    table = files("anyloss_core.published").joinpath("102_datasets_meta.csv")
    with table.open("rb") as file:
        rows = pd.read_csv(file).itertuples()
    return tuple(Twin(row.dataset, _recipe(row)) for row in rows)


def load_twin(number: int | str) -> Dataset:
    """The twin of that number, 1 to 102."""
    twins = {str(twin.number): twin for twin in synthetic_suite()}
    if str(number) not in twins:
        raise DataError(f"There is no twin '{display_name(number)}'.", f"Use 1 to {len(twins)}.")
    return twins[str(number)].load()


def open_suite(which: str | Path) -> Sequence[Entry]:
    """'real', 'synthetic', or the tables of a folder or zip file."""
    if which == "real":
        return real_suite()
    if which == "synthetic":
        return synthetic_suite()
    return file_suite(Path(which))


def file_suite(path: Path) -> tuple[TableFile, ...]:
    """Every table of a folder, or of a zip of tables, by name."""
    if path.is_dir():
        inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
        entries = tuple(TableFile(p) for p in inside)
    else:
        with opened(path) as (_, file), zip_archive(file) as archive:
            entries = tuple(TableFile(path, name) for name in table_members(archive))
    if not entries:
        raise DataError(
            f"'{display_name(path.name)}' holds no tables.",
            f"Put files ending in {', '.join(sorted(SUFFIXES))} into it.",
        )
    return entries


def load_member(path: Path, name: str, **choices: object) -> Dataset:
    """One table of a zip, read in memory: nothing is ever written to a path from the zip."""
    with opened(path) as (_, file), zip_archive(file) as archive:
        if name not in table_members(archive):
            raise DataError(f"The zip holds no table '{display_name(name)}'.", "Zip it once more.")
        with member(archive, name) as table:
            return replace(load_csv(table, **choices), name=name)


def _recipe(row: object) -> Recipe:
    """Published size and balance; the difficulty is drawn from the data set's number."""
    random = np.random.default_rng(row.dataset)
    return Recipe(
        rows=row.samples,
        features=row.features,
        imbalance=(1 - row.positive_share) / row.positive_share,
        separation=round(float(random.uniform(*SEPARATIONS)), 2),
        noise=round(float(random.uniform(*NOISES)), 2),
        clusters=int(random.choice(HARD_CLUSTERS)),
        seed=row.dataset,
    )
