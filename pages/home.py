"""Home: what this is, a picture of it, a first run, and the runs that were made."""

import streamlit as st

from pages.ui.base.state import Board
from pages.ui.home import panels
from pages.ui.runs.runs import RUN

BOARD = Board("home", RUN)


def main() -> None:
    st.title("AnyLoss Lab")
    st.markdown(
        "A classifier is judged by a metric such as F1 but trained with another quantity, because "
        "a confusion matrix has no slope. AnyLoss makes the matrix soft, so that **any metric "
        "becomes the loss itself**. Here you see how that works, try it on your own data, and "
        "find out whether it really helps."
    )
    BOARD.open()
    panels.picture()
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Try it")
        panels.try_it(BOARD)
    with right:
        st.header("Go on")
        panels.ways()
    st.header("Recent runs")
    panels.recent_runs()
    st.header("Data to try the upload with")
    panels.sample_files()


main()
