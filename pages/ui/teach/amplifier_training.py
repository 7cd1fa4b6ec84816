"""Four or more L trained live on data set 1, until some of their samples die."""

from functools import partial

import streamlit as st

from anyloss_core.figures import amplifier_training as figures
from anyloss_core.live.history import History
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
    words = _words(history)
    table = partial(figures.learning_table, history)
    left, right = st.columns(2, gap="large")
    with left:
        alt = "Loss over the epochs. " + " ".join(words)
        figure = figures.learning_figure(history)
        show_figure(figure, "learning_curves_L", alt=alt, table=table, formula=LOSS_FORMULA)
    with right:
        alt = "Share of dead samples over the epochs. " + " ".join(words)
        figure = figures.dead_figure(history)
        show_figure(figure, "dead_samples_L", alt=alt, table=table, formula=DEAD_FORMULA)
    st.markdown("  \n".join(words))


def _words(history: History) -> list[str]:
    """One sentence for each L."""
    found = figures.onset(history)
    losses, dead = history.column("losses")[-1], history.column("dead")
    sentences = []
    for model, L in enumerate(figures.amplifiers(history)):
        end = f"L = {L:g}: loss {losses[model]:.3f}"
        if L in found:
            end += f"; no more update from epoch {found[L]} on, for at most "
            end += f"{share(dead[:, model].max())} of the rows, {share(dead[-1, model])} at the end"
        sentences.append(end + ".")
    return sentences
