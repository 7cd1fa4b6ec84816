"""How long a benchmark will take, in words."""

from anyloss_core.benchmark.settings import BenchmarkSettings, Item, comparison_settings
from pages.ui.choice.expected_time import expectation


def words(workers):
    items = tuple(Item(f"t{number}", f"real:t{number}", rows=1000) for number in range(8))
    compared = comparison_settings(losses=("bce", "anyloss:f1"), folds=5, seeds=2)
    return expectation(BenchmarkSettings("eight", items, compared), workers)


def test_data_sets_models_and_processes_are_counted():
    assert words(1).startswith("8 data sets, 160 models: about ")
    assert "with 1 process. It goes on" in words(1)
    assert "with 4 processes. It goes on" in words(4)
