"""What the page Any metric shows of a metric: its maths, and what it is on a data set."""

import numpy as np
import pandas as pd
import streamlit as st

from anyloss_core.data.dataset import Dataset
from anyloss_core.figures import metric as figures
from anyloss_core.losses.gradients import closed_form_latex
from anyloss_core.losses.scores import METRICS, Score, get_score
from anyloss_core.teaching import metric as metric_view
from pages.ui.base.state import Board
from pages.ui.base.text import share
from pages.ui.charts.charts import show_figure, show_table
from pages.ui.data import reading

SWEPT = np.array([*np.linspace(1, 20, 39), *range(21, 151, 3)])
GRADIENT_FORMULA = r"""
$$
\frac{\partial\,\text{loss}}{\partial z_i} =
\Big(\frac{\partial\,\text{loss}}{\partial\,\text{TP}} y_i + \dots\Big)\; A'(p_i)\; p_i(1-p_i)
$$

Every sample of a class hears the same bracket; how loud depends on its own $p_i$ alone."""

CHECK_FORMULA = r"""**Closed form** of the appendix for a single layer, with $\hat y_i = A(p_i)$ and
$\hat y'_i = L\,\hat y_i(1-\hat y_i)\;p_i(1-p_i)\;x_i$; sums run over the $n$ rows:

$$\frac{{\partial\,\text{{loss}}}}{{\partial w}} = {}$$

**Autograd** is torch's own derivative of the loss. Both at 0.3 times the weights of the logistic
regression, where $p$ is not yet all 0 or 1."""


def maths(score: Score) -> None:
    """The formula, its range, and what is odd about it."""
    st.latex(get_score(score.text).latex)  # as written, without the factor 1 of an F score
    report = score.report
    low, high = score.range
    as_loss = "1 - score" if (low, high) == (0, 1) else f"({high:g} - score) / {high - low:g}"
    st.caption(
        f"Seen from {report.low:.4g} to {report.high:.4g} over random and extreme confusion "
        f"matrices. As a loss: {as_loss}."
        + ("" if score.name in METRICS else " You find it as a metric on every page.")
    )
    for warning in report.warnings:
        st.info(f"{warning[0].upper()}{warning[1:]}.", icon=":material/info:")


def on_data(score: Score, dataset: Dataset, board: Board) -> None:
    """What the metric and its gradient are on the chosen data set."""
    left, right = st.columns(2, gap="large")
    with left:
        _surface(score, dataset)
    with right:
        _soft_and_hard(score, dataset)
    L = board.slider("L", "Amplifier L of the gradients below", step=1.0, format="%g")
    left, right = st.columns(2, gap="large")
    with left:
        _gradients(score, dataset, L)
    with right:
        _check(score, dataset, L)


def _surface(score: Score, dataset: Dataset) -> None:
    """The loss over (TPR, FPR)."""
    st.header("Its loss over TPR and FPR")
    rates, loss = metric_view.loss_surface(score, dataset.rows, dataset.positives)
    balance = share(dataset.positives / dataset.rows)
    show_figure(
        figures.surface_figure(rates, loss, score.name),
        "loss_surface",
        alt=f"Loss over false and true positive rate at {balance} positives: {loss[-1, 0]:.3f} "
        f"at the best corner, {loss[0, -1]:.3f} at the worst, {loss[0, 0]:.3f} when nothing is "
        "predicted positive.",
        table=lambda: figures.surface_table(rates, loss),
        formula=r"$\text{TP} = P\cdot\text{TPR}$, $\text{FP} = N_-\cdot\text{FPR}$, with the "
        f"{dataset.positives:,} positive and {dataset.rows - dataset.positives:,} negative rows "
        "of the data set.",
    )


def _soft_and_hard(score: Score, dataset: Dataset) -> None:
    """Soft against hard value as L grows."""
    st.header("Soft and hard value")
    table = _soft_table(dataset, dataset.fingerprint, score.text)
    last = table.iloc[-1]
    show_figure(
        figures.soft_hard_figure(table, score.name),
        "soft_and_hard",
        alt=f"Soft score over L from {table['soft'].iloc[0]:.3f} at L = 1 to {last['soft']:.3f} "
        f"at L = 150; the hard score is {last['hard']:.3f}.",
        table=table,
        formula="The same formula on soft counts (sums of $A(p)$) and on hard ones ($p > 0.5$). "
        "The probabilities are those of a logistic regression on this data set.",
    )


def _gradients(score: Score, dataset: Dataset, L: float) -> None:
    """What the loss tells every sample."""
    st.header("Gradient per sample")
    sample = _sample_of(dataset)
    table = metric_view.sample_gradients(score, sample, L)
    silent = (table["gradient"] == 0).mean()
    show_figure(
        figures.gradient_figure(table),
        "gradient_per_sample",
        alt=f"Gradient of the loss by sample at L = {L:g}: largest "
        f"{table['gradient'].abs().max():.2e}; {share(silent)} of the samples get none.",
        table=table,
        formula=GRADIENT_FORMULA,
    )


def _check(score: Score, dataset: Dataset, L: float) -> None:
    """Autograd against the paper's appendix."""
    st.header("Autograd and closed form")
    if not metric_view.has_closed_form(score):
        st.caption(
            "The paper derives the gradient by hand for accuracy, F-beta, G-mean and balanced "
            "accuracy. Every other metric uses autograd and the slopes of its own formula."
        )
        return
    sample = _sample_of(dataset)
    names = [f"feature {number}" for number in range(1, sample.features.shape[1])]
    table = metric_view.gradient_check(score, sample, L, names)
    worst = table["difference"].abs().max()
    st.caption(f"d loss / d weight, by both ways. Largest difference: {worst:.1e}.")
    maths = CHECK_FORMULA.format(closed_form_latex(score.name))
    formats = dict.fromkeys(table.columns.drop("weight"), "%.3e")
    show_table(table, "gradient_check", maths, formats)
    if score.name == "gmean":
        st.caption(
            "The appendix prints the factor -2 where the derivative of 1 - √u has -1/2: four "
            "times as long, the same direction."
        )


def _sample_of(dataset: Dataset) -> metric_view.Sample:
    """Rows and probabilities of a data set."""
    key = ("sample", dataset.fingerprint)
    return reading.kept(key, lambda: metric_view.reference_sample(dataset))


@st.cache_data(show_spinner=False, max_entries=64)
def _soft_table(_dataset: Dataset, fingerprint: str, metric: str) -> pd.DataFrame:
    """Soft and hard score over L."""
    sample = _sample_of(_dataset)
    return metric_view.soft_against_hard(get_score(metric), sample, SWEPT)
