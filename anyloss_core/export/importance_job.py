"""Permutation importance as a job, as long as it takes, with progress and an end at any time.

The settings are {"data": a reference, "loss": a spelling, "comparison": settings as a dict, "of":
the run of the comparison behind it, "metric": what is maximised, "threshold": one or None}.
"""

import pandas as pd

from anyloss_core.data.suites.references import open_reference
from anyloss_core.export.importance import importance
from anyloss_core.jobs.report import Report
from anyloss_core.store.store import Store

RESULT = "importance"


def run(settings: dict, report: Report) -> None:
    """Train on a few folds, shuffle every column, keep the table."""
    report.progress(0, 1, "preparing the data")
    dataset = open_reference(settings["data"], uploads=report.store.home / "uploads")

    def on_step(share: float) -> None:
        report.checkpoint(step_end=False)
        report.progress(share, 1, "training and shuffling columns")

    found = importance(
        dataset,
        settings["loss"],
        settings["comparison"],
        settings["metric"],
        settings.get("threshold"),
        on_step,
    )
    report.result(RESULT, found)
    report.progress(1, 1, "done")


def kept_importance(store: Store, run_id: str) -> pd.DataFrame | None:
    """The table of a run, if it got that far."""
    return store.get_result(run_id, RESULT)
