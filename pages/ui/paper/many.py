"""The paper's 102 data sets: ours or the user's scores beside the published figures."""

from __future__ import annotations

import time

import streamlit as st

from anyloss_core.benchmark import start_settings, title_of
from anyloss_core.benchmark_results import load_benchmark
from anyloss_core.comparison import ComparisonSettings
from anyloss_core.figures.paper import winning_shares
from anyloss_core.published import our_suites
from anyloss_core.published.cells import Cell, Result, cell_table
from anyloss_core.published.many import MONTE_CARLO, beside_published, find_shares
from anyloss_core.published.names import paper_metric
from anyloss_core.score_table import read_scores
from anyloss_core.store import Run
from pages.ui import runs
from pages.ui.benchmark_controls import CORES, expectation
from pages.ui.charts import show_figure
from pages.ui.paper_tables import show_cells, tally
from pages.ui.state import Board
from pages.ui.text import duration, option

FAMILIES = {"mse": "MSE", "bce": "BCE", "anyloss": "AnyLoss"}
KEPT = "kept"  # the choice of the scores that come with the program
KEPT_TITLE = "Real tables, computed by the Lab's authors"
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
    "102_imbalance_groups": "Mean and standard deviation of the difference per group of data sets.",
}
NOISE = f"at most {MONTE_CARLO:g} off, for the published probabilities were drawn at random"
BRING = (
    "A CSV with the columns dataset, loss, metric, score: the losses mse, bce and anyloss:METRIC. "
    "A column positive_share (share of positive rows) adds the table by imbalance; data sets that "
    "are called 1 to 102 are taken for the paper's."
)


def show(board: Board) -> None:
    """Choose scores, see them beside the published ones."""
    board.segments("model", "Network", format_func=str.upper)
    left, right = st.columns(2, gap="large")
    with left:
        _recompute(board)
    with right:
        _upload(board)
    chosen = _choose(board)
    if board["scores"] and chosen is None:
        st.markdown("Scores that you brought:")
        _beside(_from_upload(board["scores"], board["model"]))
    elif isinstance(chosen, Run):
        _made(chosen)
        _beside(_from_run(chosen.id, chosen.attempt, int(chosen.done), board["model"]))
    else:
        st.caption(
            "The real suite with the Lab's defaults, ten folds, one start: the study of the page "
            "Many data sets, which tells how it was made. Recompute makes it anew here."
        )
        _beside(_from_kept(board["model"]))


def _made(run: Run) -> None:
    """When a benchmark was run, how long it took, and with which settings."""
    when = time.strftime("%d %B %Y, %H:%M", time.localtime(run.created))
    compared = ComparisonSettings.from_dict(run.settings["comparison"])
    st.caption(
        f"Computed on {when} in {duration(run.seconds)}: {compared.model.upper()}, protocol "
        f"{compared.protocol}, {compared.folds} folds, {compared.seeds} "
        f"start{'s' if compared.seeds != 1 else ''} per fold, {compared.plan.epochs} epochs."
    )


def _recompute(board: Board) -> None:
    """Start the paper's comparison on one of our suites, and follow it."""
    board.segments("suite", "Our suites", format_func=our_suites.SUITES.get)
    settings = our_suites.suite_settings(board["suite"], board["model"])
    if st.button("Recompute", type="primary", icon=":material/play_arrow:", key="paper.many"):
        started = runs.start("benchmark", start_settings(settings, CORES), title_of(settings))
        if started:
            board.set("benchmark", started)
    st.caption(expectation(settings, CORES))
    run = runs.find(board["benchmark"])
    if run is not None and run.kind == "benchmark" and run.status != "done":
        runs.follow(run.id, lambda current: None, "paper_many")


def _choose(board: Board) -> Run | str | None:
    """Which scores are shown: a run, those that come with the program, or brought ones (None)."""
    finished = [run for run in runs.recent(20, "benchmark") if run.done > 0 and _fits(run, board)]
    choices: dict[str, Run | str | None] = {run.id: run for run in finished}
    names = {run.id: option(run.title) for run in finished}
    choices[KEPT], names[KEPT] = KEPT, KEPT_TITLE
    if board["scores"]:
        choices["brought"], names["brought"] = None, "Scores that I brought"
    newest = "brought" if board["scores"] else next(iter(choices))
    key = f"paper.scores_of:{board['model']}:{len(choices)}:{newest}"
    places = list(choices)
    return choices[
        st.selectbox("Scores", places, places.index(newest), format_func=names.get, key=key)
    ]


def _fits(run: Run, board: Board) -> bool:
    """Whether a benchmark has what the paper compares, in the chosen network."""
    compared = run.settings.get("comparison", {})
    names = {str(loss).partition("@")[0] for loss in compared.get("losses", ())}
    return compared.get("model") == board["model"] and set(our_suites.LOSSES) <= names


def _upload(board: Board) -> None:
    file = st.file_uploader("Or bring tidy scores", ["csv"], key="paper.scores_file", help=BRING)
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
    content = runs.store().open_upload(upload_id).read()
    return beside_published(read_scores(content), model, find_shares(content))


@st.cache_resource(show_spinner="Weighing the scores", max_entries=2)
def _from_kept(model: str) -> Result:
    return beside_published(our_suites.kept_scores(model), model, our_suites.real_shares())


def _beside(result: Result) -> None:
    count = result.settings["datasets"]
    st.markdown(f"{count} data sets here, 102 in the paper: another collection of data.")
    for table, title in TITLES.items():
        cells = [cell for cell in result.cells if cell.table == table]
        if cells:
            st.subheader(title)
            st.markdown(tally(cells))
            st.caption(NOTES.get(table, "Probabilities of baycomp's sign test, both ropes."))
            if table == "102_wins":
                _winning_figure(cells)
            digits = 0 if table == "102_wins" else 3
            show_cells(cells, f"paper_{table}", digits, place="Network", noise=NOISE)


def _winning_figure(cells: list[Cell]) -> None:
    rows = cell_table(cells)
    rows["metric"] = rows["metric"].str.removesuffix(" wins").map(paper_metric)
    rows["loss"] = rows["loss"].str.partition(":")[0].map(FAMILIES)
    show_figure(
        winning_shares(rows),
        "paper_wins",
        alt="Share of the data sets won by MSE, BCE and AnyLoss, per metric: published and ours.",
        table=rows[["metric", "loss", "published", "ours"]],
        filename="winning_numbers",
    )
