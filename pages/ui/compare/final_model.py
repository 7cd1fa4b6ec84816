"""A model to keep: trained on all rows in the background, saved as a file, used on new rows."""

from importlib.util import find_spec
from typing import Any

import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.export.model_job import model_file
from anyloss_core.store.store import Run
from pages.ui.base.buttons import download, on_demand
from pages.ui.base.errors import show_mistake
from pages.ui.base.state import Board
from pages.ui.base.text import literal
from pages.ui.charts.charts import readable
from pages.ui.choice import losses as loss_choice
from pages.ui.choice import run_link
from pages.ui.compare import threshold
from pages.ui.compare.panels import ComparisonView
from pages.ui.data import reading
from pages.ui.data.reading import FILE_TYPES
from pages.ui.runs import runs

CALIBRATE = (
    "Calibrates the model: five inner folds show how often rows with a score are really positive "
    "(isotonic regression from 1,000 rows on, Platt's sigmoid below). The predicted classes stay."
)
KEPT = "Chosen in Predictions. Switched off, the model decides at the threshold of its loss."
MEANING = {
    False: "The model gives a score in [0, 1], which is cut to predict a class: no probability.",
    True: "Calibrated: beside the score, which decides, stands the probability of the class.",
}


def panel(run: Run, view: ComparisonView, board: Board) -> None:
    """Train one of the losses on all rows, then save it or predict with it."""
    if "predictions" in run.settings:  # made elsewhere
        return
    with st.expander(
        "Model file and predictions",
        icon=":material/model_training:",
        expanded=bool(board["fitted"]),
    ):
        st.markdown(
            "The comparison trained a model per fold, only to judge. Here one model is trained on "
            "all rows, with the same settings."
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            losses = loss_choice.trained_by_us(dict.fromkeys((view.candidate, *view.losses)))
            loss = st.selectbox(
                "Loss", losses, format_func=loss_choice.loss_option, key="model.loss", width=320
            )
            calibrate = st.toggle("Probabilities", key="model.calibrate", help=CALIBRATE)
            cut = _kept_threshold(loss)
            pressed = st.button(
                "Train on all rows", key="model.start", icon=":material/play_arrow:"
            )
        if pressed:
            made_with = {name: run.settings[name] for name in ("data", "comparison")}
            title = f"{run.title.partition(':')[0]}: model, {loss_words(loss, view.metric)}"
            job = made_with | {"loss": loss, "of": run.id, "metric": view.metric}
            job |= {"calibrate": calibrate, "threshold": cut}
            if run_link.start(board, "model", job, title, name="fitted"):
                st.rerun()
        if board["fitted"]:
            runs.follow(board["fitted"], _ready, "model")


def _kept_threshold(loss: str) -> float | None:
    """The threshold that was chosen for this loss, unless it is not to be kept."""
    cut = threshold.chosen(loss)
    if cut is None:
        return None
    label = f"Threshold {cut:.4g}"
    return cut if st.toggle(label, True, key="model.threshold", help=KEPT) else None


def _ready(run: Run) -> None:
    if run.status != "done" or run.kind != "model":
        return
    if model_file(runs.store(), run.id) is None:
        return
    with st.container(horizontal=True):
        download(
            "Model file",
            lambda: model_file(runs.store(), run.id),
            "model.zip",
            "model.file",
            help="Weights as safetensors, the preparation as JSON, and a README.",
        )
        _onnx(run)
        on_demand("Leave without us", "logout", "model.leave", lambda: _without_us(run))
    st.caption(MEANING[bool(run.settings.get("calibrate"))])
    _predict(run)


def _onnx(run: Run) -> None:
    from anyloss_core.export.onnx import NEEDED

    if all(find_spec(name) for name in NEEDED):
        download("ONNX", lambda: _apart("onnx", run), "model.onnx", "model.onnx")


def _without_us(run: Run) -> None:
    st.markdown(
        "Network, preparation and threshold, with nothing of ours: for a server, a spreadsheet "
        "or a database that will never know of the Lab."
    )
    _shown("python", run, "predict.py")
    _shown("sql", run, "predict.sql")


def _shown(language: str, run: Run, filename: str) -> None:
    """The model in another language; one that it cannot be said in is named."""
    try:
        text = _apart(language, run)
    except ValueError as refusal:
        st.caption(literal(refusal, 200))
        return
    st.code(text, language=language, height=240)
    download(filename, text, filename, f"model.{language}")


def _apart(function: str, run: Run, **files: bytes) -> Any:
    """A model may have been imported, and rows come from anywhere: both are read elsewhere."""
    home = str(runs.store().home)
    target = f"anyloss_core.export.model_job:{function}"
    return reading.read(target, files, what="model or table", home=home, run_id=run.id)


def _predict(run: Run) -> None:
    file = reading.uploader("New rows to predict (the same columns)", FILE_TYPES, key="model.rows")
    if file is None:
        return
    try:
        with st.spinner("Predicting"):
            head = _apart("predict_head", run, path=file.getvalue())
    except ValueError as refusal:
        show_mistake(refusal)
        return
    st.dataframe(readable(head), hide_index=True, key="model.predicted")

    def content() -> bytes:
        return _apart("predict_csv", run, path=file.getvalue())

    download("Predictions (CSV)", content, "predictions.csv", "model.csv", "table")
