"""How long a benchmark will take, in words, before it is started."""

from anyloss_core.benchmark.settings import BenchmarkSettings
from anyloss_core.comparison.cost_model import Clock
from anyloss_core.comparison.estimates import unit_seconds
from pages.ui.base.text import duration


def expectation(settings: BenchmarkSettings, workers: int) -> str:
    """How much there is to do, and how long it takes by the measured cost model."""
    estimates = [unit_seconds(settings.comparison, item.rows) for item in settings.items]
    chosen = settings.comparison
    models = len(chosen.losses) * chosen.folds * chosen.seeds * len(settings.items)
    return (
        f"{len(settings.items)} data sets, {models:,} models: about "
        f"{duration(Clock().left(estimates, workers))} with {workers} "
        f"process{'es' if workers > 1 else ''}. It goes on when you leave the page."
    )
