"""Train: losses side by side, live; every epoch can be looked at again afterwards."""

import streamlit as st

from pages.ui import dataset_picker, run_link, runs, training_form, training_panels


def main() -> None:
    st.title("Train")
    st.caption(
        "Up to six losses learn side by side from the same start. Watch, pause, step, and scrub "
        "back to any epoch."
    )
    training_form.BOARD.open()
    run_link.open_run(training_form.BOARD, "train", training_form.settings_of)
    dataset_picker.current()
    settings = training_form.show()
    training_panels.follow(ready=settings is not None)
    runs.server()  # workers get warm while settings are chosen


main()
