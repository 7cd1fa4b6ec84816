"""Any metric: choose one or type a formula, and see it as maths, as a surface and as a gradient."""

import numpy as np
import streamlit as st

from anyloss_core import metric_view
from anyloss_core.datasets import Dataset
from anyloss_core.figures import metric as figures
from anyloss_core.gradients import closed_form_latex
from anyloss_core.scores import METRICS, Score, get_score
from pages.ui import dataset_picker
from pages.ui.charts import show_figure, show_table
from pages.ui.frame import remember_formula
from pages.ui.loss_choice import metric_option
from pages.ui.settings import Choice, Number, Text
from pages.ui.state import Board
from pages.ui.text import share

OWN = "formula"
EXAMPLE = "TP / (TP + FP + FN)"
SWEPT = np.array([*np.linspace(1, 20, 39), *range(21, 151, 3)])
BOARD = Board(
    "metric",
    Choice("metric", "f1", (*METRICS, OWN)),
    Text("typed", EXAMPLE, longest=300),
    Number("L", 73.0, 1.0, 150.0),
)
GRADIENT_FORMULA = r"""$$\frac{\partial\,\text{loss}}{\partial z_i} =
\Big(\frac{\partial\,\text{loss}}{\partial\,\text{TP}} y_i + \dots\Big)\; A'(p_i)\; p_i(1-p_i)$$

Every sample of a class hears the same bracket; how loud depends on its own $p_i$ alone."""

CHECK_FORMULA = r"""**Closed form** of the appendix for a single layer, with $\hat y_i = A(p_i)$ and
$\hat y'_i = L\,\hat y_i(1-\hat y_i)\;p_i(1-p_i)\;x_i$; sums run over the $n$ rows:

$$\frac{{\partial\,\text{{loss}}}}{{\partial w}} = {}$$

**Autograd** is torch's own derivative of the loss. Both at 0.3 times the weights of the logistic
regression, where $p$ is not yet all 0 or 1."""


def main() -> None:
    st.title("Any metric")
    st.markdown(
        "A metric is a formula in the four counts of the confusion matrix. With soft counts it "
        "has a slope everywhere, so it can be trained. Choose one, or write your own."
    )
    BOARD.open()
    score = choose_score()
    if score is None:
        return
    show_maths(score)
    if dataset := dataset_picker.current():
        show_on_data(score, dataset)


def show_on_data(score: Score, dataset: Dataset) -> None:
    """What the metric and its gradient are on the chosen data set."""
    left, right = st.columns(2, gap="large")
    with left:
        show_surface(score, dataset)
    with right:
        show_soft_and_hard(score, dataset)
    BOARD.slider("L", "Amplifier L of the gradients below", step=1.0, format="%g")
    left, right = st.columns(2, gap="large")
    with left:
        show_gradients(score, dataset)
    with right:
        show_check(score, dataset)


def choose_score() -> Score | None:
    """The metric of the page; a formula that is refused is explained."""
    first, second = st.columns([1, 2])
    with first:
        chosen = BOARD.select("metric", "Metric", format_func=option_name)
    if chosen != OWN:
        return get_score(chosen)
    with second:
        text = BOARD.text(
            "typed",
            "Formula",
            max_chars=300,
            help="TP, TN, FP, FN, N (all rows), P, NEG (rows of each class), numbers, + - * / ** "
            "( ), sqrt, min, max, abs, log, exp.",
        )
    try:
        score = get_score(text)
    except ValueError as refusal:
        st.error("This is not a formula that can be used:", icon=":material/error:")
        pointing = "\n" in str(refusal)  # its caret needs the line in one piece
        st.code(str(refusal), language=None, wrap_lines=not pointing)
        return None
    if score.name not in METRICS:
        remember_formula(score.text)
    return score


def option_name(name: str) -> str:
    """A metric in the list."""
    return "My own formula" if name == OWN else metric_option(name)


def show_maths(score: Score) -> None:
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


def show_surface(score: Score, dataset: Dataset) -> None:
    """The loss over (TPR, FPR)."""
    st.subheader("Its loss over TPR and FPR")
    rates, loss = metric_view.loss_surface(score, dataset.rows, dataset.positives)
    balance = share(dataset.positives / dataset.rows)
    show_figure(
        figures.surface_figure(rates, loss, score.name),
        "surface",
        alt=f"Loss over false and true positive rate at {balance} positives: {loss[-1, 0]:.3f} "
        f"at the best corner, {loss[0, -1]:.3f} at the worst, {loss[0, 0]:.3f} when nothing is "
        "predicted positive.",
        table=lambda: figures.surface_table(rates, loss),
        filename="loss_surface",
        formula=r"$\text{TP} = P\cdot\text{TPR}$, $\text{FP} = N_-\cdot\text{FPR}$, with the "
        f"{dataset.positives:,} positive and {dataset.rows - dataset.positives:,} negative rows "
        "of the data set.",
    )


def show_soft_and_hard(score: Score, dataset: Dataset) -> None:
    """Soft against hard value as L grows."""
    st.subheader("Soft and hard value")
    table = soft_table(dataset, dataset.fingerprint, score.text)
    last = table.iloc[-1]
    show_figure(
        figures.soft_hard_figure(table, score.name),
        "soft_hard",
        alt=f"Soft score over L from {table['soft'].iloc[0]:.3f} at L = 1 to {last['soft']:.3f} "
        f"at L = 150; the hard score is {last['hard']:.3f}.",
        table=table,
        filename="soft_and_hard",
        formula="The same formula on soft counts (sums of $A(p)$) and on hard ones ($p > 0.5$). "
        "The probabilities are those of a logistic regression on this data set.",
    )


def show_gradients(score: Score, dataset: Dataset) -> None:
    """What the loss tells every sample."""
    st.subheader("Gradient per sample")
    sample = sample_of(dataset, dataset.fingerprint)
    table = metric_view.sample_gradients(score, sample, BOARD["L"])
    silent = (table["gradient"] == 0).mean()
    show_figure(
        figures.gradient_figure(table),
        "gradient",
        alt=f"Gradient of the loss by sample at L = {BOARD['L']:g}: largest "
        f"{table['gradient'].abs().max():.2e}; {share(silent)} of the samples get none.",
        table=table,
        filename="gradient_per_sample",
        formula=GRADIENT_FORMULA,
    )


def show_check(score: Score, dataset: Dataset) -> None:
    """Autograd against the paper's appendix."""
    st.subheader("Autograd and closed form")
    if not metric_view.has_closed_form(score):
        st.caption(
            "The paper derives the gradient by hand for accuracy, F-beta, G-mean and balanced "
            "accuracy. Every other metric uses autograd and the slopes of its own formula."
        )
        return
    sample = sample_of(dataset, dataset.fingerprint)
    names = [f"feature {place + 1}" for place in range(sample.features.shape[1] - 1)]
    table = metric_view.gradient_check(score, sample, BOARD["L"], names)
    worst = table["difference"].abs().max()
    st.caption(f"d loss / d weight, by both ways. Largest difference: {worst:.1e}.")
    numbers = {
        name: st.column_config.NumberColumn(format="%.3e")
        for name in table.columns
        if name != "weight"
    }
    maths = CHECK_FORMULA.format(closed_form_latex(score.name))
    show_table(table, "check", "gradient_check", formula=maths, column_config=numbers)
    if score.name == "gmean":
        st.caption(
            "The appendix prints the factor -2 where the derivative of 1 - √u has -1/2: four "
            "times as long, the same direction."
        )


@st.cache_resource(show_spinner=False, max_entries=16)
def sample_of(_dataset: Dataset, fingerprint: str) -> metric_view.Sample:
    """Rows and probabilities of a data set."""
    return metric_view.reference_sample(_dataset)


@st.cache_data(show_spinner=False, max_entries=64)
def soft_table(_dataset: Dataset, fingerprint: str, metric: str):
    """Soft and hard score over L."""
    sample = sample_of(_dataset, fingerprint)
    return metric_view.soft_against_hard(get_score(metric), sample, SWEPT)


main()
