"""Predictions made with any other tool, judged like our own: a CSV with the label and scores."""

from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from anyloss_core.comparison.brought import MOST_SCORES
from anyloss_core.data.target import minority
from pages.ui.base.state import Board
from pages.ui.base.text import literal, option
from pages.ui.choice import run_link
from pages.ui.data import reading
from pages.ui.data.reading import FILE_TYPES
from pages.ui.runs import runs

CORE = "anyloss_core.comparison.brought"
WHAT = (
    "A table from any tool: the true label of every row, and one or more columns of scores; a "
    "higher score means positive. They get thresholds for your goal, a verdict, matrices and a "
    "report, as losses trained here do. Bring rows that no model was trained on. Nothing is "
    "trained; the rows are cut into ten blocks, each judged at the threshold that is best on the "
    "other nine."
)


def panel(board: Board) -> None:
    """The way in, closed until somebody wants it."""
    with st.expander("Bring your own predictions", icon=":material/upload_file:"):
        st.caption(WHAT)
        file = reading.uploader("Labels and scores", FILE_TYPES, key="brought.file")
        if file is not None:
            _form(file, board)


def _form(file: UploadedFile, board: Board) -> None:
    try:
        seen = _seen(file)
    except ValueError as refusal:
        st.error(literal(refusal, 400), icon=":material/error:")
        return
    label, positive, scores = _columns(seen)
    st.caption(f"{literal(file.name)}: {seen['rows']:,} rows")
    if st.button("Judge them", type="primary", key="brought.start", disabled=not scores):
        try:
            run_id = _judged(file, seen["name"], label, positive, scores)
        except ValueError as refusal:
            st.error(literal(refusal, 400), icon=":material/error:")
            return
        for name in ("candidate", "baseline", "cut", "threshold", "share"):
            board.set(name, board.settings[name].default)
        run_link.show_run(board, run_id)
        st.rerun()


def _seen(file: UploadedFile) -> dict[str, Any]:
    """What the form shows of the file, read once for all reruns."""
    kept = st.session_state.get("brought.seen")
    if kept is None or kept[0] != file.file_id:
        seen = reading.read(f"{CORE}:look", {"path": file.getvalue()}, name=file.name)
        kept = st.session_state["brought.seen"] = (file.file_id, seen)
    return kept[1]


def _columns(seen: dict[str, Any]) -> tuple[str, str, list[str]]:
    """Label, positive class and scores."""
    left, middle, right = st.columns([1, 1, 2])
    labels = list(seen["classes"])
    label = left.selectbox("True label", labels, format_func=option, key="brought.label")
    classes = seen["classes"][label]
    positive = middle.selectbox(
        "Positive class",
        list(classes),
        index=list(classes).index(minority(classes)),
        format_func=option,
        key=f"brought.positive.{label}",
    )
    offered = [name for name in seen["scores"] if name != label]
    scores = right.multiselect(
        "Scores",
        offered,
        default=offered[:2],
        format_func=option,
        max_selections=MOST_SCORES,
        key=f"brought.scores.{label}",
    )
    return label, positive, scores


def _judged(file: UploadedFile, name: str, label: str, positive: str, scores: list[str]) -> str:
    """The id of a finished run with the comparison of the scores."""
    with st.spinner("Judging"):
        return reading.read(
            f"{CORE}:judge",
            {"path": file.getvalue()},
            label=label,
            positive=positive,
            scores=scores,
            name=name,
            home=str(runs.store().home),
            owner=runs.owner(),
        )
