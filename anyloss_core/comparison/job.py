"""A comparison as a job: settings in, progress by fold and epoch, tables kept at the end.

The settings of such a run are {"data": a reference, "comparison": ComparisonSettings as a dict}.
A stopped comparison keeps what is trained so far.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from anyloss_core.comparison import Comparing, Comparison, ComparisonSettings, Progress
from anyloss_core.comparison_estimates import check_comparison
from anyloss_core.confusion import Counts
from anyloss_core.datasets.references import open_reference
from anyloss_core.job_report import Report, Stopped
from anyloss_core.jobs import KINDS
from anyloss_core.results import Record
from anyloss_core.store import Store
from anyloss_core.verdict_sentence import headline

RESULT = "comparison"  # key of the tables in the store
HEADLINE = "headline"  # key of the sentence, shown in lists of runs


def job_settings(data: str, settings: ComparisonSettings) -> dict[str, Any]:
    """What a run of kind 'compare' is started with."""
    return {"data": data, "comparison": settings.to_dict()}


def run(settings: dict, report: Report) -> None:
    """Compare, tell about it, keep the tables."""
    chosen = ComparisonSettings.from_dict(settings["comparison"])
    report.progress(0, chosen.plan.epochs, "preparing the data")
    dataset = open_reference(settings["data"], uploads=report.store.home / "uploads")
    check_comparison(dataset, chosen, KINDS["compare"].limit_seconds)
    comparing = Comparing(dataset, chosen, partial(report.checkpoint, step_end=False))
    try:
        for progress in comparing:
            tell(report, progress, chosen)
            report.event(pooled_counts(comparing.records[-1], chosen), epoch=progress.done)
    except Stopped:
        report.progress(0, 0, "stopped")
    if any(record.points for record in comparing.records):
        found = comparing.result()
        report.result(RESULT, to_record(found))
        report.result(HEADLINE, headline(found.scores, dataset.name, found.settings))


def tell(report: Report, progress: Progress, settings: ComparisonSettings) -> None:
    """Progress in words: all folds train at once, or in several parts when memory asks for it."""
    epochs = settings.plan.epochs
    parts = progress.total // epochs
    part, epoch = divmod(progress.done - 1, epochs)
    folds = settings.folds * settings.repeats * settings.seeds
    where = f"all {folds} folds at once" if parts == 1 else f"folds, part {part + 1} of {parts}"
    message = f"{where}, epoch {epoch + 1} of {epochs}"
    report.progress(progress.done, progress.total, message, eta=progress.seconds_left)


def pooled_counts(record: Record, settings: ComparisonSettings) -> dict[str, Any]:
    """Held-out (tn, fn, fp, tp) of each loss, added over the folds in training."""
    counts = record.points[-1].counts
    sums = {name: np.zeros(len(Counts._fields)) for name in settings.names}
    for place, member in enumerate(record.members):
        if not member.inner:
            sums[settings.names[member.loss]] += [float(entry[place]) for entry in counts]
    return {"epoch": record.points[-1].epoch, "counts": sums}


def to_record(comparison: Comparison) -> dict[str, Any]:
    """A comparison as the store keeps it."""
    return dict(vars(comparison)) | {"notes": list(comparison.notes)}


def from_record(stored: dict[str, Any]) -> Comparison:
    """Inverse of `to_record`."""
    return Comparison(**stored | {"notes": tuple(stored["notes"])})


def load_comparison(store: Store, run_id: str) -> Comparison | None:
    """The result of a run, if it has one."""
    stored = store.get_result(run_id, RESULT)
    return None if stored is None else from_record(stored)
