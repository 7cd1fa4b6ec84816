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


def test_a_comparison_tells_its_trainings_repeats_included():
    settings = ComparisonSettings(losses=("bce", "anyloss:f1"), folds=10, repeats=2)
    said = comparison_expectation(builtin("moons"), lambda: settings)
    assert said.startswith("About ")
    assert said.endswith(": 40 trainings.")


def test_settings_that_cannot_be_used_have_no_time():
    assert comparison_expectation(builtin("moons"), lambda: ComparisonSettings(losses=())) == ""
