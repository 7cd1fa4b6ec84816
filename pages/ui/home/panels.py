"""The parts of the page Home: a first comparison, ways to go on, recent runs, sample files."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from anyloss_core.store import Run
from anyloss_core.wording import loss_words, metric_words
from pages.ui import navigation, runs
from pages.ui.charts import show_formula, show_table
from pages.ui.dataset_sources import csv_download
from pages.ui.plain_words import lead
from pages.ui.state import Board
from pages.ui.text import STATUS_NAMES, duration, option

if TYPE_CHECKING:
    from anyloss_core.comparison import Comparison

FIRST_METRICS = ["f1", "accuracy", "recall", "precision"]
FIRST_LOSSES = ["bce", "anyloss:f1", "bce+threshold"]
# Plain values, so that Home starts without torch: the worker that trains has it loaded.
FIRST_RUN = {"data": "builtin:random", "comparison": {"losses": FIRST_LOSSES, "folds": 10}}
FIRST_TITLE = "First look: BCE and AnyLoss-F1"
PAGE_OF_KIND = {
    "train": "train",
    "compare": "compare",
    "sweep": "sweep",
    "benchmark": "many",
    "paper": "paper",
}
WAYS = {
    "lessons": "Lessons: seven short steps, for a class or a newcomer",
    "approximation": "Approximation: what the amplifier does to a probability",
    "metric": "Any metric: write your own as a formula",
    "train": "Train: watch losses learn side by side",
    "compare": "Compare: the best loss for your data, and how surely",
    "sweep": "L sweep: which L is good for your data",
    "many": "Many data sets: who wins over a hundred of them",
    "paper": "Paper: the published tables, recomputed",
}

_picture = st.components.v2.component(
    "anyloss_picture",
    html=f"<div>{(Path(__file__).parent / 'picture.svg').read_text(encoding='utf-8')}</div>",
    css="""div { overflow-x: auto; color: var(--st-text-color); font-family: var(--st-font); }
    svg { display: block; width: 100%; min-width: 700px; max-width: 1060px; height: auto; }""",
)


def picture() -> None:
    """From a probability to a loss, in one drawing."""
    _picture(key="picture")


def try_it(board: Board) -> None:
    """A comparison that takes a few seconds."""
    st.markdown(
        "10,000 rows, one in ten positive. A one-layer network is trained ten times with binary "
        "cross-entropy, with AnyLoss for F1, and with cross-entropy and a threshold tuned for F1; "
        "all are judged on rows that they have not seen."
    )
    pressed = st.button("Try it", type="primary", icon=":material/play_arrow:", key="try")
    if pressed and (run_id := runs.start("compare", FIRST_RUN, FIRST_TITLE)):
        board.set("run", run_id)
        st.rerun()
    if board["run"]:
        runs.follow(board["run"], show_outcome, "try")


def show_outcome(run: Run) -> None:
    """The sentence and the scores of a finished first run."""
    if run.active or run.kind != "compare":
        return
    from anyloss_core.comparison_job import load_comparison
    from anyloss_core.verdict_sentence import headline
    from pages.ui.comparison_panels import T_TEST, metric_formulas

    comparison = load_comparison(runs.store(), run.id)
    if comparison is None:
        return
    lead(headline(comparison.scores, "data set 1", comparison.settings))
    show_formula(T_TEST, "first_sentence", "How sure is that?")
    formulas = metric_formulas(FIRST_METRICS)
    three = st.column_config.NumberColumn(format="%.3f")
    columns = {metric_words(metric): three for metric in FIRST_METRICS}
    means = _means(comparison)
    show_table(means, "first_means", "first_comparison", formula=formulas, column_config=columns)
    navigation.link("compare", "Everything about this comparison", run=run.id)


def ways() -> None:
    """Links to the pages that exist."""
    for url, words in WAYS.items():
        navigation.link(url, words)


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
            navigation.link(PAGE_OF_KIND.get(run.kind, "runs"), "Open", run=run.id)


def sample_files() -> None:
    """Every built-in data set as CSV."""
    from anyloss_core.datasets import BUILTIN

    st.caption(
        "Save one, then choose Change and Upload in the sidebar, as you would with your own file."
    )
    with st.container(horizontal=True, gap="small"):
        for name in BUILTIN:
            csv_download(name, f"{name}.csv", "home.csv")


def _means(comparison: Comparison) -> pd.DataFrame:
    """Losses x metrics, in words."""
    means = comparison.summary()[FIRST_METRICS].round(3)
    words = means.rename(index=loss_words, columns=metric_words)
    return words.rename_axis("loss").reset_index()
