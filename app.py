"""The frame of the dashboard: page settings, navigation, data set, error boundary.

What a page shows lives in pages/; what pages share in pages/ui; numbers in anyloss_core.
"""

from pathlib import Path

import streamlit as st

from pages.ui import dataset_picker, errors, navigation
from pages.ui.frame import FRAME
from pages.ui.live_chart import load_plotly
from pages.ui.state import hidden

# An icon of our own: Streamlit would fetch an emoji or a Material icon from the network.
ICON = Path(__file__).parent / "pages" / "ui" / "icon.svg"


def main() -> None:
    """One run of the app."""
    st.set_page_config(page_title="AnyLoss Lab", page_icon=str(ICON), layout="wide")
    page = st.navigation(navigation.streamlit_pages())
    FRAME.open()
    with errors.friendly():
        if "data" not in hidden():
            dataset_picker.sidebar()
        page.run()
    load_plotly()


main()
