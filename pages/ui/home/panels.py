"""The parts of the page Home: a first comparison, ways to go on, recent runs, sample files."""

from datetime import datetime
from pathlib import Path

import streamlit as st

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.store.store import Run
from pages.ui.base import navigation
from pages.ui.base.buttons import start_button
from pages.ui.base.plain_words import below, lead
from pages.ui.base.state import Board
from pages.ui.base.text import STATUS_NAMES, duration, option
from pages.ui.charts.charts import show_formula, show_table
from pages.ui.choice import run_link
from pages.ui.data.sources import csv_download
from pages.ui.runs import kinds, runs

FIRST_METRICS = ["f1", "accuracy", "recall", "precision"]
FIRST_PLAN = "9,000 rows: all rows at once, 600 epochs"  # told without loading torch
FIRST_TITLE = "First look: BCE and AnyLoss-F1"

_picture = st.components.v2.component(
    "anyloss_picture",
    html=f"<div>{(Path(__file__).parent / 'picture.svg').read_text(encoding='utf-8')}</div>",
    css="""div { container-type: inline-size; }
    svg { display: block; width: 100%; max-width: 1060px; height: auto;
        color: var(--st-text-color); font-family: var(--st-font); }
    svg.tall { display: none; max-width: 400px; margin: 0 auto; }
    @container (max-width: 640px) { .wide { display: none; } svg.tall { display: block; } }""",
)


def picture() -> None:
    """From a probability to a loss in one drawing; on a phone its parts stand below each other."""
    _picture(key="picture")


def try_it(board: Board) -> None:
    """A comparison that takes a few seconds."""
    st.markdown(
        "10,000 rows, one in ten positive. A one-layer network is trained ten times with binary "
        "cross-entropy, with AnyLoss for F1, and with cross-entropy and a tuned threshold; all are "
        "judged on rows that they have not seen. AnyLoss chooses its recipe, and the threshold is "
        "tuned, on inner folds of the training rows."
    )
    st.caption(f"Plan: {FIRST_PLAN}.")
    pressed = start_button("Try it", "try")
    if pressed and run_link.start(board, "compare", kinds.FIRST_COMPARISON, FIRST_TITLE):
        st.rerun()
    if board["run"]:
        runs.follow(board["run"], show_outcome, "try")


def show_outcome(run: Run) -> None:
    """The advice, the sentence behind it and the scores of a finished first run."""
    if run.active or run.kind != "compare":
        return
    from anyloss_core.comparison import tables
    from anyloss_core.comparison.answer import answer
    from anyloss_core.comparison.job import load_comparison
    from anyloss_core.statistics.verdict_sentence import headline
    from pages.ui.choice.formulas import T_TEST, metric_formulas

    comparison = load_comparison(runs.store(), run.id)
    if comparison is None:
        return
    lead(answer(comparison).advice.text)
    below(headline(comparison.scores, "data set 1", comparison.settings))
    show_formula(T_TEST, "first_sentence", "How sure is that?")
    formats = {metric_words(metric): "%.3f" for metric in FIRST_METRICS}
    formulas = metric_formulas(FIRST_METRICS)
    means = comparison.summary()[FIRST_METRICS].round(3)
    words = means.rename(index=loss_words, columns=metric_words).rename_axis("loss")
    show_table(words.reset_index(), "first_comparison", formulas, formats)
    if tuned := tables.method_words(comparison):
        st.caption(tuned)
    navigation.link("compare", "Everything about this comparison", run=run.id)


def ways() -> None:
    """Links to the pages, with what each is for."""
    for info in navigation.PAGES:
        if info.about:
            navigation.link(info.url, f"{info.title}: {info.about}")


def recent_runs() -> None:
    """The newest runs with a link to each."""
    listed = runs.recent(5)
    if not listed:
        st.caption("None yet. Runs made here, or on the command line, are kept and listed.")
    for run in listed:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            when = datetime.fromtimestamp(run.created).strftime("%d %b %H:%M")
            with st.container(gap=None):
                st.text(option(run.title or run.kind, 90))
                st.caption(f"{STATUS_NAMES[run.status]}, {when}, {duration(run.seconds)}")
            kinds.link(run)


def sample_files() -> None:
    """Every built-in data set as CSV."""
    from anyloss_core.data.suites.builtin import BUILTIN

    st.caption("Save one, then drop it on *Use my data* above, as you would with your own file.")
    with st.container(horizontal=True, gap="small"):
        for name in BUILTIN:
            csv_download(name, f"{name}.csv", "home.csv")
