"""A small suite, and a benchmark of it that nobody interrupted."""

import pytest

from anyloss_core.benchmark.benchmark import run_benchmark
from anyloss_core.store.store import Store
from tests.small_suite import QUICK, write_suite


@pytest.fixture(scope="package")
def suite(tmp_path_factory):
    return write_suite(tmp_path_factory.mktemp("benchmark") / "suite")


@pytest.fixture(scope="module")  # a test may take the run up again, which replaces it
def serial(suite, tmp_path_factory):
    """An uninterrupted run: the benchmark and the bytes of its file."""
    home = tmp_path_factory.mktemp("serial")
    seen = []
    found = run_benchmark(
        suite, store=Store(home), out=home / "scores.csv", on_progress=seen.append, **QUICK
    )
    return found, (home / "scores.csv").read_bytes(), seen, Store(home)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")
