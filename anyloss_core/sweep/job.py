"""A sweep of L as a job. Its settings are {"data": a reference, "sweep": SweepSettings as a dict}.

A stopped sweep keeps what is trained so far.
"""

from dataclasses import dataclass
from typing import Any

from anyloss_core.common.settings import Settings
from anyloss_core.comparison.job import HEADLINE, carry_out
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.jobs.report import Report
from anyloss_core.store.store import Store
from anyloss_core.sweep.sweep import PUBLISHED, Sweep, sweep_losses, to_sweep
from anyloss_core.sweep.words import sweep_headline

RESULT = "sweep"  # key of the tables in the store


@dataclass(frozen=True)
class SweepSettings(Settings):
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
    schedule: str | None = None  # of the learning rate
    dtype: str | None = None
    form: str = "safe"
    warm_up: float | None = None

    @property
    def comparison(self) -> ComparisonSettings:
        """The comparison that is a sweep; wrong settings are refused here."""
        values = self.to_dict()
        own = {name: values.pop(name) for name in ("metrics", "amplifiers", "form", "warm_up")}
        return ComparisonSettings(losses=sweep_losses(**own), repeats=1, **values)


def job_settings(data: str, settings: SweepSettings) -> dict[str, Any]:
    """What a run of kind 'sweep' is started with."""
    return {"data": data, "sweep": settings.to_dict()}


def run(settings: dict, report: Report) -> None:
    """Sweep, tell about it, keep the tables."""
    chosen = SweepSettings.from_dict(settings["sweep"])
    comparing = carry_out(settings["data"], chosen.comparison, report)
    if comparing.begun:
        found = to_sweep(comparing.result())
        report.result(RESULT, dict(vars(found)))
        report.result(HEADLINE, sweep_headline(found, comparing.dataset.name))


def load_sweep(store: Store, run_id: str) -> Sweep | None:
    """The result of a run, if it has one."""
    stored = store.get_result(run_id, RESULT)
    return None if stored is None else Sweep(**stored)
