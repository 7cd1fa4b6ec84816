"""The frame of the dashboard: page settings, navigation, data set, error boundary.

What a page shows lives in pages/; what pages share in pages/ui; numbers in anyloss_core.
`streamlit run app.py` imports this file once and then runs it as a script for every visitor.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.ui.base import (
    class_link,
    errors,
    look,
    navigation,
    presentation,
    server_start,
    upload_quota,
    visitor,
)
from pages.ui.base.frame import FRAME
from pages.ui.base.middleware import Door
from pages.ui.charts import plotly_script
from pages.ui.data import picker

# An icon of our own: Streamlit would fetch an emoji or a Material icon from the network.
ICON = Path(__file__).parent / "pages" / "ui" / "base" / "icon.svg"
# With an entry of its own the minimal menu is shown, and with it Streamlit's choice of a theme.
ABOUT = (
    "**AnyLoss Lab** trains classifiers on any metric and shows how that works. Light and dark are "
    "chosen in this menu; by default the Lab follows the computer."
)


def main() -> None:
    """One run of the app."""
    st.set_page_config(
        page_title="AnyLoss Lab",
        page_icon=str(ICON),
        layout="wide",
        menu_items={"About": ABOUT},
    )
    FRAME.open()
    presenting = presentation.is_on()
    look.dress(presenting)
    pages = navigation.streamlit_pages()
    page = st.navigation(pages, position="top" if presenting else "sidebar")
    with errors.friendly():
        picker.sidebar(shown=not presenting)
        page.run()
        if presenting:
            presentation.offer_end()
        else:
            presentation.offer_start()
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
