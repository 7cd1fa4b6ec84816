"""Training the final model as a job: one loss on all rows, kept as a model file.

The settings are {"data": a reference, "loss": a spelling, "comparison": settings as a dict, "of":
the run of the comparison behind it}.
"""

from functools import partial

from anyloss_core.data.suites.references import open_reference
from anyloss_core.export.model_file import TrainedModel, load_model, save_model, train_final
from anyloss_core.jobs.report import Report
from anyloss_core.store.store import Store

RESULT = "model"  # key of the file in the store


def run(settings: dict, report: Report) -> None:
    """Train on all rows and keep the file."""
    report.progress(0, 1, "training on all rows")
    dataset = open_reference(settings["data"], uploads=report.store.home / "uploads")
    on_batch = partial(report.checkpoint, step_end=False)
    model = train_final(dataset, settings["loss"], settings["comparison"], on_batch)
    report.result(RESULT, save_model(model))
    report.progress(1, 1, "done")


def model_file(store: Store, run_id: str) -> bytes | None:
    """The model file of a run, if it got that far."""
    return store.get_result(run_id, RESULT)


def stored_model(store: Store, run_id: str) -> TrainedModel | None:
    """The model of a run, ready to predict."""
    content = model_file(store, run_id)
    return None if content is None else load_model(content)
