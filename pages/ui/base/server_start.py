"""What happens once, when the server starts and before the first visitor comes."""

import asyncio
import os
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import streamlit as st
from streamlit.runtime import RuntimeState, exists, get_instance
from streamlit.runtime.pages_manager import PagesManager

from anyloss_core.common.memory import give_back, set_aside, share_one_heap

OPEN_AFTER = 0.5  # seconds: the server takes visitors once its start is over
TIDY_EVERY = 30.0  # seconds
MANY_MODULES = 100  # that were loaded since the collector was told to leave them alone

_at_start: list[Callable[[], None]] = []
_when_empty: list[Callable[[], None]] = []


def at_start(warm: Callable[[], None]) -> None:
    """Have this done, in the background, when the server starts."""
    _at_start.append(warm)


def when_empty(clear: Callable[[], None]) -> None:
    """Have this done whenever nobody is there."""
    _when_empty.append(clear)


def trust_navigation() -> None:
    """Let no visitor be told 'Page not found'.

    Until st.navigation has run once, Streamlit takes the files of pages/ for the pages, and a
    first visitor who comes by a link to /compare would see its dialog.
    """
    PagesManager.uses_pages_directory = False


@asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """Keep memory and threads together, and open a browser: an st.App only prints its address."""
    share_one_heap()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is loaded
    tidying = asyncio.create_task(_tidy())
    starting = [asyncio.create_task(asyncio.to_thread(warm)) for warm in _at_start]
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().call_later(OPEN_AFTER, webbrowser.open, _address())
    yield
    for task in (tidying, *starting):
        task.cancel()


async def _tidy() -> None:
    """Keep what visitors leave behind from piling up."""
    loaded = 0
    while True:
        await asyncio.sleep(TIDY_EVERY)
        empty = not exists() or get_instance().state == RuntimeState.NO_SESSIONS_CONNECTED
        if empty:
            for clear in _when_empty:
                clear()
        if empty or len(sys.modules) > loaded + MANY_MODULES:
            loaded = len(sys.modules)
            await asyncio.to_thread(set_aside)
        await asyncio.to_thread(give_back)


def _address() -> str:
    host, port = st.get_option("browser.serverAddress"), st.get_option("server.port")
    return f"http://{host}:{port}/{st.get_option('server.baseUrlPath').strip('/')}"
