"""Recompute the paper, part by part: what can be run, and the running of it.

A task is a part on a data set; `reproduce` runs tasks one after the other and returns their cells.
`run` does the same as a job: each finished task is kept as a unit, so that a page opens at once
the next time and an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from anyloss_core.published.cells import Cell, Progress, Result, cell_table, shifted
from anyloss_core.published.paper_datasets import OFFLINE, paper_dataset

if TYPE_CHECKING:
    import pandas as pd

    from anyloss_core.job_report import Report


@dataclass(frozen=True)
class Part:
    """Something of the paper that can be computed again."""

    title: str
    target: str  # "module:function" in this package, imported when needed
    exact: bool = False  # every figure comes out equal
    per_dataset: bool = True  # runs on data sets 1 to 4, one at a time
    options: tuple[str, ...] = ()  # settings of the job that the function takes
    file: str = ""  # the user's file that the function can take, by this name


PARTS: Mapping[str, Part] = {
    "valid_range": Part(
        "Valid range of L", "valid_range_table:reproduce_valid_range", True, per_dataset=False
    ),
    "slp": Part("SLP scores and achievement rates", "slp:reproduce_slp", True),
    "resampling": Part("Resampling", "resampling:reproduce_resampling", True),
    "sol": Part("SOL in the SLP", "slp:reproduce_sol"),
    "time": Part("Learning time", "learning_time:reproduce_time", options=("rounds",)),
    "curves": Part("Learning curves for four L", "amplifier:reproduce_curves", per_dataset=False),
    "sweep": Part("Five values of L in the MLP", "amplifier:reproduce_sweep", options=("seeds",)),
    "mlp": Part("MLP, fresh and carried", "mlp:reproduce_mlp", options=("seeds", "protocols")),
    "titanic": Part(
        "Huge Titanic",
        "titanic:reproduce_titanic",
        per_dataset=False,
        options=("rows",),
        file="titanic",
    ),
    "resnet": Part(
        "ResNet-50 on digits",
        "resnet:reproduce_resnet",
        per_dataset=False,
        options=("source", "epochs", "seed", "rows"),
        file="mnist",
    ),
}
EXACT = tuple(name for name, part in PARTS.items() if part.exact)


@dataclass(frozen=True)
class Task:
    """A part, and the data set it runs on."""

    part: str
    dataset: int | None = None

    @property
    def key(self) -> str:
        """Under this the result is kept."""
        return self.part if self.dataset is None else f"{self.part} {self.dataset}"


@dataclass(frozen=True)
class Reproduction:
    """The results of several tasks."""

    results: dict[str, Result]  # by Task.key
    seconds: float

    @property
    def cells(self) -> list[Cell]:
        """All cells, task by task."""
        return [cell for result in self.results.values() for cell in result.cells]

    def table(self) -> pd.DataFrame:
        """All cells as rows."""
        return cell_table(self.cells)

    def to_dict(self) -> dict[str, Any]:
        """What `reproduce --json` writes."""
        return {"cells": [cell.to_dict() for cell in self.cells], "seconds": self.seconds}


def reproduce(
    parts: Sequence[str] = EXACT,
    datasets: Sequence[int] = OFFLINE,
    csv: Mapping[int | str, str | PathLike] | None = None,
    on_progress: Progress | None = None,
    **options: Any,
) -> Reproduction:
    """Run parts on data sets; `csv` maps 2, 4, 'titanic' or 'mnist' to the user's file."""
    chosen = plan(parts, datasets)
    begin, results = time.perf_counter(), {}
    for place, task in enumerate(chosen):
        tell = shifted(on_progress or _silent, place, len(chosen))
        results[task.key] = perform(task, csv or {}, tell, options)
    return Reproduction(results, time.perf_counter() - begin)


def run(settings: dict[str, Any], report: Report) -> None:
    """The job 'paper': settings are parts, datasets, csv (upload ids) and options of parts."""
    chosen = plan(settings.get("parts", EXACT), settings.get("datasets", OFFLINE))
    csv = {
        int(name) if name.isdigit() else name: report.store.open_upload(upload).path
        for name, upload in settings.get("csv", {}).items()
    }
    done = report.finished_units()

    for place, task in enumerate(chosen):
        if task.key in done:
            continue

        def tell(share: float, message: str, place: int = place) -> None:
            report.progress(place + share, len(chosen), message)
            report.checkpoint()

        result = perform(task, csv, tell, settings.get("options", {}))
        report.unit(task.key, packed(result), seconds=result.seconds)
    report.progress(len(chosen), len(chosen), "done")


def plan(parts: Sequence[str], datasets: Sequence[int]) -> list[Task]:
    """The tasks of these parts on these data sets."""
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise ValueError(f"parts: no part {unknown[0]!r}, there are {', '.join(PARTS)}")
    return list(_tasks(parts, datasets))


def perform(
    task: Task,
    csv: Mapping[int | str, str | PathLike],
    progress: Progress,
    options: Mapping[str, Any],
) -> Result:
    """Run one task and time it."""
    part = PARTS[task.part]
    module, _, name = part.target.partition(":")
    function = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    wanted = {key: options[key] for key in part.options if key in options}
    begin = time.perf_counter()
    progress(0.0, part.title)
    if part.per_dataset:
        dataset = paper_dataset(task.dataset, csv.get(task.dataset))
        result = function(task.dataset, dataset, progress, **wanted)
    else:
        given = {"csv": csv[part.file]} if part.file in csv else {}
        result = function(progress, **wanted, **given)
    return replace(result, seconds=time.perf_counter() - begin)


def unpacked(value: Mapping[str, Any]) -> Result:
    """A kept unit as a result again."""
    cells = [Cell(**cell) for cell in value["cells"]]
    return Result(cells, value["settings"], value["extras"], value["seconds"])


def packed(result: Result) -> dict[str, Any]:
    """A result as a unit keeps it."""
    return {
        "cells": [asdict(cell) for cell in result.cells],
        "settings": result.settings,
        "extras": result.extras,
        "seconds": result.seconds,
    }


def _tasks(parts: Sequence[str], datasets: Sequence[int]) -> Iterator[Task]:
    for part in parts:
        if PARTS[part].per_dataset:
            yield from (Task(part, int(number)) for number in datasets)
        else:
            yield Task(part)


def _silent(share: float, message: str) -> None:
    pass
