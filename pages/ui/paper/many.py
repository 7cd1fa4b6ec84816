"""The paper's 102 data sets: ours or the user's scores beside the published figures."""

import time

import streamlit as st

from anyloss_core.benchmark.benchmark import start_settings, title_of
from anyloss_core.benchmark.recipe_study import DRAWN, MADE
from anyloss_core.benchmark.results import load_benchmark
from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.figures.paper import winning_shares
from anyloss_core.paper import our_suites
from anyloss_core.paper.cells import Cell, Result, cell_table
from anyloss_core.paper.many import MONTE_CARLO, beside_published
from anyloss_core.paper.names import paper_metric
from anyloss_core.statistics.score_table import average_repeats
from anyloss_core.store.store import Run
from pages.ui.base.buttons import start_button
from pages.ui.base.state import Board
from pages.ui.base.text import duration, option
from pages.ui.charts.charts import show_figure
from pages.ui.choice import run_link
from pages.ui.choice.expected_time import expectation
from pages.ui.data import reading
from pages.ui.data.sources import brought_scores, keep_scores
from pages.ui.paper.tables import show_cells, tally
from pages.ui.runs import runs

FAMILIES = {"mse": "MSE", "bce": "BCE", "anyloss": "AnyLoss"}
KEPT, BROUGHT = "kept", "brought"  # scores that come with the program, and the visitor's own
KEPT_TITLE = "Real tables, computed by the Lab's authors"
KEPT_MADE = (
    f"The Lab's real suite, tables of up to 10,000 rows, {MADE}: {DRAWN}. AnyLoss chose its recipe "
    "on inner folds of the training rows; MSE and BCE have one recipe, and no threshold was tuned. "
    "Recompute has ten folds, drawn once."
)
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
SIGN_TEST = (
    "Probabilities of baycomp's sign test, both ropes, that wins, draws or losses have the largest "
    "share of all such data sets; how many ours are, won / tied / lost, stands beside each."
)
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
        keep_scores(board, "Or bring tidy scores", help=BRING)
    chosen = _choose(board)
    if chosen == BROUGHT:
        st.markdown("Scores that you brought:")
        _beside(_from_upload(board["scores"], board["model"]))
    elif run := runs.find("" if chosen == KEPT else chosen):
        _made(run)
        _beside(_from_run(run.id, run.attempt, int(run.done), board["model"]))
    else:
        st.caption(KEPT_MADE)
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
    if start_button("Recompute", "paper.many"):
        job = start_settings(settings, runs.cores())
        run_link.start(board, "benchmark", job, title_of(settings), name="benchmark")
    st.caption(expectation(settings, runs.cores()))
    run = runs.find(board["benchmark"])
    if run is not None and run.kind == "benchmark" and run.status != "done":
        runs.follow(run.id, lambda current: None, "paper_many")


def _choose(board: Board) -> str:
    """Which scores are shown: KEPT, BROUGHT or the id of a run."""
    listed = [run for run in runs.recent(20, "benchmark") if run.done > 0 and not run.imported]
    finished = [run for run in listed if _fits(run, board)]
    names = {run.id: option(run.title) for run in finished} | {KEPT: KEPT_TITLE}
    if board["scores"]:
        names[BROUGHT] = "Scores that I brought"
    offered = list(names)
    newest = BROUGHT if board["scores"] else offered[0]
    key = f"paper.scores_of:{board['model']}:{len(offered)}:{newest}"
    first = offered.index(newest)
    return st.selectbox("Scores", offered, first, format_func=names.get, key=key)


def _fits(run: Run, board: Board) -> bool:
    """Whether a benchmark has what the paper compares, in the chosen network."""
    compared = run.settings.get("comparison", {})
    names = {str(loss).partition("@")[0] for loss in compared.get("losses", ())}
    return compared.get("model") == board["model"] and set(our_suites.LOSSES) <= names


def _from_run(run_id: str, attempt: int, done: int, model: str) -> Result:
    def weigh() -> Result:
        benchmark = load_benchmark(runs.store(), run_id)
        return beside_published(benchmark.scores, model, benchmark.positive_shares)

    with st.spinner("Weighing the scores"):
        return reading.kept(("published", run_id, attempt, done, model), weigh)


def _from_upload(upload_id: str, model: str) -> Result:
    with st.spinner("Weighing the scores"):
        scores, shares = brought_scores(upload_id)
        return reading.kept(
            ("published", upload_id, model),
            lambda: beside_published(average_repeats(scores), model, shares),
        )


@st.cache_resource(show_spinner="Weighing the scores", max_entries=2)
def _from_kept(model: str) -> Result:
    return beside_published(our_suites.kept_scores(model), model, our_suites.real_shares())


def _beside(result: Result) -> None:
    count = result.settings["datasets"]
    st.markdown(f"{count} data sets here, 102 in the paper: another collection of data.")
    for table, title in TITLES.items():
        cells = [cell for cell in result.cells if cell.table == table]
        if cells:
            st.header(title)
            st.markdown(tally(cells))
            st.caption(NOTES.get(table, SIGN_TEST))
            if table == "102_wins":
                _winning_figure(cells)
            digits = 0 if table == "102_wins" else 3
            show_cells(cells, f"paper_{table}", digits, heading="Network", noise=NOISE)


def _winning_figure(cells: list[Cell]) -> None:
    rows = cell_table(cells)
    rows["metric"] = rows["metric"].str.removesuffix(" wins").map(paper_metric)
    rows["loss"] = rows["loss"].str.partition(":")[0].map(FAMILIES)
    show_figure(
        winning_shares(rows),
        "paper.winning_numbers",
        alt="Share of the data sets won by MSE, BCE and AnyLoss, per metric: published and ours.",
        table=rows[["metric", "loss", "published", "ours"]],
    )
