"""Four or more L trained live on data set 1, until some of their samples die."""

from functools import partial

import streamlit as st

from anyloss_core.common.wording import metric_words
from anyloss_core.figures import amplifier_training as figures
from anyloss_core.live.history import History
from anyloss_core.live.samples import on_curve
from anyloss_core.live.settings import MOST_LOSSES, LiveSettings
from anyloss_core.store.store import Run
from pages.ui.base.buttons import start_button
from pages.ui.base.settings import Numbers
from pages.ui.base.state import Board
from pages.ui.base.text import share
from pages.ui.charts.charts import show_figure
from pages.ui.choice import run_link
from pages.ui.runs import runs
from pages.ui.runs.live_history import history_of

DATA = "builtin:random"
# Long steps of plain gradient descent, as in the paper's curves: at L = 100 the first ones throw
# a quarter of the rows to where A(p) is exactly 1.
LEARNING_RATE = 10.0
EPOCHS = 300
PACE = 60.0  # epochs per second: slow enough to watch
VALUES = Numbers("values", (1.0, 5.0, 10.0, 100.0), 1.0, 150.0, at_most=MOST_LOSSES)
OFFERED = (1.0, 3.0, 5.0, 10.0, 30.0, 50.0, 73.0, 90.0, 100.0, 110.0, 150.0)
DEAD_FORMULA = r"""A sample is dead when $A(p)$ is exactly 0 or 1: its part of the gradient,
$L\,A(1-A)\cdot p(1-p)$, is exactly 0. Share of the training rows, after each epoch, in float64
and in the paper's form of $A$."""
HELD_OUT = "F1 of the hard predictions on held-out rows over the epochs"
SOFT = "Soft loss over the epochs"
DEAD = "Share of dead samples over the epochs"
COMPARED = (
    "Compare the L by the hard score, left: the soft losses of different L are different measures. "
    "Dots: filled positive, open negative, grey crosses learn no more."
)
SCORE_FORMULA = r"""$F_1$ of the predictions $p > 0.5$ on the 30 % of the rows that no
training sees: the same measure for every $L$."""
SAMPLES_FORMULA = r"""The same six rows of each class in every epoch, at $(p_i, A(p_i))$. A row is
grey when its slope $A'(p_i)\, p_i(1-p_i)$ is exactly 0."""
LOSS_FORMULA = r"""$1 - F_1$ of the soft confusion matrix of the training rows. A one-layer
network from zero weights, plain gradient descent, learning rate 10, all rows in one batch."""


def show(board: Board) -> None:
    """Choose L, start, watch."""
    st.markdown(
        "A one-layer network learns data set 1 with AnyLoss-F1, once for each L. A cross marks "
        "the epoch in which the first sample stops learning."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = board.multiselect(
            "values",
            "Values of L",
            options=sorted({*OFFERED, *board["values"]}),
            format_func=lambda value: f"{value:g}",
            accept_new_options=True,
        )
        start_button("Train", "curves.start", _start, board, chosen, disabled=not chosen)
    if board["run"]:
        runs.follow(board["run"], _curves, "curves", buttons=("pause", "stop"))


def settings(values: tuple[float, ...]) -> LiveSettings:
    """One loss for each L, in the paper's form."""
    return LiveSettings(
        data=DATA,
        losses=tuple(f"anyloss:f1@L={L:g},form=naive" for L in values),
        optimiser="gd",
        lr=LEARNING_RATE,
        epochs=EPOCHS,
        pace=PACE,
    )


def _start(board: Board, values: tuple[float, ...]) -> None:
    title = "Learning curves for L = " + ", ".join(f"{L:g}" for L in values)
    run_link.start(board, "train", settings(values).to_dict(), title)


def _curves(run: Run) -> None:
    history = history_of(run)
    if history is None or not all(isinstance(spec.L, float) for spec in history.settings.specs):
        return  # a link may name a training of another page
    metric = history.settings.metric
    words, table = _words(history), partial(figures.learning_table, history, metric)
    samples = on_curve(history.snapshot())
    shown = [  # figure, key, what it is, formula, table
        (figures.held_out_figure(history, metric), "held_out_L", HELD_OUT, SCORE_FORMULA, table),
        (figures.learning_figure(history), "learning_curves_L", SOFT, LOSS_FORMULA, table),
        (
            figures.samples_figure(history, samples),
            "samples_on_curve",
            f"{samples.labels.size} training rows on the A(p) of each L",
            SAMPLES_FORMULA,
            partial(figures.samples_table, history, samples),
        ),
        (figures.dead_figure(history), "dead_samples_L", DEAD, DEAD_FORMULA, table),
    ]
    columns = st.columns(2, gap="large")
    for place, (figure, key, what, formula, behind) in enumerate(shown):
        with columns[place % 2]:
            alt = f"{what}. {' '.join(words)}"
            show_figure(figure, key, alt=alt, table=behind, formula=formula)
    st.caption(COMPARED)
    st.markdown("  \n".join(words))


def _words(history: History) -> list[str]:
    """One sentence for each L."""
    found = figures.onset(history)
    metric = metric_words(history.settings.metric)
    scores = history.scores(history.settings.metric, "valid")[-1]
    losses, dead = history.column("losses")[-1], history.column("dead")
    sentences = []
    for model, L in enumerate(figures.amplifiers(history)):
        end = f"L = {L:g}: {metric} on held-out rows {scores[model]:.3f}, "
        end += f"soft loss {losses[model]:.3f}"
        if L in found:
            end += f"; no more update from epoch {found[L]} on, for at most "
            end += f"{share(dead[:, model].max())} of the rows, {share(dead[-1, model])} at the end"
        sentences.append(end + ".")
    return sentences
