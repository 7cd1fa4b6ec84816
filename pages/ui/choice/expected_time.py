"""How long a benchmark will take, in words, before it is started."""

from anyloss_core.benchmark.benchmark import estimate_items
from anyloss_core.benchmark.settings import BenchmarkSettings
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
