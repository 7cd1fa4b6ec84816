"""Every page opens clean on every kind of data, and says in words what cannot be opened."""

import pytest

from anyloss_core.store.store import Store
from pages.ui.base.navigation import PAGES
from pages.ui.data import reading
from tests.pages.conftest import all_text
from tests.pages.ui.data.test_sources import GOOD

FIXED = (
    "builtin:moons",
    "real:DAAG/leafshape",
    "twin:3",
    "synthetic:rows=200,features=3,imbalance=5",
)
URLS = [info.url for info in PAGES]
# Pages that name the chosen data set and do not open it.
WITHOUT_DATA = ("lessons", "approximation", "many", "paper", "runs")


@pytest.fixture(autouse=True)
def nothing_opened_before():
    reading.KEPT.clear()


@pytest.mark.parametrize("data", FIXED)
@pytest.mark.parametrize("url", URLS)
def test_a_page_opens_on_data_that_comes_with_it(open_page, url, data):
    page = open_page(url, data=data)
    assert not page.exception
    assert not page.warning
    assert not page.error


@pytest.mark.parametrize("url", URLS)
def test_a_page_opens_on_a_file_of_the_visitor(open_page, tmp_path, url):
    upload = Store(tmp_path).save_upload(GOOD, {"name": "shop"})
    page = open_page(url, data=f"upload:{upload}?target=bought")
    assert not page.exception
    assert not page.warning
    assert not page.error
    assert "shop" in all_text(page)


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """Readers that find nobody behind the proxy of their network, and nothing kept."""
    reading.READERS.end()
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    yield
    reading.READERS.end()


@pytest.mark.parametrize("url", URLS)
def test_a_page_opens_on_a_table_of_openml_that_cannot_be_reached(open_page, offline, url):
    page = open_page(url, data="openml:31")
    assert not page.exception
    assert not page.error
    assert bool(page.warning) == (url not in WITHOUT_DATA)
    if page.warning:
        assert "OpenML cannot be reached" in page.warning[0].value
