"""Paper: the published tables, computed again and set beside the published figures."""

from functools import partial

import streamlit as st

from pages.ui.base.presentation import aside
from pages.ui.choice import run_link
from pages.ui.paper import many, panels
from pages.ui.paper.sections import BOARD, SECTIONS, section_of, start_controls
from pages.ui.paper.tables import kept, results_of
from pages.ui.runs import runs

PANELS = {
    "tables": panels.tables,
    "mlp": panels.mlp,
    "amplifier": panels.amplifier,
    "time": panels.learning_time,
    "sol": partial(panels.plain, part="sol"),
    "titanic": partial(panels.plain, part="titanic", decimals=3),
    "resnet": panels.resnet,
}


def main() -> None:
    BOARD.open()
    st.title("Paper")
    run = run_link.open_run(BOARD, "paper", section_of)
    aside(
        "Nobody should have to take the paper's word, or ours: every table is computed again and "
        "stands beside the published figures, cell by cell."
    )
    BOARD.segments(
        "show",
        "Part of the paper",
        format_func=lambda name: SECTIONS[name].title,
        label_visibility="collapsed",
    )
    section = SECTIONS[BOARD["show"]]
    st.markdown(section.text)
    start_controls(section)
    followed = run is not None and section_of(run)["show"] == BOARD["show"] and run.status != "done"
    if followed:
        runs.follow(run.id, lambda current: None, "paper")
    if BOARD["show"] == "many":
        many.show(BOARD)
    elif results_of(found := kept(), *section.parts):
        PANELS[BOARD["show"]](found)
    elif not followed:
        st.info("Nothing is computed yet. Press Recompute.", icon=":material/info:")


main()
