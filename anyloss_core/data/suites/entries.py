"""Many data sets at once: the synthetic twins of the paper's 102, and folders or zips of tables.

An entry of any suite (the real one is in `real_suite`) has a name, a reference that another
process can open, and a title. Sizes and balance are known in advance for built-in suites.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

from anyloss_core.common.text import display_name
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.sources import is_excel, member, opened, table_members, zip_archive
from anyloss_core.data.reading.table import SUFFIXES, load_csv
from anyloss_core.data.suites.real_suite import RealTable, check_installed, large_suite, real_suite
from anyloss_core.data.suites.synthetic import SyntheticSettings, generate

SEPARATIONS = (0.5, 2.0)  # of the classes, from hard to easy
NOISES = (0.0, 0.15)
HARD_CLUSTERS = (1, 2, 3)


@dataclass(frozen=True)
class SuiteEntry:
    """One data set of a suite, as far as it is known before it is opened."""

    name: str
    reference: str  # what `open_reference` understands; files only where they are allowed
    title: str  # one line for lists
    rows: int | None = None
    ratio: float | None = None  # n of 'n:1'
    path: Path | None = None  # of the user's file


@cache
def twin_settings() -> dict[int, SyntheticSettings]:
    """What the twin of each of the paper's 102 data sets is generated with."""
    with files(__package__).joinpath("102_datasets_meta.csv").open("rb") as file:
        return {row.dataset: _settings(row) for row in pd.read_csv(file).itertuples()}


def synthetic_suite() -> tuple[SuiteEntry, ...]:
    """102 generated twins: published sizes, features and balance, varied difficulty."""
    title = "Generated twin of data set {} of the paper's 102"
    return tuple(
        SuiteEntry(f"twin {number}", f"twin:{number}", title.format(number), made.rows, made.ratio)
        for number, made in twin_settings().items()
    )


def load_twin(number: int | str) -> Dataset:
    """The twin of that number, 1 to 102."""
    twins = {str(known): settings for known, settings in twin_settings().items()}
    if str(number) not in twins:
        raise DataError(f"There is no twin '{display_name(number)}'.", f"Use 1 to {len(twins)}.")
    return generate(twins[str(number)], f"twin {number}")


def open_suite(which: str | Path) -> Sequence[SuiteEntry | RealTable]:
    """'real', 'large', 'synthetic', or the tables of a folder or zip file."""
    if which in ("real", "large"):
        check_installed()
        return real_suite() if which == "real" else large_suite()
    if which == "synthetic":
        return synthetic_suite()
    return file_suite(Path(which))


def file_suite(path: Path) -> tuple[SuiteEntry, ...]:
    """Every table of a folder, or of a zip of tables, by name."""
    if path.is_dir():
        inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
        entries = tuple(_file_entry(p) for p in inside)
    else:
        with opened(path) as (_, file), zip_archive(file) as archive:
            entries = tuple(_file_entry(path, name) for name in table_members(archive))
    if not entries:
        raise DataError(
            f"'{display_name(path.name)}' holds no tables.",
            f"Put files ending in {', '.join(sorted(SUFFIXES))} into it.",
        )
    return entries


def _file_entry(path: Path, inside: str | None = None) -> SuiteEntry:
    """A table in a folder, or in a zip; target and positive class will be proposed."""
    name = inside or path.name
    reference = f"file:{quote(str(path.resolve()))}{f'#{quote(inside)}' if inside else ''}"
    return SuiteEntry(name, reference, display_name(name), path=path)


def load_member(path: Path, name: str, **choices: Any) -> Dataset:
    """One sheet of an Excel file, or one table of a zip, read in memory.

    Nothing is ever written to a path from the zip.
    """
    if is_excel(path):
        return load_csv(path, sheet=name, **choices)
    with opened(path) as (_, file), zip_archive(file) as archive:
        if name not in table_members(archive):
            raise DataError(f"The zip holds no table '{display_name(name)}'.", "Zip it once more.")
        with member(archive, name) as table:
            return replace(load_csv(table, **choices), name=name)


def _settings(row: Any) -> SyntheticSettings:
    """Published size and balance; the difficulty is drawn from the data set's number."""
    random = np.random.default_rng(row.dataset)
    return SyntheticSettings(
        rows=row.samples,
        features=row.features,
        imbalance=(1 - row.positive_share) / row.positive_share,
        separation=round(float(random.uniform(*SEPARATIONS)), 2),
        noise=round(float(random.uniform(*NOISES)), 2),
        clusters=int(random.choice(HARD_CLUSTERS)),
        seed=row.dataset,
    )
