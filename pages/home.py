"""Home: one's own table or the example, a picture of the idea, and the runs that were made."""

import streamlit as st

from pages.ui.base.presentation import aside
from pages.ui.base.state import Board
from pages.ui.home import own_table, panels
from pages.ui.runs.runs import RUN

BOARD = Board("home", RUN)


def main() -> None:
    st.title("AnyLoss Lab")
    aside(
        "A classifier is judged by a metric such as F1 but trained with another quantity, because "
        "a confusion matrix has no slope. AnyLoss makes the matrix soft, so that **any metric "
        "becomes the loss itself**. Here you see how that works, try it on your own data, and "
        "find out whether it really helps."
    )
    BOARD.open()
    if own_table.is_chosen():
        own_table.show()
    else:
        left, right = st.columns(2, gap="large")
        with left:
            st.header("Use my data")
            own_table.bring()
        with right:
            st.header("Try the example")
            panels.try_it(BOARD)
    panels.picture()
    st.header("Go on")
    panels.ways()
    st.header("Recent runs")
    panels.recent_runs()
    st.header("Data to try the upload with")
    panels.sample_files()


main()
