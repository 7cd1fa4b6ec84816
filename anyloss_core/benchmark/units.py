"""One unit of a benchmark: one data set, all folds x losses x seeds of it in one comparison.

`work` runs anywhere (this process, another, another machine) and depends on its task alone: one
thread, no store. What it returns is all that is kept; a failure is a result with a reason.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from anyloss_core.benchmark.settings import Item
from anyloss_core.common.memory import ran_out
from anyloss_core.comparison.comparison import Comparing, Comparison, Progress
from anyloss_core.comparison.job import from_record, to_record
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.profile import leak_words
from anyloss_core.data.suites.references import open_reference, parse_reference
from anyloss_core.store import payload

LOCAL = ("file", "upload")  # kinds of references that only this machine can open


@dataclass(frozen=True)
class UnitTask:
    """What a unit needs to know."""

    item: Item
    comparison: dict[str, Any]
    uploads: Path | None = None
    files: bool = False
    dataset: Dataset | None = None  # sent along when the other machine cannot open it

    def open(self) -> Dataset:
        """The data set."""
        if self.dataset is not None:
            return self.dataset
        return open_reference(self.item.reference, uploads=self.uploads, files=self.files)

    @property
    def local(self) -> bool:
        """Whether only this machine has the data."""
        return parse_reference(self.item.reference).kind in LOCAL


class UnitOutcome(NamedTuple):
    """What became of a unit: a value to keep, or the reason why there is none."""

    value: dict[str, Any] | None
    seconds: float
    reason: str = ""


def work(task: UnitTask) -> UnitOutcome:
    """Do a unit in a process of its own, with one thread."""
    with one_thread():
        return attempt(task)


def attempt(
    task: UnitTask,
    on_batch: Callable[[], None] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> UnitOutcome:
    """Do a unit; whatever is wrong with its data set becomes its reason."""
    begun = time.perf_counter()
    try:
        dataset = task.open()
        comparing = Comparing(dataset, ComparisonSettings.from_dict(task.comparison), on_batch)
        for progress in comparing:
            if on_progress is not None:
                on_progress(progress)
        value = unit_value(dataset, comparing.result())
    except Exception as fault:
        return UnitOutcome(None, time.perf_counter() - begun, describe(fault))
    return UnitOutcome(value, time.perf_counter() - begun)


def unit_value(dataset: Dataset, comparison: Comparison) -> dict[str, Any]:
    """What is kept: counts and cuts, which give every score, and the comparison, packed up."""
    return {
        "confusion": comparison.confusion,
        "cuts": comparison.cuts,
        "rows": dataset.rows,
        "features": dataset.frame.shape[1],
        "positives": dataset.positives,
        "fingerprint": dataset.fingerprint,
        "notes": [*([leak_words(dataset.leaks)] if dataset.leaks else []), *comparison.notes],
        "comparison": payload.to_bytes(to_record(comparison)),
    }


def unpack_comparison(value: dict[str, Any]) -> Comparison:
    """The whole comparison of a finished unit."""
    return from_record(payload.from_bytes(value["comparison"]))


def describe(fault: Exception) -> str:
    """The reason of a failure, in words."""
    if ran_out(fault):
        return "There was not enough memory for this data set."
    if isinstance(fault, ValueError):  # written for the user, throughout the core
        return str(fault)
    return f"{type(fault).__name__}: {fault}"


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for torch and BLAS: sums come out the same here and in another process."""
    import torch
    from threadpoolctl import threadpool_limits

    before = torch.get_num_threads()
    with threadpool_limits(1):
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(before)
