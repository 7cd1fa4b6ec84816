"""A sweep of L as a job. Its settings are {"data": a reference, "sweep": SweepSettings as a dict}.

A stopped sweep keeps what is trained so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from anyloss_core.comparison_estimates import check_comparison
from anyloss_core.comparison_job import HEADLINE, tell
from anyloss_core.datasets import Dataset
from anyloss_core.datasets.references import open_reference
from anyloss_core.job_report import Report, Stopped
from anyloss_core.jobs import KINDS
from anyloss_core.store import Store
from anyloss_core.sweep import PUBLISHED, Sweep, Sweeping
from anyloss_core.sweep_words import sweep_headline

RESULT = "sweep"  # key of the tables in the store


@dataclass(frozen=True)
class SweepSettings:
    """Which L for which metrics, on which model, how often and how long; None: the protocol's."""

    metrics: tuple[str, ...] = ("f1",)
    amplifiers: tuple[float | str, ...] = PUBLISHED
    model: str = "slp"
    protocol: str = "fresh"
    folds: int = 5
    seeds: int = 1
    seed: int = 0
    epochs: int | None = None
    lr: float | None = None
    dtype: str | None = None
    form: str = "safe"
    warm_up: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self) | {"metrics": list(self.metrics), "amplifiers": list(self.amplifiers)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> SweepSettings:
        lists = {name: tuple(stored[name]) for name in ("metrics", "amplifiers") if name in stored}
        return cls(**{**stored, **lists})

    def start(self, dataset: Dataset, on_batch: Any = None) -> Sweeping:
        """The sweep, ready to be iterated; wrong or too large settings are refused here."""
        sweeping = Sweeping(dataset, on_batch=on_batch, **self.to_dict())
        check_comparison(dataset, sweeping.settings, KINDS["sweep"].limit_seconds)
        return sweeping


def job_settings(data: str, settings: SweepSettings) -> dict[str, Any]:
    """What a run of kind 'sweep' is started with."""
    return {"data": data, "sweep": settings.to_dict()}


def run(settings: dict, report: Report) -> None:
    """Sweep, tell about it, keep the tables."""
    report.progress(0, 1, "preparing the data")
    dataset = open_reference(settings["data"], uploads=report.store.home / "uploads")
    chosen = SweepSettings.from_dict(settings["sweep"])
    sweeping = chosen.start(dataset, partial(report.checkpoint, step_end=False))
    begun = False
    try:
        for progress in sweeping:
            begun = True
            tell(report, progress, sweeping.settings)
    except Stopped:
        report.progress(0, 0, "stopped")
    if begun:
        found = sweeping.result()
        report.result(RESULT, dict(vars(found)))
        report.result(HEADLINE, sweep_headline(found, dataset.name))


def load_sweep(store: Store, run_id: str) -> Sweep | None:
    """The result of a run, if it has one."""
    stored = store.get_result(run_id, RESULT)
    return None if stored is None else Sweep(**stored)
