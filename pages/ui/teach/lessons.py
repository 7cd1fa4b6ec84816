"""The lessons, from accuracy to a trainable metric, each with one thing to move.

Lessons 6 and 7 train: what they need is imported when they are reached (`lessons_training`).
"""

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from anyloss_core.common.wording import metric_words
from anyloss_core.figures import lessons as figures
from anyloss_core.losses.approximation import approximate
from anyloss_core.losses.confusion import Counts, hard_counts, soft_counts
from anyloss_core.losses.scores import get_score
from anyloss_core.teaching import metric
from anyloss_core.teaching.amplifier import AmplifierView
from pages.ui.base.settings import Choice, Number
from pages.ui.base.state import Board
from pages.ui.charts.charts import show_figure
from pages.ui.choice.formulas import in_maths
from pages.ui.data.chosen import open_dataset
from pages.ui.runs.runs import RUN
from pages.ui.teach import amplifier_panel as panel
from pages.ui.teach import matrix

ROWS = 1000  # of the imagined clinic
HONEST = (0.7, 0.05)  # TPR and FPR of a classifier that tries
METRICS = ("f1", "accuracy", "recall", "balanced_accuracy")  # of lesson 6
SHOWN_METRICS = ("accuracy", "recall", "f1", "balanced_accuracy", "mcc")

WORTHLESS = Board("lesson1", Number("share", 5, 1, 50), *matrix.settings())
TO_AMPLIFIER = Board("lesson2", *panel.settings(L=6.0))
TOO_SMALL = Board("lesson3", *panel.settings(L=5.0))
TOO_LARGE = Board("lesson4", *panel.settings(L=100.0, t="0.001"))
SOFT_MATRIX = Board("lesson5", Number("L", 5.0, 1.0, 150.0))
SIDE_BY_SIDE = Board(
    "lesson6", Number("imbalance", 19, 1, 49), Choice("metric", "f1", METRICS), RUN
)
REAL_DIFFERENCE = Board("lesson7", Number("rope", 0.01, 0.0, 0.1), RUN)


def worthless(board: Board) -> None:
    """Accuracy of a classifier that never says yes."""
    ill = board.slider("share", "Patients who are ill, in per cent", format="%d %%") / 100
    table = judged(ill)
    lazy = table.set_index("metric")["lazy"]
    show_figure(
        figures.metric_bars(table),
        "lazy_classifier",
        alt=f"With {ill:.0%} ill, the lazy classifier has accuracy {lazy.iloc[0]:.2f} and "
        f"recall {lazy.iloc[1]:.2f}.",
        table=table,
        formula="The lazy classifier answers 'healthy' for everybody. The honest one finds 70 % "
        f"of the ill and alarms 5 % of the healthy.\n\n{in_maths(SHOWN_METRICS)}",
    )
    linked = any(name in st.query_params for name in matrix.CELLS)
    label, icon = "Set the four counts yourself", ":material/drag_pan:"
    part = st.expander(label, linked, icon=icon, key="lesson1.matrix", on_change="rerun")
    if part.open:
        with part:
            matrix.show(get_score("f1"), board)


def amplifier(board: Board, *beside: Callable[[Board, AmplifierView], None]) -> None:
    """A(p) with its slider at the left, other charts of it at the right."""
    panel.take_click(board)
    view = panel.view_of(board)
    left, right = st.columns(2, gap="large")
    with left:
        panel.slider(board, view)
        panel.amplifier_chart(board, view)
    with right:
        for chart in beside:
            chart(board, view)


def too_large(board: Board) -> None:
    """Saturation, and what the precision has to do with it."""
    board.segments("dtype", "Precision")
    amplifier(board, partial(panel.slope_chart, logarithmic=True), panel.range_chart)


def soft_matrix(board: Board) -> None:
    """Soft counts, hard counts, and the metric of both."""
    L = board.slider("L", "Amplifier L", step=1.0, format="%g")
    soft, hard = counts_at(L)
    st.markdown(soft_words(soft, hard))
    show_figure(
        figures.soft_and_hard_matrix(soft, hard),
        "soft_and_hard_matrix",
        alt=f"Soft and hard confusion matrix at L = {L:g}. {soft_words(soft, hard)}",
        table=figures.matrix_table(soft, hard),
        formula=r"$\text{TP} = \sum_i y_i A(p_i)$, $\text{FP} = \sum_i (1-y_i) A(p_i)$, "
        r"$\text{FN} = \sum_i y_i (1-A(p_i))$, $\text{TN} = \sum_i (1-y_i)(1-A(p_i))$; "
        f"probabilities of a logistic regression on data set 1.\n\n{in_maths(['f1'])}",
    )


def counts_at(L: float) -> tuple[Counts, Counts]:
    """Soft and hard counts of data set 1."""
    sample = _sample(open_dataset("builtin:random").fingerprint)
    p, labels = sample.probabilities, sample.labels
    return soft_counts(labels, approximate(p, L)), hard_counts(labels, p > 0.5)


def soft_words(soft: Counts, hard: Counts) -> str:
    """F1 of both, their gap, and the loss."""
    ours, true = (float(get_score("f1")(counts)) for counts in (soft, hard))
    return (
        f"F1 of the soft matrix: {ours:.3f}, of the hard one: {true:.3f}, "
        f"gap {abs(ours - true):.3f}. The loss is 1 - {ours:.3f} = {1 - ours:.3f}."
    )


def side_by_side(board: Board) -> None:
    """Four losses learn the same generated data."""
    from pages.ui.teach import lessons_training

    lessons_training.side_by_side(board)


def is_it_real(board: Board) -> None:
    """The posterior of a difference, and the rope."""
    from pages.ui.teach import lessons_training

    lessons_training.is_it_real(board)


def judged(ill: float) -> pd.DataFrame:
    """Metrics of the lazy and the honest classifier."""
    positives, negatives = ROWS * ill, ROWS * (1 - ill)
    tpr, fpr = HONEST
    lazy = Counts(tn=negatives, fn=positives, fp=0.0, tp=0.0)
    honest = Counts(
        tn=negatives * (1 - fpr),
        fn=positives * (1 - tpr),
        fp=negatives * fpr,
        tp=positives * tpr,
    )
    return pd.DataFrame(
        {
            "metric": [metric_words(name) for name in SHOWN_METRICS],
            "lazy": [float(get_score(name)(lazy)) for name in SHOWN_METRICS],
            "honest": [float(get_score(name)(honest)) for name in SHOWN_METRICS],
        }
    )


@st.cache_resource(show_spinner=False)
def _sample(fingerprint: str) -> metric.Sample:
    return metric.reference_sample(open_dataset("builtin:random"))
