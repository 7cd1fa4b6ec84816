"""What happens once, when the server starts and before the first visitor comes."""

import asyncio
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from anyloss_core.common.memory import give_back, share_one_heap

OPEN_AFTER = 0.5  # seconds: the server takes visitors once its start is over
TIDY_EVERY = 30.0  # seconds; it takes 0.2 s of them


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
    tidying = asyncio.create_task(_tidy())
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().call_later(OPEN_AFTER, webbrowser.open, _address())
    yield
    tidying.cancel()


async def _tidy() -> None:
    """Keep what visitors leave behind from piling up."""
    while True:
        await asyncio.sleep(TIDY_EVERY)
        await asyncio.to_thread(give_back)


def _address() -> str:
    host, port = st.get_option("browser.serverAddress"), st.get_option("server.port")
    return f"http://{host}:{port}/{st.get_option('server.baseUrlPath').strip('/')}"
