"""Lesson 8: draw points, watch BCE and AnyLoss-F1 learn them, and see where it makes a difference.

The plane trains what is drawn; the chart below shows the study that the lesson's sentences rest on.
"""

import streamlit as st

from anyloss_core.figures.boundaries import packed_lines, result_table
from anyloss_core.figures.helps import helps_figure
from anyloss_core.teaching import when_it_helps as study
from anyloss_core.teaching.boundaries import Frame, learn
from anyloss_core.teaching.drawing import KINDS, Drawing, example, read_drawing, write_drawing
from pages.ui.base.settings import Choice, Text
from pages.ui.base.state import Board, hidden
from pages.ui.charts.charts import show_figure, show_table
from pages.ui.charts.draw_points import draw_points
from pages.ui.choice.formulas import in_maths
from pages.ui.teach.guess import HIDE_ANSWER

PRESETS = {"far": "A quarter of the positives far off", "beside": "Two round clouds"}
BOARD = Board(
    "lesson8", Choice("kind", "far", tuple(KINDS)), Text("points", "", 2_000, read_drawing)
)
LEARNT = r"""A **single layer** calls a point positive where $w_1 x + w_2 y + b$ is above a cut: its
line. 600 epochs of Adam on all points at once, the Lab's default plan; AnyLoss begins with BCE for
the first 80 % of them, so both lines go together until it turns. That is its usual recipe, here and
in the study below; Compare and Train may choose another on inner folds. The tuned threshold is the
cut with the best F1 on these points: it moves the line of BCE, its direction stays."""
JUDGED = r"""Each point is the mean of {draws} draws of 400 points, 40 of them positive; the bar is
one standard deviation over the draws. F1 is counted on 20,000 fresh points of the same kind.
Thresholds are tuned for F1 on the training points; *the best there is* is chosen on the fresh
points themselves, as nobody can. MLP: four hidden units."""


def show(board: Board) -> None:
    """The plane with its presets, and the study."""
    _playground(board)
    if HIDE_ANSWER not in hidden():
        st.header("The same many times, judged on fresh points")
        _study()


@st.fragment
def _playground(board: Board) -> None:
    """What is drawn is learnt at once; only this part of the page runs again."""
    drawing = drawn(board)
    frames = _learn(write_drawing(drawing)) if drawing.trainable else []
    left, right = st.columns(2, gap="large")
    with left:
        draw_points(board, "points", write_drawing(drawing), packed_lines(frames))
    with right:
        with st.container(horizontal=True, key="lesson8.presets"):
            for kind, words in PRESETS.items():
                st.button(words, key=f"preset:{kind}", on_click=_choose, args=(board, kind))
        if frames:
            _result(frames)
        else:
            st.info("Draw points of both classes: they are learnt as soon as you let go.")


def drawn(board: Board) -> Drawing:
    """The points of the link, or those of the preset."""
    return read_drawing(board["points"]) if board["points"] else example(board["kind"])


def _choose(board: Board, kind: str) -> None:
    board.set("kind", kind)
    board.set("points", "")


def _result(frames: list[Frame]) -> None:
    """What each method makes of the points in the end."""
    table = result_table(frames[-1])
    st.markdown("**After the last epoch**, on the points that are drawn:")
    show_table(table, "lesson8.result", f"{LEARNT}\n\n{in_maths(['f1'])}", {"F1": "%.3f"})
    st.caption(
        "These are the points that were learnt; what holds on fresh ones is told below. The mark "
        "on a line points to the side that is called positive."
    )


def _study() -> None:
    scores = study.kept()
    table = study.summary(scores)
    show_figure(
        helps_figure(table),
        "lesson8.study",
        alt="F1 on fresh points, by method. " + " ".join(study.findings(table)),
        table=table,
        formula=JUDGED.format(draws=scores["draw"].nunique()) + f"\n\n{in_maths(['f1'])}",
    )
    for sentence in study.findings(table):
        st.markdown(f"- {sentence}")


@st.cache_data(show_spinner=False, max_entries=64)
def _learn(text: str) -> list[Frame]:
    """The training of a drawing; a class that opens the same link trains once."""
    return learn(read_drawing(text))
