"""What happens once, when the server starts and before the first visitor comes."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from anyloss_core.memory import share_one_heap

OPEN_AFTER = 0.5  # seconds: the server takes visitors once its start is over


def trust_navigation() -> None:
    """Let no visitor be told 'Page not found'.

    Until st.navigation has run once, Streamlit takes the files of pages/ for the pages, and a
    first visitor who comes by a link to /compare would see its dialog.
    """
    PagesManager.uses_pages_directory = False


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Keep memory together, and open a browser: an st.App only prints its address."""
    share_one_heap()
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().call_later(OPEN_AFTER, webbrowser.open, _address())
    yield


def _address() -> str:
    host, port = st.get_option("browser.serverAddress"), st.get_option("server.port")
    return f"http://{host}:{port}/{st.get_option('server.baseUrlPath').strip('/')}"
