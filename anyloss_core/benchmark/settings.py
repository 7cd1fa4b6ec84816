"""What a benchmark is: which data sets, compared how. Plain values that decide every number.

Two benchmarks with the same `to_dict` give the same scores, so the second may take over the
finished units of the first. How they are computed (processes, cluster) is not part of it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from anyloss_core.common.text import display_name
from anyloss_core.comparison.settings import ComparisonSettings, SettingsError
from anyloss_core.data.suites.entries import open_suite

CURVE_POINTS = 25  # of a learning curve: what a look at one data set needs, times a hundred
OPENML = "openml:"


@dataclass(frozen=True)
class Item:
    """One data set: one unit of work."""

    name: str
    reference: str
    rows: int | None = None  # if known before it is opened
    digest: str = ""  # of the user's file: a changed file is another data set


@dataclass(frozen=True)
class BenchmarkSettings:
    """All data sets and the comparison that each of them gets."""

    suite: str  # what the user calls it
    items: tuple[Item, ...]
    comparison: ComparisonSettings
    files: bool = False  # whether file: references may be opened; on the command line only

    def __post_init__(self) -> None:
        if not self.items:
            raise SettingsError("suite holds no data set; choose at least one")
        counts = Counter(item.name for item in self.items)
        if twice := next((name for name, count in counts.items() if count > 1), None):
            raise SettingsError(f"suite names the data set {twice!r} twice; keep one of them")

    @property
    def plan(self) -> str:
        """A digest of what the protocol leaves to defaults, which a later version may change."""
        # Plans of before there were schedules are told as they were then.
        plan = repr(self.comparison.plan).replace(", schedule='constant'", "")
        return hashlib.sha256(plan.encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """As the store keeps it."""
        return {
            "suite": self.suite,
            "data": [asdict(item) for item in self.items],
            "comparison": self.comparison.to_dict(),
            "files": self.files,
            "plan": self.plan,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> BenchmarkSettings:
        """Inverse of `to_dict`; SettingsError if they were made by something else."""
        try:
            items = tuple(Item(**item) for item in stored["data"])
            comparison = ComparisonSettings.from_dict(stored["comparison"])
            return cls(stored["suite"], items, comparison, bool(stored["files"]))
        except (KeyError, TypeError, AttributeError) as fault:
            raise SettingsError(
                "these are not the settings of a benchmark; start a new one"
            ) from fault


def comparison_settings(**chosen: Any) -> ComparisonSettings:
    """The comparison of every data set: one round of folds, short curves, and on the CPU, so that
    machines agree."""
    own = {"repeats": 1, "curves": CURVE_POINTS, "device": "cpu"}
    return ComparisonSettings.from_dict(own | chosen)


def suite_items(suite: str | Path) -> tuple[Item, ...]:
    """The data sets of 'real', 'large', 'synthetic', 'openml:31,1464', a folder or a zip."""
    text = str(suite)
    if text.lower().startswith(OPENML):
        return openml_items(text[len(OPENML) :].split(","))
    return tuple(_item(entry) for entry in open_suite(suite))


def openml_items(numbers: Iterable[str]) -> tuple[Item, ...]:
    """Data sets of OpenML by number or name; they are opened when their turn comes."""
    wanted = dict.fromkeys(number.strip() for number in numbers if number.strip())
    return tuple(Item(f"openml {display_name(number)}", f"openml:{number}") for number in wanted)


def _item(entry: Any) -> Item:
    path = getattr(entry, "path", None)
    return Item(entry.name, entry.reference, entry.rows, _digest(path) if path else "")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]
