"""What of the paper can be computed again: parts, tasks, and the running of one task.

A part is a table or figure of the paper; a task is a part on a data set. A part names its function
by text, so that nothing heavy is imported before it is needed.
"""

import importlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from anyloss_core.paper.cells import OnProgress, Result

Files = Mapping[int | str, str | PathLike]  # 2, 4, 'titanic' or 'mnist' -> the user's file


@dataclass(frozen=True)
class Part:
    """Something of the paper that can be computed again."""

    title: str
    target: str  # "module:function" in this package, imported when needed
    exact: bool = False  # every figure comes out equal
    per_dataset: bool = True  # runs on data sets 1 to 4, one at a time
    options: tuple[str, ...] = ()  # settings of the job that the function takes
    file: str = ""  # the user's file that the function can take, by this name
    seconds: float = 10.0  # of one core, on data set 1
    alone: bool = False  # needs the machine to itself: a clock, much memory, or all cores


PARTS: Mapping[str, Part] = {
    "valid_range": Part(
        "Valid range of L",
        "valid_range:reproduce_valid_range",
        True,
        per_dataset=False,
        seconds=1,
    ),
    "slp": Part("SLP scores and achievement rates", "slp:reproduce_slp", True, seconds=15),
    "resampling": Part("Resampling", "resampling:reproduce_resampling", True, seconds=25),
    "sol": Part("SOL in the SLP", "slp:reproduce_sol"),
    "time": Part(
        "Learning time", "learning_time:reproduce_time", options=("rounds",), seconds=30, alone=True
    ),
    "curves": Part("Learning curves for four L", "amplifier:reproduce_curves", per_dataset=False),
    "sweep": Part(
        "Five values of L in the MLP", "amplifier:reproduce_sweep", options=("seeds",), seconds=120
    ),
    "mlp": Part(
        "MLP, fresh and carried", "mlp:reproduce_mlp", options=("seeds", "protocols"), seconds=200
    ),
    "titanic": Part(
        "Huge Titanic",
        "titanic:reproduce_titanic",
        per_dataset=False,
        options=("rows",),
        file="titanic",
        seconds=75,
        alone=True,
    ),
    "resnet": Part(
        "ResNet-50 on digits",
        "resnet:reproduce_resnet",
        per_dataset=False,
        options=("source", "epochs", "seed", "rows"),
        file="mnist",
        seconds=200,
        alone=True,
    ),
}
EXACT = tuple(name for name, part in PARTS.items() if part.exact)
SIZES = {1: 1.0, 2: 60.0, 3: 0.25, 4: 12.0}  # work on a data set, over that on data set 1


@dataclass(frozen=True)
class Task:
    """A part, and the data set it runs on."""

    part: str
    dataset: int | None = None

    @property
    def key(self) -> str:
        """Under this the result is kept."""
        return self.part if self.dataset is None else f"{self.part} {self.dataset}"

    @property
    def seconds(self) -> float:
        """About how many seconds it takes."""
        return PARTS[self.part].seconds * SIZES.get(self.dataset or 1, 1.0)


def plan(parts: Sequence[str], datasets: Sequence[int]) -> list[Task]:
    """The tasks of these parts on these data sets."""
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise ValueError(f"parts: no part {unknown[0]!r}, there are {', '.join(PARTS)}")
    return list(_tasks(parts, datasets))


def perform(task: Task, csv: Files, progress: OnProgress, options: Mapping[str, Any]) -> Result:
    """Run one task and time it."""
    from anyloss_core.paper.datasets import paper_dataset

    part = PARTS[task.part]
    module, _, name = part.target.partition(":")
    function = getattr(importlib.import_module(f"{__package__}.tasks.{module}"), name)
    wanted = {key: options[key] for key in part.options if key in options}
    begin = time.perf_counter()
    progress(0.0, part.title)
    if task.dataset is not None:
        dataset = paper_dataset(task.dataset, csv.get(task.dataset))
        result = function(task.dataset, dataset, progress, **wanted)
    else:
        given = {"csv": csv[part.file]} if part.file in csv else {}
        result = function(progress, **wanted, **given)
    return replace(result, seconds=time.perf_counter() - begin)


def _tasks(parts: Sequence[str], datasets: Sequence[int]) -> Iterator[Task]:
    for part in parts:
        if PARTS[part].per_dataset:
            yield from (Task(part, int(number)) for number in datasets)
        else:
            yield Task(part)
