"""The paper recomputed once: what this very program has found before is not computed again.

    reproduction, since = keep_reproduction(Store(), ["slp"], [1, 3])

A kept result counts only if it was made by the same code and packages, from the same file and with
the same options; a page shows older ones too, with their date.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from anyloss_core.common.versions import program
from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import run_job, watched
from anyloss_core.paper.kept import KIND, Kept, computed_runs, kept_results
from anyloss_core.paper.names import OFFLINE
from anyloss_core.paper.parts import PARTS, Files, Task, plan
from anyloss_core.paper.reproduction import Reproduction, packed, unpacked
from anyloss_core.store.store import Run, Store, StoreError, Unit


def keep_reproduction(
    store: Store,
    parts: Sequence[str],
    datasets: Sequence[int],
    files: Files | None = None,
    options: Mapping[str, Any] | None = None,
    on_progress: Callable[[Run], None] | None = None,
    again: bool = False,
    on_estimate: Callable[[float], None] | None = None,
) -> tuple[Reproduction, float | None]:
    """Recompute what is missing, all if `again`; with the time (since 1970) if nothing was.

    `on_estimate` gets the expected seconds before anything begins; what it raises ends it.
    """
    files, options = files or {}, dict(options or {})
    tasks = plan(parts, datasets)
    settings = {
        "parts": list(parts),
        "datasets": list(datasets),
        "csv": {str(name): _digest(path) for name, path in files.items()},
        "options": options,
    }
    known = {} if again else known_results(store, tasks, settings)
    missing = [task for task in tasks if task.key not in known]
    if not missing:
        results = {task.key: known[task.key].result for task in tasks}
        seconds = sum(store.run(run_id).seconds for run_id in {k.run_id for k in known.values()})
        return Reproduction(results, seconds), min(item.created for item in known.values())
    _check_files(missing, files)
    if on_estimate is not None:
        on_estimate(sum(task.seconds for task in missing))
    run_id = store.create_run(KIND, settings, _title(missing), queue=False)
    for key, item in known.items():
        store.put_unit(run_id, key, packed(item.result), item.result.seconds)
    with watched(store, run_id, on_progress):
        ended = run_job(store, run_id, more={"files": dict(files)})
    if ended.status != "done":
        raise StoreError(ended.error or f"the reproduction was {ended.status}")
    units = {unit.key: unpacked(unit.payload) for unit in store.units(run_id, "done")}
    return Reproduction({task.key: units[task.key] for task in tasks}, ended.seconds), None


def known_results(
    store: Store, tasks: Sequence[Task], settings: Mapping[str, Any]
) -> dict[str, Kept]:
    """The newest result of each task that the same program made of the same input."""
    queue.mark_lost(store)
    wanted = {task.key: task for task in tasks}

    def fits(run: Run, unit: Unit) -> bool:
        task = wanted.get(unit.key)
        if task is None or unit.payload.get("program") != program():
            return False
        return _input(task, run.settings) == _input(task, settings)

    return kept_results(store, computed_runs(store), fits)


def _input(task: Task, settings: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """What of a run's settings a task depends on: its file and its options."""
    part = PARTS[task.part]
    name = str(task.dataset) if part.per_dataset else part.file
    options = settings.get("options", {})
    chosen = {key: options[key] for key in part.options if key in options}
    return settings.get("csv", {}).get(name), chosen


def _check_files(tasks: Sequence[Task], files: Files) -> None:
    """A data set without its file, or with a wrong one, is refused before a run is made."""
    from anyloss_core.paper.datasets import paper_dataset

    for number in sorted({task.dataset for task in tasks if task.dataset} - set(OFFLINE)):
        paper_dataset(number, files.get(number))


def _title(tasks: Sequence[Task]) -> str:
    titles = dict.fromkeys(PARTS[task.part].title for task in tasks)
    return f"Paper: {', '.join(titles)}"


def _digest(path: Any) -> str:
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:32]
    except OSError as error:
        raise ValueError(f"csv: {str(path)!r} cannot be read ({error.strerror})") from error
