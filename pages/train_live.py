"""Train: losses side by side, live; every epoch can be looked at again afterwards."""

import streamlit as st

from pages.ui.base.presentation import aside
from pages.ui.choice import run_link
from pages.ui.data import chosen
from pages.ui.runs import runs
from pages.ui.train import form, panels


def main() -> None:
    st.title("Train")
    form.BOARD.open()
    if not form.BOARD["run"]:  # its curves have the room
        aside(
            "Up to six losses learn side by side from the same start. Watch, pause, step, and "
            "scrub back to any epoch."
        )
    run_link.open_run(form.BOARD, "train", form.settings_of)
    chosen.current()
    settings = form.show()
    panels.follow(ready=settings is not None)
    runs.server()  # workers get warm while settings are chosen


main()
