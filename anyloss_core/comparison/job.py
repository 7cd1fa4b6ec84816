"""A comparison as a job: settings in, progress by fold and epoch, tables kept at the end.

The settings of such a run are {"data": a reference, "comparison": ComparisonSettings as a dict}.
A stopped comparison keeps what is trained so far.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from anyloss_core.comparison.answer import answer
from anyloss_core.comparison.comparison import Comparing, Comparison, ComparisonSettings
from anyloss_core.comparison.estimates import check_comparison
from anyloss_core.comparison.outcomes import RECIPES, Record, shown_models
from anyloss_core.comparison.thresholds import CUTS
from anyloss_core.data.suites.references import open_reference
from anyloss_core.jobs.report import Report, Stopped
from anyloss_core.losses.confusion import Counts
from anyloss_core.store.store import Store

RESULT = "comparison"  # key of the tables in the store
TUNED = "bce+threshold"
HEADLINE = "headline"  # key of the sentence, shown in lists of runs


def job_settings(data: str, settings: ComparisonSettings) -> dict[str, Any]:
    """What a run of kind 'compare' is started with."""
    return {"data": data, "comparison": settings.to_dict()}


def run(settings: dict, report: Report) -> None:
    """Compare, tell about it, keep the tables."""
    chosen = ComparisonSettings.from_dict(settings["comparison"])

    def on_step(record: Record, epochs: int) -> None:
        report.event(pooled_counts(record, chosen), epoch=epochs)

    comparing = carry_out(settings["data"], chosen, report, on_step)
    if comparing.begun:
        found = comparing.result()
        report.result(RESULT, to_record(found))
        report.result(HEADLINE, answer(found).headline)


def carry_out(
    data: str,
    settings: ComparisonSettings,
    report: Report,
    on_step: Callable[[Record, int], None] | None = None,
) -> Comparing:
    """Compare until the end or until the user stops it, and tell how far it is."""
    report.progress(0, settings.plan.epochs, "preparing the data")
    dataset = open_reference(data, uploads=report.store.home / "uploads")
    check_comparison(dataset, settings, report.limit_seconds)
    comparing = Comparing(dataset, settings, partial(report.checkpoint, step_end=False))
    try:
        for progress in comparing:
            report.progress(progress.done, progress.total, progress.what, progress.seconds_left)
            if on_step is not None and not comparing.references.results:
                on_step(comparing.records[-1], progress.done)
    except Stopped:
        report.progress(0, 0, "stopped")
    return comparing


def pooled_counts(record: Record, settings: ComparisonSettings) -> dict[str, Any]:
    """Held-out (tn, fn, fp, tp) of each loss, added over the folds in training.

    Where the recipe of a loss is not chosen yet, they are those of its default.
    """
    counts = record.points[-1].counts
    sums = {settings.names[number]: np.zeros(len(Counts._fields)) for number in settings.trained}
    for number in shown_models(record):
        name = settings.names[record.members[number].loss]
        sums[name] += [float(entry[number]) for entry in counts]
    return {"epoch": record.points[-1].epoch, "counts": sums}


def to_record(comparison: Comparison) -> dict[str, Any]:
    """A comparison as the store keeps it."""
    return dict(vars(comparison)) | {"notes": list(comparison.notes)}


def from_record(stored: dict[str, Any]) -> Comparison:
    """Inverse of `to_record`."""
    stored = as_read(stored)
    return Comparison(**stored | {"notes": tuple(stored["notes"])})


def as_read(stored: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a comparison, in today's words.

    Earlier versions kept no cuts: they tuned the threshold of 'bce+threshold' for F1 whatever was
    judged, which today is spelled 'bce+threshold@metric=f1'.
    """
    stored = {"recipes": pd.DataFrame(columns=RECIPES)} | stored  # were fixed before
    if "cuts" in stored:
        return stored
    return _tuned_for_f1(stored) | {"cuts": pd.DataFrame(columns=CUTS)}


def _tuned_for_f1(value: Any) -> Any:
    """The same with losses called by what they are, in texts, keys, columns and cells."""
    match value:
        case str() if value.startswith(TUNED) and "metric=" not in value:
            return f"{value}{',' if '@' in value else '@'}metric=f1"
        case dict():
            return {_tuned_for_f1(key): _tuned_for_f1(entry) for key, entry in value.items()}
        case list():
            return [_tuned_for_f1(entry) for entry in value]
        case pd.DataFrame():
            named = {"loss": value["loss"].map(_tuned_for_f1)} if "loss" in value else {}
            return value.assign(**named).rename(columns=_tuned_for_f1)
    return value


def load_comparison(store: Store, run_id: str) -> Comparison | None:
    """The result of a run, if it has one."""
    stored = store.get_result(run_id, RESULT)
    return None if stored is None else from_record(stored)
