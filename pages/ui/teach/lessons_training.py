"""Lessons 6 and 7: four losses on imbalanced data, and whether a difference is real."""

from __future__ import annotations

import streamlit as st

from anyloss_core.comparison import Comparison
from anyloss_core.comparison_job import load_comparison
from anyloss_core.datasets.synthetic import Recipe
from anyloss_core.figures.training import curve_table, metric_figure
from anyloss_core.figures.verdicts import fold_posterior
from anyloss_core.live_settings import LiveSettings
from anyloss_core.store import Run
from anyloss_core.verdict_sentence import fold_verdict
from anyloss_core.wording import loss_words, metric_words
from pages.ui import runs
from pages.ui.charts import show_figure
from pages.ui.metric_maths import in_maths
from pages.ui.runs import RUN
from pages.ui.settings import Choice, Number
from pages.ui.state import Board
from pages.ui.text import in_markdown
from pages.ui.training_controls import history_of

FOUR = ("bce", "mse", "sol:f1", "anyloss:f1")
METRICS = ("f1", "accuracy", "recall", "balanced_accuracy")
ROWS = 4_000
COMPARISON = {
    "data": "builtin:random",
    "comparison": {"losses": ["bce", "anyloss:f1", "bce+threshold"], "folds": 10},
}
SIDE_BY_SIDE = Board(
    "lesson6", Number("imbalance", 19, 1, 49), Choice("metric", "f1", METRICS), RUN
)
REAL = Board("lesson7", Number("rope", 0.01, 0.0, 0.1), RUN)
ROPE_FORMULA = r"""The ten folds give ten differences; as they share training rows, the posterior of
the true difference is a Student distribution with a wider scale (correlated t-test). The shaded
**rope** holds the differences too small to matter: $P(\text{draw})$ is the area inside it."""


def side_by_side(board: Board) -> None:
    """Four losses learn the same generated data."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        imbalance = board.slider("imbalance", "Negatives for each positive", format="%d : 1")
        st.button(
            "Train",
            type="primary",
            icon=":material/play_arrow:",
            key="lesson6.train",
            on_click=_train,
            args=(board, imbalance),
        )
    if board["run"]:
        board.segments("metric", "Metric", format_func=metric_words)
        runs.follow(board["run"], lambda run: _curves(run, board["metric"]), "lesson6")


def is_it_real(board: Board) -> None:
    """The posterior of a difference, and the rope."""
    st.button(
        "Compare on ten folds",
        type="primary",
        icon=":material/play_arrow:",
        key="lesson7.compare",
        on_click=_compare,
        args=(board,),
    )
    if board["run"]:
        runs.follow(board["run"], lambda run: None, "lesson7")
        run = runs.find(board["run"])
        comparison = run and load_comparison(runs.store(), run.id)
        if comparison:
            _posteriors(comparison, board)


def _train(board: Board, imbalance: int) -> None:
    data = Recipe(ROWS, 5, float(imbalance), 1.0, 0.02).reference
    settings = LiveSettings(data=data, losses=FOUR, epochs=200, pace=60.0)
    if run_id := runs.start("train", settings.to_dict(), f"Lesson 6: four losses, {imbalance}:1"):
        board.set("run", run_id)


def _compare(board: Board) -> None:
    if run_id := runs.start("compare", COMPARISON, "Lesson 7: is the difference real?"):
        board.set("run", run_id)


def _curves(run: Run, metric: str) -> None:
    history = history_of(run) if run.kind == "train" else None
    if history is None:
        return
    last = history.scores(metric, "valid")[-1]
    now = ", ".join(
        f"{in_markdown(loss_words(loss))} {value:.3f}"
        for loss, value in zip(history.losses, last, strict=True)
    )
    show_figure(
        metric_figure(history, metric, live=True),
        "lesson6",
        alt=f"{metric_words(metric)} on validation rows over the epochs; now: {now}.",
        table=lambda: curve_table(history, metric),
        filename="four_losses",
        formula="A one-layer network, the same start for every loss, Adam, L = 73."
        f"\n\n{in_maths([metric])}",
    )
    st.markdown(
        f"Now, on validation rows: {now}. Strong lines: validation rows, faint ones: training rows."
    )


def _posteriors(comparison: Comparison, board: Board) -> None:
    rope = board.slider("rope", "Rope: a difference up to this size does not matter", step=0.005)
    columns = st.columns(2, gap="large")
    for column, baseline in zip(columns, ("bce", "bce+threshold"), strict=True):
        verdict = fold_verdict(
            comparison.scores, "anyloss:f1", baseline, "f1", comparison.settings, rope
        )
        words = (
            f"AnyLoss-F1 better {verdict.candidate_wins:.2f}, no difference that matters "
            f"{verdict.draw:.2f}, {loss_words(baseline)} better {verdict.baseline_wins:.2f}"
        )
        with column:
            st.markdown(f"**Against {loss_words(baseline)}**")
            show_figure(
                fold_posterior(verdict),
                f"lesson7.{baseline}",
                alt=f"Posterior of the difference in F1. {words}.",
                table=comparison.scores.query("metric == 'f1'"),
                filename="posterior",
                formula=ROPE_FORMULA,
            )
            st.markdown(f"{words}.")
