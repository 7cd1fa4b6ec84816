"""L sweep: which L is good on this data set, and how much does it matter?"""

import streamlit as st

from anyloss_core.export.report_content import sweep_report
from anyloss_core.sweep.job import job_settings
from pages.ui.base.presentation import aside
from pages.ui.choice import run_link
from pages.ui.choice.losses import metric_option
from pages.ui.data import chosen
from pages.ui.runs import export, runs
from pages.ui.sweep import controls, good_amplifier, panels
from pages.ui.sweep.controls import BOARD


def main() -> None:
    BOARD.open()
    st.title("L sweep")
    run = run_link.open_run(BOARD, "sweep", controls.settings_of)
    aside(
        "L says how hard the amplifier pushes a probability towards 0 or 1. Too small, and the "
        "soft score is not the score; too large, and samples stop counting. All L are trained in "
        "one go, on the same folds and from the same starts."
    )
    dataset = chosen.current()
    with st.expander("What is swept", icon=":material/tune:", expanded=run is None):
        if settings := controls.form(dataset):
            start(dataset.name, settings)
    if run is not None:
        runs.follow(run.id, lambda current: None, "sweep")
        if not run.active:
            result(run)
    good_amplifier.show(BOARD)


def start(name: str, settings) -> None:
    """Queue the sweep and show it."""
    metrics = ", ".join(metric_option(metric) for metric in settings.metrics)
    job = job_settings(chosen.reference(), settings)
    if run_link.start(BOARD, "sweep", job, f"{name}: L for {metrics}"):
        st.rerun()


@runs.of_run
def result(run) -> None:
    """What the sweep found, if it got far enough to find something."""
    run_link.note_changes(controls.unchanged(run))
    if found := panels.load(run.id, run.attempt, run.finished):
        panels.show(found, run.settings["sweep"], BOARD)
        st.divider()
        st.header("Take it home")
        with st.container(horizontal=True, key="take_home"):
            export.report(lambda: sweep_report(found), "sweep")
            export.bundle(run)


main()
