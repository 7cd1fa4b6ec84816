"""Approximation: what the amplifier A(p) does to a probability, and when it fails."""

import streamlit as st

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
    st.markdown(
        "A metric needs 0 or 1 for every row, a gradient needs a slope. The amplifier turns a "
        "probability p into something close to 0 or 1 that still has a slope."
        + ("" if "L" in hidden() else " Drag L.")
    )
    BOARD.open()
    if "L" not in hidden():
        with st.container(horizontal=True, key="presets"):
            for name in PRESETS:
                st.button(name, key=f"preset:{name}", on_click=choose_preset, args=(name,))
    left, right = st.columns([4, 3], gap="large")
    with right:
        panel.controls(BOARD)
    with left:
        view = panel.view_of(BOARD)
        panel.slider(BOARD, view)
        panel.amplifier_chart(BOARD, view)
        st.subheader("Its slope")
        BOARD.toggle("log", "Logarithmic axis")
        panel.slope_chart(BOARD, view, BOARD["log"])
    with right:
        st.subheader("Which L are valid?")
        panel.range_chart(BOARD, view)
    st.subheader("What it means for learning")
    amplifier_training.show(BOARD)


main()
