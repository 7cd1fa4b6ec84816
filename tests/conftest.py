"""What all tests share: property tests without a clock, the same cases in every run."""

import os

import pytest
from hypothesis import HealthCheck, settings

# One thread a process: idle threads that wait for each other slow a busy machine down. Set here,
# because it counts only before torch is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile(
    "lab", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lab")


def pytest_collection_modifyitems(items):
    """Leave property tests out of --cov: they walk lines that are known thousands of times more."""
    for item in items:
        if getattr(getattr(item, "function", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.no_cover)


@pytest.fixture
def store(tmp_path):
    """An empty store of the test's own."""
    from anyloss_core.store.store import Store

    store = Store(tmp_path / "home")
    yield store
    store.close()


@pytest.fixture(scope="session")
def browser():
    """One for all tests of a process: playwright cannot be started twice."""
    from playwright.sync_api import Error, sync_playwright

    from tests.browser.server import NO_BROWSER, find_browser

    with sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(
                executable_path=find_browser(), args=["--no-sandbox"]
            )
        except Error as fault:
            pytest.fail(f"{NO_BROWSER}\n{fault}")
        yield launched
        launched.close()
