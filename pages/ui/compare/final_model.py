"""A model to keep: trained on all rows in the background, saved as a file, used on new rows."""

from functools import partial
from importlib.util import find_spec

import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.data.errors import DataError
from anyloss_core.export.model_file import TrainedModel
from anyloss_core.export.model_job import model_file, stored_model
from anyloss_core.store.store import Run
from pages.ui.base.buttons import download
from pages.ui.base.errors import show_mistake
from pages.ui.base.state import Board
from pages.ui.charts.charts import readable
from pages.ui.choice import losses as loss_choice
from pages.ui.choice import run_link
from pages.ui.compare.panels import ComparisonView
from pages.ui.data.sources import FILE_TYPES
from pages.ui.runs import runs

MOST_SHOWN = 200  # predicted rows on the page; the file has them all


def panel(run: Run, view: ComparisonView, board: Board) -> None:
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
        if pressed:
            made_with = {name: run.settings[name] for name in ("data", "comparison")}
            title = f"{run.title.partition(':')[0]}: model, {loss_words(loss)}"
            job = made_with | {"loss": loss, "of": run.id}
            if run_link.start(board, "model", job, title, name="fitted"):
                st.rerun()
        if board["fitted"]:
            runs.follow(board["fitted"], _ready, "model")


def _ready(run: Run) -> None:
    if run.status != "done" or run.kind != "model":
        return
    model = _load(run.id)
    if model is None:
        return
    with st.container(horizontal=True):
        download(
            "Model file",
            lambda: model_file(runs.store(), run.id),
            "model.zip",
            "model.file",
            help="Weights as safetensors and the preparation as JSON: al.load_model('model.zip').",
        )
        _onnx(model)
    _predict(model)


@st.cache_resource(show_spinner=False, max_entries=8)
def _load(run_id: str) -> TrainedModel | None:
    return stored_model(runs.store(), run_id)


def _onnx(model: TrainedModel) -> None:
    from anyloss_core.export.onnx import NEEDED, to_onnx

    if all(find_spec(name) for name in NEEDED):
        download("ONNX", lambda: to_onnx(model), "model.onnx", "model.onnx")


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
    content = partial(harmless_csv, table)
    download("Predictions (CSV)", content, "predictions.csv", "model.csv", "table")
