"""A model to keep: trained on all rows in the background, saved as a file, used on new rows."""

from __future__ import annotations

import streamlit as st

from anyloss_core.datasets import DataError
from anyloss_core.export import TrainedModel
from anyloss_core.model_job import model_file, stored_model
from anyloss_core.store import Run
from anyloss_core.wording import loss_words
from pages.ui import loss_choice, runs
from pages.ui.charts import harmless_csv, readable
from pages.ui.comparison_panels import View
from pages.ui.dataset_sources import FILE_TYPES
from pages.ui.errors import show_mistake
from pages.ui.state import Board

MOST_SHOWN = 200  # predicted rows on the page; the file has them all


def panel(run: Run, view: View, board: Board) -> None:
    """Train one of the losses on all rows, then save it or predict with it."""
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
            losses = [view.candidate, *(loss for loss in view.losses if loss != view.candidate)]
            loss = st.selectbox(
                "Loss", losses, format_func=loss_choice.loss_option, key="model.loss", width=320
            )
            pressed = st.button(
                "Train on all rows", key="model.start", icon=":material/play_arrow:"
            )
        if pressed and (made := _start(run, loss)):
            board.set("fitted", made)
            st.rerun()
        if board["fitted"]:
            runs.follow(board["fitted"], _ready, "model")


def _start(run: Run, loss: str) -> str | None:
    settings = {
        "data": run.settings["data"],
        "comparison": run.settings["comparison"],
        "loss": loss,
        "of": run.id,
    }
    name = run.title.partition(":")[0]
    return runs.start("model", settings, f"{name}: model, {loss_words(loss)}")


def _ready(run: Run) -> None:
    if run.status != "done" or run.kind != "model":
        return
    model = _load(run.id)
    if model is None:
        return
    with st.container(horizontal=True):
        st.download_button(
            "Model file",
            lambda: model_file(runs.store(), run.id),
            "model.zip",
            "application/zip",
            key="model.file",
            on_click="ignore",
            icon=":material/download:",
            help="Weights as safetensors and the preparation as JSON: al.load_model('model.zip').",
        )
        _onnx(model)
    _predict(model)


@st.cache_resource(show_spinner=False, max_entries=8)
def _load(run_id: str) -> TrainedModel | None:
    return stored_model(runs.store(), run_id)


def _onnx(model: TrainedModel) -> None:
    from importlib.util import find_spec

    from anyloss_core.onnx_export import NEEDED, to_onnx

    if all(find_spec(name) for name in NEEDED):
        st.download_button(
            "ONNX",
            lambda: to_onnx(model),
            "model.onnx",
            "application/octet-stream",
            key="model.onnx",
            on_click="ignore",
            icon=":material/download:",
        )


def _predict(model: TrainedModel) -> None:
    file = st.file_uploader("New rows to predict (the same columns)", FILE_TYPES, key="model.rows")
    if file is None:
        return
    try:
        with st.spinner("Predicting"):
            table = model.predict_table(file)
    except (DataError, ValueError) as refusal:
        show_mistake(refusal)
        return
    shown = readable(table.iloc[:MOST_SHOWN, ::-1])
    st.dataframe(shown, hide_index=True, key="model.predicted")
    st.download_button(
        "Predictions (CSV)",
        lambda: harmless_csv(table),
        "predictions.csv",
        "text/csv",
        key="model.csv",
        on_click="ignore",
        icon=":material/table:",
    )
