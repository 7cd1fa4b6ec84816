"""Lessons 1 to 5: from accuracy to a trainable metric, each with one thing to move."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anyloss_core import metric_view
from anyloss_core.approximation import approximate
from anyloss_core.confusion import Counts, hard_counts, soft_counts
from anyloss_core.figures import lessons as figures
from anyloss_core.scores import get_score
from anyloss_core.wording import metric_words
from pages.ui import amplifier_panel as panel
from pages.ui.charts import show_figure
from pages.ui.dataset_picker import open_dataset
from pages.ui.metric_maths import in_maths
from pages.ui.settings import Number
from pages.ui.state import Board

ROWS = 1000  # of the imagined clinic
HONEST = (0.7, 0.05)  # TPR and FPR of a classifier that tries
SHOWN_METRICS = ("accuracy", "recall", "f1", "balanced_accuracy", "mcc")

WORTHLESS = Board("lesson1", Number("share", 5, 1, 50))
TO_AMPLIFIER = Board("lesson2", *panel.settings(L=6.0))
TOO_SMALL = Board("lesson3", *panel.settings(L=5.0))
TOO_LARGE = Board("lesson4", *panel.settings(L=100.0, t="0.001"))
SOFT_MATRIX = Board("lesson5", Number("L", 5.0, 1.0, 150.0))


def worthless(board: Board) -> None:
    """Accuracy of a classifier that never says yes."""
    ill = board.slider("share", "Patients who are ill, in per cent", format="%d %%") / 100
    table = _judged(ill)
    lazy = table.set_index("metric")["lazy"]
    show_figure(
        figures.metric_bars(table),
        "lesson1",
        alt=f"With {ill:.0%} ill, the lazy classifier has accuracy {lazy.iloc[0]:.2f} and "
        f"recall {lazy.iloc[1]:.2f}.",
        table=table,
        filename="lazy_classifier",
        formula="The lazy classifier answers 'healthy' for everybody. The honest one finds 70 % "
        f"of the ill and alarms 5 % of the healthy.\n\n{in_maths(SHOWN_METRICS)}",
    )


def to_amplifier(board: Board) -> None:
    """A(p) approaches a step and keeps its slope."""
    _amplifier(board, slope=False)


def too_small(board: Board) -> None:
    """The Amplifier condition."""
    _amplifier(board, slope=None)


def too_large(board: Board) -> None:
    """Saturation, and what the precision has to do with it."""
    board.segments("dtype", "Precision")
    view = panel.view_of(board)
    left, right = st.columns(2, gap="large")
    with left:
        panel.slider(board, view)
        panel.amplifier_chart(board, view)
    with right:
        panel.slope_chart(board, view, logarithmic=True)
        panel.range_chart(board, view)


def soft_matrix(board: Board) -> None:
    """Soft counts, hard counts, and the metric of both."""
    L = board.slider("L", "Amplifier L", step=1.0, format="%g")
    dataset = open_dataset("builtin:random")
    sample = _sample(dataset.fingerprint)
    p, labels = sample.probabilities, sample.labels
    soft, hard = soft_counts(labels, approximate(p, L)), hard_counts(labels, p > 0.5)
    score = get_score("f1")
    ours, true = float(score(soft)), float(score(hard))
    st.markdown(
        f"F1 of the soft matrix: **{ours:.3f}**, of the hard one: **{true:.3f}**, "
        f"gap {abs(ours - true):.3f}. The loss is 1 - {ours:.3f} = {1 - ours:.3f}."
    )
    show_figure(
        figures.soft_and_hard_matrix(soft, hard),
        "lesson5",
        alt=f"Soft and hard confusion matrix at L = {L:g}: F1 {ours:.3f} and {true:.3f}.",
        table=figures.matrix_table(soft, hard),
        filename="soft_and_hard_matrix",
        formula=r"$\text{TP} = \sum_i y_i A(p_i)$, $\text{FP} = \sum_i (1-y_i) A(p_i)$, "
        r"$\text{FN} = \sum_i y_i (1-A(p_i))$, $\text{TN} = \sum_i (1-y_i)(1-A(p_i))$; "
        f"probabilities of a logistic regression on data set 1.\n\n{in_maths(['f1'])}",
    )


def _amplifier(board: Board, slope: bool | None) -> None:
    view = panel.view_of(board)
    left, right = st.columns(2, gap="large")
    with left:
        panel.slider(board, view)
        panel.amplifier_chart(board, view)
    with right:
        if slope is None:
            panel.range_chart(board, view)
        else:
            panel.slope_chart(board, view, logarithmic=slope)


def _judged(ill: float) -> pd.DataFrame:
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
def _sample(fingerprint: str) -> metric_view.Sample:
    return metric_view.reference_sample(open_dataset("builtin:random"))
