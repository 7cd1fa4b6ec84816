"""Approximation: what the amplifier A(p) does to a probability, and when it fails."""

import streamlit as st

from pages.ui.base.presentation import aside
from pages.ui.base.settings import Flag
from pages.ui.base.state import Board, hidden
from pages.ui.runs.runs import RUN
from pages.ui.teach import amplifier_panel as panel
from pages.ui.teach import amplifier_training

PRESETS = {
    "L = 5: 0.1 becomes 0.12": {"L": 5.0, "t": "0.1"},
    "L = 100: 0.9 becomes 1.0": {"L": 100.0, "t": "0.1"},
    "L = 73: the paper's choice": {"L": 73.0, "t": "1e-15"},
}
BOARD = Board("approximation", *panel.settings(), Flag("log", True), amplifier_training.VALUES, RUN)


def choose_preset(name: str) -> None:
    """The paper's own examples, in float64 and in the paper's form."""
    common = {"threshold": 0.5, "dtype": "float64", "form": "naive"}
    for setting, value in (common | PRESETS[name]).items():
        BOARD.set(setting, value)


def main() -> None:
    st.title("The amplifier A(p)")
    aside(
        "A metric needs 0 or 1 for every row, a gradient needs a slope. The amplifier turns p into "
        "something close to 0 or 1 that still has a slope."
    )
    BOARD.open()
    panel.take_click(BOARD)
    panel.controls(BOARD)
    view = panel.view_of(BOARD)
    left, right = st.columns([3, 1], gap="large")
    with left:
        panel.slider(BOARD, view)
    with right:
        presets()
    left, right = st.columns(2, gap="medium")
    with left:
        panel.amplifier_chart(BOARD, view)
    with right:
        panel.slope_chart(BOARD, view, BOARD["log"])
        BOARD.toggle("log", "Logarithmic axis")
    st.header("Which L are valid?")
    panel.range_chart(BOARD, view)
    st.header("What it means for learning")
    amplifier_training.show(BOARD)


def presets() -> None:
    """The examples, where L may be moved."""
    if "L" in hidden():
        return
    with st.container(gap="xsmall", key="presets"):
        for name in PRESETS:
            st.button(
                name, key=f"preset:{name}", on_click=choose_preset, args=(name,), width="stretch"
            )


main()
