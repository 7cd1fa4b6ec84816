"""L sweep: which L is good on this data set, and how much does it matter?"""

import streamlit as st

from anyloss_core.sweep_job import job_settings
from pages.ui import dataset_picker, good_amplifier, run_link, runs, take_home
from pages.ui import sweep_controls as controls
from pages.ui import sweep_panels as panels
from pages.ui.loss_choice import metric_option
from pages.ui.sweep_controls import BOARD


def main() -> None:
    BOARD.open()
    run = run_link.open_run(BOARD, "sweep", controls.settings_of)
    st.title("L sweep")
    st.markdown(
        "L says how hard the amplifier pushes a probability towards 0 or 1. Too small, and the "
        "soft score is not the score; too large, and samples stop pulling. All L are trained in "
        "one go, on the same folds and from the same starts."
    )
    dataset = dataset_picker.current()
    if settings := controls.form(dataset):
        start(dataset.name, settings)
    if run is not None:
        st.divider()
        runs.follow(run.id, lambda current: None, "sweep")
        if not run.active:
            result(run)
    good_amplifier.show(BOARD)


def start(name: str, settings) -> None:
    """Queue the sweep and show it."""
    metrics = ", ".join(metric_option(metric) for metric in settings.metrics)
    job = job_settings(dataset_picker.reference(), settings)
    if run_id := runs.start("sweep", job, f"{name}: L for {metrics}"):
        run_link.show_run(BOARD, run_id)
        st.rerun()


def result(run) -> None:
    """What the sweep found, if it got far enough to find something."""
    run_link.note_changes(controls.unchanged(run, dataset_picker.reference()))
    if found := panels.load(run.id, run.attempt, run.finished):
        panels.show(found, BOARD)
        st.divider()
        st.subheader("Take it home")
        take_home.sweep(run, found)


main()
