"""How long a comparison or a benchmark will take and by which plan, before it is started."""

from collections.abc import Callable

from anyloss_core.benchmark.benchmark import estimate_items
from anyloss_core.benchmark.settings import BenchmarkSettings
from anyloss_core.comparison.estimates import comparison_load, estimate_comparison
from anyloss_core.comparison.protocols import plan_words
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import Dataset
from pages.ui.base.text import duration


def expectation(settings: BenchmarkSettings, workers: int) -> str:
    """How much there is to do, and how long it takes by the measured cost model."""
    seconds = estimate_items(settings, settings.items, workers)
    chosen = settings.comparison
    models = len(chosen.losses) * chosen.folds * chosen.seeds * len(settings.items)
    sizes = sorted(item.rows for item in settings.items if item.rows)
    ends = dict.fromkeys(_plan(chosen.for_rows(rows)) for rows in sizes[:1] + sizes[-1:])
    plan = f" Plan, from the smallest to the largest: {'; '.join(ends)}." if ends else ""
    return (
        f"{len(settings.items)} data sets, {models:,} models: about "
        f"{duration(seconds)} with {workers} "
        f"process{'es' if workers > 1 else ''}. It goes on when you leave the page.{plan}"
    )


def comparison_expectation(dataset: Dataset, make: Callable[[], ComparisonSettings]) -> str:
    """'About 20 s: 30 trainings, and 240 to choose recipes and thresholds. Plan: 90 rows: all rows
    at once, 600 epochs.'; '' while the settings cannot be used."""
    try:
        settings = make().settled(dataset)
        seconds = estimate_comparison(dataset, settings).seconds
    except ValueError:
        return ""
    trainings = len(settings.losses) * settings.all_folds
    engine = len(settings.trained) * settings.all_folds
    more = comparison_load(settings, dataset.rows, 1).models - engine
    choosing = f", and {more:,} to choose recipes and thresholds" if more else ""
    return (
        f"About {duration(max(1, round(seconds)))}: {trainings:,} trainings{choosing}. Plan: "
        f"{_plan(settings)}."
    )


def _plan(settings: ComparisonSettings) -> str:
    return plan_words(settings.plan, settings.training_rows or 0)
