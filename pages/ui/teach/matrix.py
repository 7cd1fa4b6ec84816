"""The matrix in reverse: choose the four counts, see every metric and lines of the chosen one."""

import streamlit as st

from anyloss_core.common.wording import metric_words
from anyloss_core.figures.matrix import iso_figure, iso_table
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import Score
from anyloss_core.teaching import matrix
from pages.ui.base.settings import Number, Setting
from pages.ui.base.state import Board
from pages.ui.base.text import in_markdown
from pages.ui.charts.charts import show_figure, show_table
from pages.ui.charts.matrix_drag import CELLS, MOST, matrix_drag

START = (900, 50, 20, 30)  # in the order of CELLS: 50 of 1,000 ill, 30 found, 50 alarmed in vain
ROC, PR = ("false positive rate", "true positive rate"), ("recall", "precision")
ISO_FORMULA = """Every point of the picture is a confusion matrix with as many rows of each class
as this one; on a line the metric is the same for all of them. {place}"""
PLACES = {
    "roc": r"$\text{FPR} = \text{FP} / (\text{FP} + \text{TN})$, "
    r"$\text{TPR} = \text{TP} / (\text{TP} + \text{FN})$.",
    "pr": r"$\text{FP} = \text{TP}\,(1 - \text{precision}) / \text{precision}$; the empty part "
    "would need more false alarms than there are negatives.",
}


def settings() -> list[Setting]:
    """The counts, for the board of a page."""
    return [Number(name, count, 0, MOST) for name, count in zip(CELLS, START, strict=True)]


@st.fragment
def show(score: Score, board: Board) -> None:
    """The matrix, all metrics beside it, the point in ROC and PR space below."""
    st.header("The matrix in reverse")
    st.markdown("Drag a count, step it with the arrow keys, or type it: all metrics follow.")
    left, right = st.columns([4, 3], gap="large")
    with left:
        matrix_drag(board)
    counts = Counts(**{name: float(board[name]) for name in CELLS})
    with left:
        st.markdown(f"**{in_markdown(metric_words(score.name))} = {float(score(counts)):.3f}**")
    with right:
        table = matrix.all_metrics(counts)
        table["metric"] = table["metric"].map(metric_words)
        show_table(table, "matrix.metrics", formats={"score": "%.3f"}, height=300)
    left, right = st.columns(2, gap="large")
    with left:
        _space(score, "roc", ROC, matrix.roc_surface(score, counts), matrix.roc_point(counts))
    with right:
        _space(score, "pr", PR, matrix.pr_surface(score, counts), matrix.pr_point(counts))


def _space(score: Score, key: str, axes: tuple, surface: tuple, point: tuple) -> None:
    name = metric_words(score.name)
    show_figure(
        iso_figure(axes, surface, point, score.range, f"Lines of equal {name}"),
        f"matrix.{key}",
        alt=f"Lines of equal {name} over {axes[0]} and {axes[1]}; this matrix lies at "
        f"{point[0]:.3f} and {point[1]:.3f}.",
        table=lambda: iso_table(axes, surface),
        formula=ISO_FORMULA.format(place=PLACES[key]),
    )
