"""Lessons 6 and 7: four losses on imbalanced data, and whether a difference is real."""

import streamlit as st

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.comparison.comparison import Comparison
from anyloss_core.comparison.job import load_comparison
from anyloss_core.figures.training import curve_table, metric_figure
from anyloss_core.figures.verdicts import fold_posterior
from anyloss_core.statistics.verdict_sentence import fold_verdict
from anyloss_core.statistics.verdicts import FoldVerdict
from anyloss_core.store.store import Run
from anyloss_core.teaching.take_home import four_losses
from pages.ui.base.buttons import start_button
from pages.ui.base.state import Board
from pages.ui.base.text import in_markdown
from pages.ui.charts.charts import show_figure
from pages.ui.choice import run_link
from pages.ui.choice.formulas import in_maths
from pages.ui.choice.question import ROPE_LABEL
from pages.ui.runs import kinds, runs
from pages.ui.runs.live_history import history_of

ROPE_FORMULA = r"""The ten folds give ten differences; as they share training rows, the posterior of
the true difference is a Student distribution with a wider scale (correlated t-test). The shaded
**rope** holds the differences too small to matter: $P(\text{draw})$ is the area inside it."""


def side_by_side(board: Board) -> None:
    """Four losses learn the same generated data."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        imbalance = board.slider("imbalance", "Negatives for each positive", format="%d : 1")
        start_button("Train", "lesson6.train", _train, board, imbalance)
    if board["run"]:
        board.segments("metric", "Metric", format_func=metric_words)
        runs.follow(board["run"], lambda run: _curves(run, board["metric"]), "lesson6")


def is_it_real(board: Board) -> None:
    """The posterior of a difference, and the rope."""
    title = "Lesson 7: is the difference real?"
    start = (run_link.start, board, "compare", kinds.FIRST_COMPARISON, title)
    start_button("Compare on ten folds", "lesson7.compare", *start)
    if board["run"]:
        runs.follow(board["run"], lambda run: None, "lesson7")
        run = runs.find(board["run"])
        comparison = run and load_comparison(runs.store(), run.id)
        if comparison:
            _posteriors(comparison, board)


def _train(board: Board, imbalance: int) -> None:
    settings = four_losses(imbalance).to_dict()
    run_link.start(board, "train", settings, f"Lesson 6: four losses, {imbalance}:1")


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
        "four_losses",
        alt=f"{metric_words(metric)} on validation rows over the epochs; now: {now}.",
        table=lambda: curve_table(history, metric),
        formula="A one-layer network, the same start for every loss, Adam. AnyLoss has the paper's "
        "L = 73 from the first epoch on; Train and Compare choose its recipe."
        f"\n\n{in_maths([metric])}",
    )
    st.markdown(
        f"Now, on validation rows: {now}. Strong lines: validation rows, faint ones: training rows."
    )


def _posteriors(comparison: Comparison, board: Board) -> None:
    rope = board.slider("rope", ROPE_LABEL, step=0.005)
    columns = st.columns(2, gap="large")
    for column, baseline in zip(columns, ("bce", "bce+threshold"), strict=True):
        verdict = fold_verdict(
            comparison.scores, "anyloss:f1", baseline, "f1", comparison.settings, rope
        )
        words = verdict_words(verdict)
        with column:
            st.markdown(f"**Against {loss_words(baseline)}**")
            show_figure(
                fold_posterior(verdict),
                f"lesson7.{baseline}.posterior",
                alt=f"Posterior of the difference in F1. {words}",
                table=comparison.scores.query("metric == 'f1'"),
                formula=ROPE_FORMULA,
            )
            st.markdown(words)


def verdict_words(verdict: FoldVerdict) -> str:
    """The three probabilities in a sentence."""
    return (
        f"AnyLoss-F1 better {verdict.candidate_wins:.2f}, no difference that matters "
        f"{verdict.draw:.2f}, {loss_words(verdict.baseline)} better {verdict.baseline_wins:.2f}."
    )
