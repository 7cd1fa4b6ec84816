"""Recompute the paper: in this process (`reproduce`), or as a job whose results are kept (`run`).

The job keeps each finished task as a unit, so that a page opens at once the next time and an
interrupted run goes on where it stopped. What computes is imported when something is computed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from anyloss_core.common.versions import program
from anyloss_core.paper.cells import Cell, OnProgress, Result, cell_table
from anyloss_core.paper.names import OFFLINE
from anyloss_core.paper.parts import EXACT, Files, plan

if TYPE_CHECKING:
    import pandas as pd

    from anyloss_core.jobs.report import Report


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
        """What `reproduce --json` writes: figures of the paper beside ours, and how we got ours."""
        return {
            "cells": [cell.to_dict() for cell in self.cells if cell.published is not None],
            "seconds": self.seconds,
            "settings": {key: result.settings for key, result in self.results.items()},
        }


def reproduce(
    parts: Sequence[str] = EXACT,
    datasets: Sequence[int] = OFFLINE,
    csv: Files | None = None,
    on_progress: OnProgress | None = None,
    **options: Any,
) -> Reproduction:
    """Run parts on data sets; `csv` maps 2, 4, 'titanic' or 'mnist' to the user's file."""
    from anyloss_core.paper.together import perform_all

    chosen, begin = plan(parts, datasets), time.perf_counter()
    found = dict(perform_all(chosen, csv or {}, on_progress or _silent, options))
    results = {task.key: found[task] for task in chosen}
    return Reproduction(results, time.perf_counter() - begin)


def run(settings: dict[str, Any], report: Report) -> None:
    """The job 'paper': settings are parts, datasets, csv (upload ids) and options of parts.

    `files` (name -> path) are of this attempt alone: the command line gives them.
    """
    from anyloss_core.paper.together import perform_all

    chosen = plan(settings.get("parts", EXACT), settings.get("datasets", OFFLINE))
    csv = (report.files and settings.get("files")) or {
        int(name) if name.isdigit() else name: report.store.open_upload(upload).path
        for name, upload in settings.get("csv", {}).items()
    }
    done = report.finished_units()
    left = [task for task in chosen if task.key not in done]

    def progress(share: float, message: str) -> None:
        report.progress(len(chosen) - len(left) * (1 - share), len(chosen), message)
        report.checkpoint()

    for task, result in perform_all(left, csv, progress, settings.get("options", {})):
        report.unit(task.key, packed(result), seconds=result.seconds)
    report.progress(len(chosen), len(chosen), "done")


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
        "program": program(),
    }


def _silent(share: float, message: str) -> None:
    pass
