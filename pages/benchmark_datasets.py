"""Many data sets: which loss wins on a whole suite, how surely, and where."""

import streamlit as st

from anyloss_core.benchmark.benchmark import find_run, start_settings, title_of
from anyloss_core.benchmark.settings import BenchmarkSettings
from pages.ui.base.presentation import aside
from pages.ui.choice import run_link
from pages.ui.many import cluster, controls, kept_study, own_scores, run_panels
from pages.ui.many.controls import BOARD
from pages.ui.runs import runs


def main() -> None:
    BOARD.open()
    st.title("Many data sets")
    run = run_link.open_run(BOARD, "benchmark", controls.settings_of)
    aside(
        "One data set proves little. Here every loss is compared on a whole suite, and the result "
        "says how surely one beats another."
    )
    BOARD.segments(
        "source", "Scores", format_func=controls.SOURCES.get, label_visibility="collapsed"
    )
    if BOARD["source"] == "scores":
        own_scores.show()
        return
    if BOARD["source"] == "kept":
        kept_study.show()
        return
    if settings := controls.form():
        start(settings)
    if run is not None:
        st.divider()
        runs.follow(run.id, run_panels.while_running, "many")
        if not run.active:
            run_panels.result(run)


def start(settings: BenchmarkSettings) -> None:
    """Show a run with these settings: a finished one, one to go on with, or a new one."""
    known = find_run(runs.store(), settings, runs.owner())
    if known is None:
        job = start_settings(settings, **cluster.place(BOARD))
        run_id = runs.start("benchmark", job, title_of(settings))
    else:
        run_id = known.id
        if known.resumable:
            runs.resume(run_id)
    if run_id:
        run_link.show_run(BOARD, run_id)
        st.rerun()


main()
