"""Pages without a browser: each test has a store of its own, and no job outlives it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.ui.runs import runs
from tests.support.thread_server import ThreadServer

APP = Path(__file__).parents[2] / "app.py"
PATIENCE = 120  # seconds; the machine may be busy


@pytest.fixture(autouse=True)
def through_the_frame(monkeypatch):
    """AppTest sees a folder pages/ and would open a page without app.py around it."""
    build = PagesManager.__init__

    def build_for_navigation(self, *arguments, **named):
        build(self, *arguments, **named)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", build_for_navigation)


@pytest.fixture
def open_page(tmp_path, monkeypatch):
    """open_page("metric", L=5) runs the app on a page with settings in the link."""
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path))
    monkeypatch.setattr(runs, "JobServer", ThreadServer)
    runs.store.clear()

    def open_one(url: str = "home", **query: object) -> AppTest:
        test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        for name, value in query.items():
            test.query_params[name] = str(value)
        test._page_hash = "" if url == "home" else calc_hash(url)  # as a link opens it
        return test.run()

    yield open_one
    runs.server.clear()  # ends its workers
    runs.store.clear()


@pytest.fixture
def finished():
    """Wait until the run named in the URL is over."""

    def wait(test: AppTest, name: str = "run") -> AppTest:
        run_id = test.query_params[name]
        deadline = time.monotonic() + PATIENCE
        while runs.store().run(run_id).active and time.monotonic() < deadline:
            time.sleep(0.1)
        return test.run()

    return wait


def all_text(test: AppTest) -> str:
    """What a page says, in one string."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "warning", "error", "info")
    parts = [
        element.value
        for kind in (*kinds, "success", "code", "text", "html")
        for element in test.get(kind)
    ]
    return "\n".join(str(part) for part in parts)
