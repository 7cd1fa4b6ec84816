"""Pages without a browser: each test has a store of its own, and no job outlives it."""

from __future__ import annotations

import functools
import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import Runtime
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from anyloss_core.benchmark.benchmark import run_benchmark
from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.jobs.jobs import run_job
from anyloss_core.store.bundle import export_bundle, import_bundle
from anyloss_core.store.store import Store
from pages.ui.runs import runs
from tests.small_suite import write_suite
from tests.support.thread_server import ThreadServer

# AppTest reads what every installed package says of itself before each run: a third of a second.
manifest_scanner.scan_component_manifests = functools.cache(
    manifest_scanner.scan_component_manifests
)
APP = Path(__file__).parents[2] / "app.py"
PATIENCE = 120  # seconds; the machine may be busy
DATA = "builtin:breast_cancer_imbalanced"  # of the stored comparisons
COMPARED = ComparisonSettings(losses=("anyloss:f1", "bce", "bce+threshold"), folds=3, epochs=20)


@pytest.fixture(autouse=True)
def through_the_frame(monkeypatch):
    """AppTest sees a folder pages/ and would open a page without app.py around it."""
    build = PagesManager.__init__

    def build_for_navigation(self, *arguments, **named):
        build(self, *arguments, **named)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", build_for_navigation)


@pytest.fixture(autouse=True)
def no_runtime_left():
    """A page that took too long leaves AppTest's stand-in for a server behind."""
    yield
    Runtime._instance = None


@pytest.fixture
def open_page(tmp_path, monkeypatch):
    """open_page("metric", L=5) runs the app on a page with settings in the link."""
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path))
    monkeypatch.setattr(runs, "JobServer", ThreadServer)
    runs.store.clear()
    serve_at("localhost")

    def open_one(url: str = "home", **query: object) -> AppTest:
        test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        for name, value in query.items():
            test.query_params[name] = str(value)
        test._page_hash = "" if url == "home" else calc_hash(url)  # as a link opens it
        return test.run()

    yield open_one
    runs.server.clear()  # ends its workers
    runs.store.clear()
    serve_at("localhost")


def serve_at(address: str | None) -> None:
    """Let the server listen here: on localhost it is the user's own, elsewhere everybody's."""
    config.set_option("server.address", address)


@pytest.fixture
def visit(open_page, monkeypatch):
    """visit("anna", "runs") opens a page as the browser that owns what anna owns."""

    def as_owner(owner: str, url: str = "home", **query: object) -> AppTest:
        monkeypatch.setattr(runs, "owner", lambda: owner)
        return open_page(url, **query)

    return as_owner


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


@pytest.fixture(scope="session")
def bundle(tmp_path_factory):
    """A finished comparison, trained once for all tests."""
    return _trained(tmp_path_factory.mktemp("bundle"), COMPARED, "made")


@pytest.fixture
def made(open_page, bundle):
    """The finished comparison in the store of the page."""
    return import_bundle(runs.store(), bundle)


@pytest.fixture(scope="session")
def bundles(tmp_path_factory):
    """Two finished comparisons that differ in the seed, trained once for all tests."""
    losses = ("bce", "anyloss:f1")
    return [
        _trained(
            tmp_path_factory.mktemp("bundles"),
            ComparisonSettings(losses=losses, folds=3, epochs=10, seed=seed),
            f"s{seed}",
        )
        for seed in (0, 1)
    ]


@pytest.fixture
def two(open_page, bundles):
    """The two comparisons in the store of the page."""
    return [import_bundle(runs.store(), bundle) for bundle in bundles]


def _trained(home: Path, settings: ComparisonSettings, title: str) -> bytes:
    store = Store(home)
    run_id = store.create_run("compare", job_settings(DATA, settings), title, queue=False)
    run_job(store, run_id)
    return export_bundle(store, run_id)


@pytest.fixture(scope="session")
def suite(tmp_path_factory):
    """Five small tables, and one that nobody can learn from."""
    return write_suite(tmp_path_factory.mktemp("many") / "suite", tables=5)


@pytest.fixture(scope="session")
def benchmark_home(suite, tmp_path_factory):
    """A store with a small benchmark, and the id of its run."""
    home, losses = tmp_path_factory.mktemp("benchmark"), ("bce", "mse", "anyloss:f1")
    store = Store(home)
    more = {"folds": 3, "epochs": 15, "store": store}
    run_id = run_benchmark(suite, (*losses, "anyloss:gmean"), **more).run_id
    store.close()
    return home, run_id


@pytest.fixture
def finished_run(benchmark_home, tmp_path):
    """The small benchmark in the store that the page will open."""
    home, run_id = benchmark_home
    shutil.copytree(home, tmp_path, dirs_exist_ok=True)
    return run_id


@pytest.fixture
def train_page(open_page):
    """The page Train with settings in the link, which must open without a fault."""
    return lambda **query: clean(open_page("train", **query))


@pytest.fixture
def store(tmp_path, open_page):
    """The store that the page sees."""
    return Store(tmp_path)


def clean(app: AppTest) -> AppTest:
    """The page, which shows no fault."""
    assert not app.exception
    assert not app.error, [box.value for box in app.error]
    return app


def button(app: AppTest, label: str):
    """The first button of this name."""
    return next(button for button in app.button if button.label == label)


def drawn(script: Callable, **given: object) -> AppTest:
    """What a function draws on an empty page; it is run as a script, so it imports inside."""
    page = AppTest.from_function(script, default_timeout=PATIENCE, kwargs=given).run()
    assert not page.exception, page.exception[0].value
    return page


def charts(test: AppTest) -> dict[str, dict]:
    """The charts of a page by their key: alt text, figure, file name."""
    sent = [json.loads(e.proto.json) for e in test.get("bidi_component") if e.proto.json]
    found = {data["key"]: data for data in sent if "figure" in data}
    return {key: data | {"figure": json.loads(data["figure"])} for key, data in found.items()}


def behind(page: AppTest, key: str):
    """The table behind a chart, as a click on Table shows it."""
    page.session_state[f"rows:{key}"] = True
    return page.run().dataframe[0].value


def contests(page: AppTest):
    """The table of every AnyLoss against every baseline, on the page Many data sets."""
    return next(f.value for f in page.dataframe if "candidate wins" in f.value.columns)


def shown(page: AppTest) -> str:
    """Text with the sentence, which is written as HTML."""
    return all_text(page) + "\n".join(str(part.proto.body) for part in page.get("html"))


def all_text(test: AppTest) -> str:
    """What a page says, in one string."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "warning", "error", "info")
    parts = [
        element.value
        for kind in (*kinds, "success", "code", "text", "html")
        for element in test.get(kind)
    ]
    return "\n".join(str(part) for part in parts)
