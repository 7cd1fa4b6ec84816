"""The paper's 102 data sets: ours or the user's scores beside the published figures."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anyloss_core.benchmark_results import load_benchmark
from anyloss_core.figures.benchmark import winning_bars
from anyloss_core.published.cells import Cell, Result, cell_table
from anyloss_core.published.many import beside_published
from anyloss_core.published.tables import load_table
from anyloss_core.score_table import read_scores
from anyloss_core.store import Run
from pages.ui import navigation, runs
from pages.ui.charts import show_figure
from pages.ui.paper_tables import show_cells
from pages.ui.state import Board
from pages.ui.text import option

TITLES = {
    "102_wins": "Winning numbers",
    "slp_102_bayes": "Bayesian sign test",
    "mlp_102_bayes": "Bayesian sign test",
    "102_imbalance_groups": "AnyLoss − baseline by imbalance",
}
NOTES = {
    "102_wins": "Data sets on which a loss is best among MSE, BCE and the AnyLoss that aims at the "
    "metric; a shared best counts for AnyLoss here, as the paper counted. Ties apart: Many data "
    "sets.",
    "102_imbalance_groups": "Mean difference of the scores per group of data sets.",
}


def show(board: Board) -> None:
    """Choose scores, see them beside the published ones."""
    board.segments("model", "Published figures of the", format_func=str.upper)
    finished = [run for run in runs.recent(20, "benchmark") if run.done > 0]
    left, right = st.columns(2, gap="large")
    with left:
        run = _choose_run(finished)
        navigation.link("many", "Compare losses on a suite")
    with right:
        _upload(board)
    if board["scores"]:
        st.markdown("Scores that you brought:")
        _beside(_from_upload(board["scores"], board["model"]))
    elif run is not None:
        _beside(_from_run(run.id, run.attempt, int(run.done), board["model"]))
    else:
        st.info(
            "There is no finished benchmark yet. Run one with MSE, BCE and AnyLoss, or bring "
            "scores of your own. Below: the published figures.",
            icon=":material/info:",
        )
        _published(board["model"])


def _choose_run(finished: list[Run]) -> Run | None:
    if not finished:
        return None
    return st.selectbox(
        "Benchmark", finished, format_func=lambda run: option(run.title), key="paper.benchmark"
    )


def _upload(board: Board) -> None:
    file = st.file_uploader(
        "Or tidy scores (dataset, loss, metric, score)", ["csv"], key="paper.scores_file"
    )
    if file is not None and st.session_state.get("paper.scores_seen") != file.file_id:
        content = file.getvalue()
        read_scores(content)  # refuses what cannot be used, before it is kept
        board.set("scores", runs.store().save_upload(content, {"name": file.name}))
        st.session_state["paper.scores_seen"] = file.file_id


@st.cache_resource(show_spinner="Weighing the scores", max_entries=8)
def _from_run(run_id: str, attempt: int, done: int, model: str) -> Result:
    benchmark = load_benchmark(runs.store(), run_id)
    return beside_published(benchmark.scores, model, benchmark.positive_shares)


@st.cache_resource(show_spinner="Weighing the scores", max_entries=8)
def _from_upload(upload_id: str, model: str) -> Result:
    return beside_published(read_scores(runs.store().open_upload(upload_id).read()), model)


def _beside(result: Result) -> None:
    count = result.settings["datasets"]
    st.markdown(f"{count} data sets here, 102 in the paper: another collection of data.")
    for table, title in TITLES.items():
        cells = [cell for cell in result.cells if cell.table == table]
        if cells:
            st.subheader(title)
            st.caption(NOTES.get(table, "Probabilities of baycomp's sign test, both ropes."))
            if table == "102_wins":
                _winning_figure(cells)
            show_cells(cells, f"paper_{table}", 3)


def _winning_figure(cells: list[Cell]) -> None:
    rows = cell_table(cells)
    rows["metric"] = rows["metric"].str.removesuffix(" wins")
    rows = rows.assign(wins=rows["ours"].astype(int))
    show_figure(
        winning_bars(rows, group="loss"),
        "paper_wins",
        alt="Data sets won by MSE, BCE and AnyLoss, per metric.",
        table=rows[["metric", "loss", "published", "ours"]],
        filename="winning_numbers",
    )


def _published(model: str) -> None:
    wins = load_table("102_wins")
    verdicts = load_table(f"{model}_102_bayes")
    st.subheader("Winning numbers, as published")
    st.dataframe(_wide(wins[wins["model"] == model]), hide_index=True)
    st.subheader("Bayesian sign test, as published")
    columns = ["metric", "rope", "baseline", "candidate_wins", "draw", "baseline_wins"]
    st.dataframe(verdicts[columns], hide_index=True)


def _wide(wins: pd.DataFrame) -> pd.DataFrame:
    family = wins["loss"].str.partition(":")[0]
    return (
        wins.assign(loss=family).pivot(index="metric", columns="loss", values="wins").reset_index()
    )
