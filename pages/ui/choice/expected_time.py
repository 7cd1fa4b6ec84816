"""How long a comparison or a benchmark will take, in words, before it is started."""

from collections.abc import Callable

from anyloss_core.benchmark.benchmark import estimate_items
from anyloss_core.benchmark.settings import BenchmarkSettings
from anyloss_core.comparison.estimates import estimate_comparison
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import Dataset
from pages.ui.base.text import duration


def expectation(settings: BenchmarkSettings, workers: int) -> str:
    """How much there is to do, and how long it takes by the measured cost model."""
    seconds = estimate_items(settings, settings.items, workers)
    chosen = settings.comparison
    models = len(chosen.losses) * chosen.folds * chosen.seeds * len(settings.items)
    return (
        f"{len(settings.items)} data sets, {models:,} models: about "
        f"{duration(seconds)} with {workers} "
        f"process{'es' if workers > 1 else ''}. It goes on when you leave the page."
    )


def comparison_expectation(dataset: Dataset, make: Callable[[], ComparisonSettings]) -> str:
    """'About 20 s: 250 trainings'; '' while the settings cannot be used."""
    try:
        settings = make().settled(dataset)
        seconds = estimate_comparison(dataset, settings).seconds
    except ValueError:
        return ""
    trainings = len(settings.losses) * settings.all_folds
    return f"About {duration(max(1, round(seconds)))}: {trainings:,} trainings."
