"""Equal settings are the same benchmark, others are not."""

import time

import pytest

from anyloss_core.benchmark.benchmark import find_run, run_benchmark, start_settings
from anyloss_core.benchmark.settings import (
    BenchmarkSettings,
    Item,
    comparison_settings,
    suite_items,
)
from anyloss_core.comparison.settings import SettingsError
from tests.small_suite import QUICK, write_suite


def chosen(suite, **more):
    comparison = comparison_settings(model="slp", **QUICK | more)
    return BenchmarkSettings(str(suite), suite_items(suite), comparison, files=True)


def test_another_file_under_the_same_name_is_another_benchmark(store, tmp_path):
    folder = write_suite(tmp_path / "suite", tables=2, bad=False)
    first = run_benchmark(folder, store=store, **QUICK)
    text = (folder / "t0.csv").read_text().splitlines()
    (folder / "t0.csv").write_text("\n".join(text[:-10]))
    second = run_benchmark(folder, store=store, **QUICK)
    assert first.run_id != second.run_id
    assert second.done["rows"].tolist() == [140, 180]


def test_where_it_is_computed_does_not_make_it_another_benchmark(store, suite):
    settings = chosen(suite)
    run_id = store.create_run("benchmark", start_settings(settings, workers=2), queue=False)
    assert find_run(store, settings).id == run_id
    assert find_run(store, chosen(suite, folds=4)) is None


def test_the_suite_may_be_openml_numbers(store):
    items = suite_items("openml:31, 1464,31")
    assert [item.reference for item in items] == ["openml:31", "openml:1464"]


def test_names_are_checked_in_linear_time():
    items = tuple(Item(str(number), "builtin:random") for number in range(100_000))
    comparison = comparison_settings(model="slp", **QUICK)
    began = time.perf_counter()
    BenchmarkSettings("many", items, comparison)
    assert time.perf_counter() - began < 5  # minutes when each name was searched in all others
    with pytest.raises(SettingsError, match="'7' twice"):
        BenchmarkSettings("many", (*items, items[7]), comparison)
