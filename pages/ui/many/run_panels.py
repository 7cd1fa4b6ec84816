"""A run of the page Many data sets: what is known while it runs, and everything afterwards."""

from functools import partial

import streamlit as st

from anyloss_core.benchmark.benchmark import take_up
from anyloss_core.benchmark.evidence import Evidence, from_benchmark, score_file
from anyloss_core.benchmark.results import Benchmark, load_benchmark, open_unit
from anyloss_core.data.cells.spreadsheet import harmless_csv
from anyloss_core.export.report_content import benchmark_report
from anyloss_core.figures.benchmark import win_tie_loss_bars
from anyloss_core.jobs.jobs import check_no_files
from anyloss_core.statistics.analysis import count_wins
from anyloss_core.store.store import Run, StoreError
from pages.ui.base import navigation
from pages.ui.base.buttons import download
from pages.ui.base.errors import guarded
from pages.ui.base.frame import formulas
from pages.ui.charts.charts import show_figure, show_table
from pages.ui.choice import run_link
from pages.ui.data import reading
from pages.ui.many import panels
from pages.ui.many.controls import BOARD
from pages.ui.runs import runs


def while_running(run: Run) -> None:
    """Who leads so far, and what has failed."""
    if not run.active:
        return
    benchmark = _load(run.id, run.attempt, int(run.done))
    _failures(benchmark)
    losses = benchmark.settings.comparison.names
    if benchmark.done.empty or len(losses) < 2:
        return
    baseline = "bce" if "bce" in losses else losses[0]
    evidence = from_benchmark(benchmark)
    counts = count_wins(evidence.of(evidence.aims[0]), baseline, BOARD["rope"])
    show_figure(
        win_tie_loss_bars(counts),
        "many.so_far",
        alt=f"Data sets won, tied and lost so far, of {len(benchmark.done)}.",
        table=counts,
    )


@runs.of_run
def result(run: Run) -> None:
    """Everything that the finished data sets say."""
    benchmark = _load(run.id, run.attempt, int(run.done))
    _failures(benchmark)
    if not benchmark.failed.empty and run.status == "done":
        _offer_again(run, benchmark)
    if benchmark.done.empty:
        st.info("No data set is finished.", icon=":material/info:")
        return
    evidence = _evidence(run.id, run.attempt, int(run.done), formulas())

    def open_dataset(name: str, view: panels.BenchmarkView) -> None:
        visitor = run.owner if runs.is_mine(run) else runs.owner()
        opened = open_unit(runs.store(), benchmark, name, visitor)
        navigation.go_to("compare", run=opened, **view.asked)

    view = panels.show(evidence, f"{run.id}.{run.attempt}.{run.done}", BOARD, open_dataset)
    _downloads(benchmark, evidence, view)


def _failures(benchmark: Benchmark) -> None:
    """Data sets without scores, and why."""
    failed = benchmark.failed
    if not failed.empty:
        many = len(failed)
        label = f"{many} data set{'s' if many > 1 else ''} failed"
        with st.expander(label, icon=":material/warning:"):
            show_table(failed, "many.failed")


def _offer_again(run: Run, benchmark: Benchmark) -> None:
    """A button that tries the failed data sets once more, or why there is none."""
    if run.imported or not runs.is_mine(run):
        st.caption("The failed ones can be tried again where this was computed, by its owner.")
    elif benchmark.settings.files:
        st.caption("The same command tries the failed ones again: a page opens no files.")
    else:
        again = (run.id, benchmark)
        st.button("Try the failed ones again", key="many.again", on_click=_again, args=again)


@guarded
def _again(run_id: str, benchmark: Benchmark) -> None:
    """Try failed data sets once more; the finished ones are kept."""
    run = runs.find(run_id)
    if run is None or run.imported or not runs.is_mine(run):
        raise StoreError("this run is somebody else's; start one of your own")
    check_no_files(benchmark.settings.to_dict())
    taken = take_up(runs.store(), benchmark.settings, run.owner)
    runs.resume(taken)
    run_link.show_run(BOARD, taken)


def _downloads(benchmark: Benchmark, evidence: Evidence, view: panels.BenchmarkView | None) -> None:
    """All scores as files, and the report."""
    chosen = {} if view is None else {"baseline": view.baseline, "rope": view.rope}
    folds = partial(harmless_csv, evidence.folds)
    report = partial(benchmark_report, benchmark, **chosen)
    with st.container(horizontal=True, key="many.downloads"):
        download("All scores (CSV)", lambda: _scores(evidence), "scores.csv", "many.scores_csv")
        download("Scores of every fold (CSV)", folds, "fold_scores.csv", "many.folds_csv")
        download("Report (HTML)", report, "benchmark.html", "many.report")


def _scores(evidence: Evidence) -> bytes:
    return harmless_csv(score_file(evidence))


def _load(run_id: str, attempt: int, done: int) -> Benchmark:
    """What a run has finished; a new number of finished data sets is another result."""
    with st.spinner("Reading the results"):
        key = ("benchmark", run_id, attempt, done)
        return reading.kept(key, lambda: load_benchmark(runs.store(), run_id))


def _evidence(run_id: str, attempt: int, done: int, extra: tuple[str, ...]) -> Evidence:
    """The scores of a run, with the formulas that the visitor typed."""
    with st.spinner("Scoring"):
        key = ("evidence", run_id, attempt, done, extra)
        return reading.kept(key, lambda: from_benchmark(_load(run_id, attempt, done), extra))
