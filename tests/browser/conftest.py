"""Fixtures of the user journeys: one server for all, one clean page each."""

from __future__ import annotations

import pytest

from anyloss_core.store.records import ACTIVE
from anyloss_core.store.store import Store
from tests.browser.server import running_app, server_log, tracebacks
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def app(home):
    with running_app(home) as address:
        yield address


@pytest.fixture
def store(home):
    """The store behind the app; no journey may leave a job behind."""
    store = Store(home)
    yield store
    left = store.runs(status=ACTIVE)
    for run in left:
        store.set_control(run.id, "stop")
    assert not left


@pytest.fixture
def visit(browser, app, home, store):
    """A visitor of the app; a journey may leave no exception box and no error in the console."""
    log_before = len(server_log(home))
    visitor = Visit(browser, app)
    yield visitor
    visitor.leave()
    assert not visitor.complaints
    written = server_log(home)[log_before:]
    assert not tracebacks(written), written


@pytest.fixture
def new_visit(browser, app):
    """Makes further visitors, such as a second tab or a dark or narrow window."""
    made = []

    def make(**options):
        made.append(Visit(browser, app, **options))
        return made[-1]

    yield make
    for visitor in made:
        visitor.leave()
        assert not visitor.complaints
