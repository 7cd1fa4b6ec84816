"""The frame of the dashboard: page settings, navigation, data set, error boundary.

What a page shows lives in pages/; what pages share in pages/ui; numbers in anyloss_core.
`streamlit run app.py` imports this file once and then runs it as a script for every visitor.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.ui.base import class_link, errors, navigation, server_start, upload_quota, visitor
from pages.ui.base.frame import FRAME
from pages.ui.base.middleware import Door
from pages.ui.base.state import hidden
from pages.ui.charts import plotly_script
from pages.ui.data import picker

# An icon of our own: Streamlit would fetch an emoji or a Material icon from the network.
ICON = Path(__file__).parent / "pages" / "ui" / "base" / "icon.svg"
# Streamlit's own CSV of a table would hand formulas in cells to a spreadsheet; ours does not.
NO_RAW_CSV = (
    "<style>[data-testid=stElementToolbarButton]:has([aria-label^='Download as CSV'])"
    "{display:none}</style>"
)
# Streamlit lets a row of choices run out of a narrow column, and cuts off the top of a fraction.
ROOM = (
    "<style>[data-testid=stButtonGroup] [role=radiogroup]{flex-wrap:wrap;overflow:visible}"
    ".katex-display{padding:.3em 0}</style>"
)
# White can be read on the primary colour; as a colour of words it is too dark for the dark theme.
CHOSEN = (
    "<style>[data-testid=stButtonGroup] [role=radio][aria-checked=true],"
    "[data-testid=stSliderThumbValue]"
    "{color:inherit!important}</style>"
)


def main() -> None:
    """One run of the app."""
    st.set_page_config(page_title="AnyLoss Lab", page_icon=str(ICON), layout="wide")
    st.html(NO_RAW_CSV + ROOM + CHOSEN)
    page = st.navigation(navigation.streamlit_pages())
    FRAME.open()
    with errors.friendly():
        if "data" not in hidden():
            picker.sidebar()
        page.run()
        class_link.show()
        visitor.offer_login()
    plotly_script.load_plotly()


if __name__ == "__main__":
    main()
else:
    server_start.trust_navigation()
    app = st.App(
        __file__,
        lifespan=server_start.lifespan,
        routes=[plotly_script.route()],
        middleware=[Middleware(Door), upload_quota.MIDDLEWARE],
    )
