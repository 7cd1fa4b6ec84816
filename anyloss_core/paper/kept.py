"""Results of the paper that were computed before: the newest of each task, from the store."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from anyloss_core.paper.cells import Result
from anyloss_core.paper.reproduction import unpacked
from anyloss_core.store.store import Run, Store, Unit

KIND = "paper"
LOOKED_AT = 60  # newest runs


@dataclass(frozen=True)
class Kept:
    """A result and the run that computed it."""

    result: Result
    run_id: str  # empty if it came with the program
    created: float  # when the run was made, seconds since 1970
    where: str = ""  # the machine, if it was another one


def computed_runs(store: Store) -> list[Run]:
    """Runs that were computed on this machine, newest first: what was imported proves nothing."""
    runs = store.runs(KIND, limit=LOOKED_AT, imported=False)
    return [run for run in runs if not run.damaged]


def paper_runs(store: Store, owners: Collection[str]) -> list[Run]:
    """Runs whose results a visitor may see who acts for these owners, newest first.

    Built-in data is everybody's; what was computed from an uploaded file is its owner's.
    """
    runs = computed_runs(store)
    return [run for run in runs if not run.settings.get("csv") or run.owner in owners]


def kept_results(
    store: Store, runs: Iterable[Run], fits: Callable[[Run, Unit], bool] = lambda run, unit: True
) -> dict[str, Kept]:
    """The newest result of every task, by its key; unfinished runs count with what they have."""
    found: dict[str, Kept] = {}
    for run in runs:
        for unit in store.units(run.id, "done"):
            if unit.key not in found and fits(run, unit):
                found[unit.key] = Kept(unpacked(unit.payload), run.id, run.created)
    return found
