"""Many data sets: which loss wins, on a whole suite, resumable and in parallel.

    run_benchmark("real", losses=["bce", "anyloss:f1"], workers=2, out="scores.csv").scores

One data set is one unit, written to the store when it is done. A killed benchmark loses at most
the units under way; the same call goes on with the rest, and ends with the same numbers. `run` is
the same thing as a job, for the pages.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from anyloss_core.benchmark.executors import (
    Cluster,
    Pool,
    Processes,
    check_cluster,
    resolve,
    scatter,
)
from anyloss_core.benchmark.results import Benchmark, load_benchmark, write_scores
from anyloss_core.benchmark.settings import (
    BenchmarkSettings,
    Item,
    comparison_settings,
    suite_items,
)
from anyloss_core.benchmark.units import UnitOutcome, UnitTask, attempt, one_thread
from anyloss_core.comparison.comparison import Progress
from anyloss_core.comparison.cost_model import Clock
from anyloss_core.comparison.estimates import unit_seconds
from anyloss_core.comparison.job import HEADLINE
from anyloss_core.comparison.settings import SettingsError
from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import run_job, watched
from anyloss_core.jobs.report import Report
from anyloss_core.statistics.suite_sentence import suite_headline
from anyloss_core.store import payload
from anyloss_core.store.store import Run, Store, StoreError

__all__ = ["Benchmark", "load_benchmark", "run", "run_benchmark", "start_settings", "take_up"]

KIND = "benchmark"
HOW = ("workers", "dask")  # settings of a run that decide where it is computed, not what


def run_benchmark(
    suite: str | Path = "real",
    losses: Sequence[str] = ("bce", "anyloss:f1"),
    model: str = "slp",
    protocol: str = "fresh",
    folds: int = 10,
    seeds: int = 1,
    *,
    workers: int = 1,
    dask: str | None = None,
    out: str | Path | None = None,
    on_estimate: Callable[[float], None] | None = None,
    on_progress: Callable[[Run], None] | None = None,
    store: Store | None = None,
    **more: Any,
) -> Benchmark:
    """Compare the losses on every data set of a suite, in this process and those it starts.

    The suite is 'real', 'large', 'synthetic', 'openml:31,1464', a folder or a zip; `more` are
    settings of the comparison. `out` gets the tidy scores; `on_progress` the run, twice a second;
    `on_estimate` the expected seconds before anything is trained: what it raises ends it.
    """
    settings = BenchmarkSettings(
        str(suite),
        suite_items(suite),
        comparison_settings(
            losses=losses, model=model, protocol=protocol, folds=folds, seeds=seeds, **more
        ),
        files=True,
    )
    how = check_how(workers, dask)
    store = store or Store()
    if dask:
        check_cluster(dask)
    elif on_estimate is not None:
        on_estimate(estimate_left(store, settings, workers))
    run_id = take_up(store, settings)
    if store.run(run_id).status != "done":
        with watched(store, run_id, on_progress):
            ended = run_job(store, run_id, more=how)
        if ended.status == "failed":
            raise StoreError(ended.error)
    benchmark = load_benchmark(store, run_id)
    if out is not None:
        write_scores(benchmark.scores, out)
    return benchmark


def run(settings: dict, report: Report) -> None:
    """The job: every data set that is not finished yet."""
    chosen = BenchmarkSettings.from_dict(settings)
    if settings["plan"] != chosen.plan:
        raise SettingsError(
            "this benchmark was begun with the defaults of another version, and its data sets "
            "would no longer be comparable; start a new one"
        )
    finished = report.finished_units()
    uploads, comparison = report.store.home / "uploads", chosen.comparison.to_dict()
    files = chosen.files and report.files  # settings alone open nothing: anybody can write them
    tasks = [
        UnitTask(item, comparison, uploads, files)
        for item in chosen.items
        if item.name not in finished
    ]
    log = UnitLog(report, chosen, tasks)
    how = check_how(settings.get("workers", 1), resolve(settings.get("dask")))
    if how["dask"] or how["workers"] > 1:
        _in_parallel(log, tasks, how)
    else:
        _one_after_the_other(log, tasks)
    benchmark = load_benchmark(report.store, report.run_id)
    if len(benchmark.scores):
        words = suite_headline(benchmark.scores, choosing=benchmark.choosing)
        report.result(HEADLINE, words)


def start_settings(
    settings: BenchmarkSettings, workers: int = 1, dask: str | None = None
) -> dict[str, Any]:
    """What a run of kind 'benchmark' is started with."""
    return settings.to_dict() | check_how(workers, dask)


def estimate_left(store: Store, settings: BenchmarkSettings, workers: int = 1) -> float:
    """Expected seconds of what a run with these settings has still to do."""
    known = find_run(store, settings)
    done = {unit.key for unit in store.units(known.id, "done")} if known else set()
    left = [item for item in settings.items if item.name not in done]
    return estimate_items(settings, left, workers)


def estimate_items(settings: BenchmarkSettings, items: Sequence[Item], workers: int) -> float:
    """Expected seconds of these data sets, by the measured cost model."""
    return Clock().left([unit_seconds(settings.comparison, item.rows) for item in items], workers)


def take_up(store: Store, settings: BenchmarkSettings, owner: str = "") -> str:
    """The id of the owner's run with these settings: one to go on with, a finished or a new one.

    A finished one with failed data sets is replaced by a new one that still has them to do.
    """
    queue.mark_lost(store)
    known = find_run(store, settings, owner)
    if known is None:
        return _create(store, settings, settings.to_dict(), owner)
    if known.active:
        raise StoreError(f"this benchmark is {known.status} in another process, as run {known.id}")
    if known.resumable:
        store.requeue(known.id, queue=False)
        return known.id
    if not store.units(known.id, "failed"):
        return known.id
    new = _create(store, settings, known.settings, owner)
    for unit in store.units(known.id, "done"):
        store.put_unit(new, unit.key, unit.payload, unit.seconds)
    store.delete_run(known.id)
    return new


def find_run(store: Store, settings: BenchmarkSettings, owner: str = "") -> Run | None:
    """The owner's newest run with the same settings, computed here and not imported."""
    wanted = payload.to_text(settings.to_dict())
    for known in store.runs(KIND, limit=500, owner=owner, imported=False):
        plain = {name: value for name, value in known.settings.items() if name not in HOW}
        if payload.to_text(plain) == wanted:
            return known
    return None


def title_of(settings: BenchmarkSettings) -> str:
    """How the run is called in lists."""
    losses = len(settings.comparison.losses)
    return f"{len(settings.items)} data sets ({settings.suite}), {losses} losses"


def check_how(workers: int = 1, dask: str | None = None) -> dict[str, Any]:
    """Where the work is done: this process, several, or a cluster."""
    if not isinstance(workers, int) or workers < 1:
        raise SettingsError(f"workers must be a whole number from 1, got {workers!r}")
    if dask and workers > 1:
        raise SettingsError("workers and dask exclude each other: the cluster has its own workers")
    return {"workers": workers, "dask": dask or None}


class UnitLog:
    """Keeps outcomes, and tells how far the benchmark is and how long it will take."""

    def __init__(
        self, report: Report, settings: BenchmarkSettings, tasks: Sequence[UnitTask]
    ) -> None:
        self.report, self.total = report, len(settings.items)
        self.failed = 0
        self._clock = Clock()
        self._left = {
            task.item.name: unit_seconds(settings.comparison, task.item.rows) for task in tasks
        }
        self._settings = settings.comparison

    def keep(self, task: UnitTask, outcome: UnitOutcome) -> None:
        """Write one unit, done or failed."""
        name, value = task.item.name, outcome.value
        expected = self._left.pop(name)
        if value is None:
            self.failed += 1
            self.report.unit(name, None, outcome.seconds, "failed", outcome.reason)
            return
        expected = unit_seconds(self._settings, value["rows"], value["features"])
        self._clock.learn(expected, outcome.seconds)
        self.report.unit(name, value, outcome.seconds)

    def progress(self, names: Sequence[str], workers: int = 1, within: float = 0.0) -> None:
        """Data sets done, the current ones, time left; `within` is the share of a lone one."""
        done = self.total - len(self._left)
        parts = [f"{done} of {self.total} data sets done"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        if names:
            others = f" and {len(names) - 2} more" if len(names) > 2 else ""
            parts.append(f"now {', '.join(names[:2])}{others}")
        left = [
            seconds * (1 - within if name in names else 1) for name, seconds in self._left.items()
        ]
        eta = self._clock.left(left, workers)
        self.report.progress(done + within, self.total, ", ".join(parts), eta)
        self.report.checkpoint()


def _one_after_the_other(log: UnitLog, tasks: Sequence[UnitTask]) -> None:
    with one_thread():
        for task in tasks:
            name = task.item.name
            log.progress([name])

            def on_progress(progress: Progress, name: str = name) -> None:
                log.progress([name], within=progress.fraction)

            outcome = attempt(task, lambda: log.report.checkpoint(step_end=False), on_progress)
            log.keep(task, outcome)
    log.progress([])


def _in_parallel(log: UnitLog, tasks: Sequence[UnitTask], how: dict[str, Any]) -> None:
    log.progress([])
    # The largest first: a large one at the end would leave all other workers idle.
    ordered = sorted(tasks, key=lambda task: -(task.item.rows or 0))
    pool: Pool = Cluster(how["dask"]) if how["dask"] else Processes(how["workers"])
    try:
        for task, outcome in scatter(
            ordered, pool, lambda names: log.progress(names, pool.workers)
        ):
            log.keep(task, outcome)
    finally:
        pool.close()
    log.progress([])


def _create(store: Store, settings: BenchmarkSettings, stored: dict, owner: str) -> str:
    return store.create_run(KIND, stored, title_of(settings), owner, queue=False)
