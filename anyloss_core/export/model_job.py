"""Training the final model as a job: one loss on all rows, kept as a model file.

The settings are {"data": a reference, "loss": a spelling, "comparison": settings as a dict, "of":
the run of the comparison behind it, "metric": what a free threshold is tuned for, "calibrate":
whether scores become probabilities, "threshold": one to be kept instead, or None}.
"""

from functools import partial

import pandas as pd

from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.data.suites.references import open_reference
from anyloss_core.export.model_file import TrainedModel, load_model, save_model, train_final
from anyloss_core.export.standalone_python import python_function
from anyloss_core.export.standalone_sql import sql_class, sql_score
from anyloss_core.jobs.report import Report
from anyloss_core.store.store import Store, StoreError

RESULT = "model"  # key of the file in the store
MOST_SHOWN = 200  # predicted rows on the page; the file has them all


def run(settings: dict, report: Report) -> None:
    """Train on all rows and keep the file."""
    report.progress(0, 1, "training on all rows")
    dataset = open_reference(settings["data"], uploads=report.store.home / "uploads")
    on_batch = partial(report.checkpoint, step_end=False)
    model = train_final(
        dataset,
        settings["loss"],
        settings["comparison"],
        on_batch,
        metric=settings.get("metric"),
        calibrate=bool(settings.get("calibrate", False)),
        threshold=settings.get("threshold"),
    )
    report.result(RESULT, save_model(model))
    report.progress(1, 1, "done")


def model_file(store: Store, run_id: str) -> bytes | None:
    """The model file of a run, if it got that far."""
    return store.get_result(run_id, RESULT)


def stored_model(store: Store, run_id: str) -> TrainedModel | None:
    """The model of a run, ready to predict."""
    content = model_file(store, run_id)
    return None if content is None else load_model(content)


# What a page has done by another process (`jobs.isolated`): model and rows may come from anywhere.


def predict_head(home: str, run_id: str, path: str) -> pd.DataFrame:
    """What the model of a run says to the first rows of a file, then these rows as they are."""
    model = _kept_model(home, run_id)
    table = model.predict_table(path).head(MOST_SHOWN)
    said = [name for name in table if name in model.predictions(table)]
    return table[said + [name for name in table if name not in said]]


def predict_csv(home: str, run_id: str, path: str) -> bytes:
    """All rows of a file with what the model of a run says to them, as CSV."""
    return harmless_csv(_kept_model(home, run_id).predict_table(path))


def onnx(home: str, run_id: str) -> bytes:
    """The model of a run as ONNX."""
    from anyloss_core.export.onnx import to_onnx

    return to_onnx(_kept_model(home, run_id))


def python(home: str, run_id: str) -> str:
    """The model of a run as one Python function."""
    return python_function(_kept_model(home, run_id))


def sql(home: str, run_id: str) -> str:
    """The class that the model of a run predicts, as an SQL expression, and its score."""
    model = _kept_model(home, run_id)
    return f"{sql_class(model)}\n-- The score, cut at {model.threshold!r}:\n{sql_score(model)}"


def _kept_model(home: str, run_id: str) -> TrainedModel:
    store = Store(home)
    try:
        model = stored_model(store, run_id)
    finally:
        store.close()
    if model is None:
        raise StoreError("the model is gone; train it again")
    return model
