"""How long a benchmark will take, in words."""

from anyloss_core.benchmark.settings import BenchmarkSettings, Item, comparison_settings
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.suites.builtin import builtin
from pages.ui.choice.expected_time import comparison_expectation, expectation


def words(workers):
    items = tuple(Item(f"t{number}", f"real:t{number}", rows=1000) for number in range(8))
    compared = comparison_settings(losses=("bce", "anyloss:f1"), folds=5, seeds=2)
    return expectation(BenchmarkSettings("eight", items, compared), workers)


def test_data_sets_models_and_processes_are_counted():
    assert words(1).startswith("8 data sets, 160 models: about ")
    assert "with 1 process. It goes on" in words(1)
    assert "with 4 processes. It goes on" in words(4)


def test_a_benchmark_tells_the_plan_of_its_smallest_and_its_largest_table():
    assert words(1).endswith(" to the largest: 800 rows: all rows at once, 600 epochs.")
    items = (Item("a", "real:a", rows=300), Item("b", "real:b", rows=125_000), Item("c", "file:c"))
    compared = comparison_settings(losses=("bce",), model="mlp", folds=5)
    said = expectation(BenchmarkSettings("three", items, compared), 1)
    assert "240 rows: all rows at once, 200 epochs; 100,000 rows: batches of 1,024, 20" in said
    assert "Plan" not in expectation(BenchmarkSettings("one", items[2:], compared), 1)


def test_a_comparison_tells_its_trainings_repeats_included():
    settings = ComparisonSettings(losses=("bce", "anyloss:f1"), folds=10, repeats=2)
    said = comparison_expectation(builtin("moons"), lambda: settings)
    assert said.startswith("About ")
    # Four recipes more on ten folds, twice; five recipes on each of five inner folds.
    assert ": 40 trainings, and 580 to choose recipes and thresholds. Plan: " in said
    assert said.endswith(" rows: all rows at once, 600 epochs.")


def test_a_comparison_that_chooses_nothing_has_no_more_trainings():
    settings = ComparisonSettings(losses=("bce", "anyloss:f1@L=10", "boosted_trees"), repeats=1)
    said = comparison_expectation(builtin("moons"), lambda: settings)
    assert ": 30 trainings. Plan: " in said


def test_settings_that_cannot_be_used_have_no_time():
    assert comparison_expectation(builtin("moons"), lambda: ComparisonSettings(losses=())) == ""
