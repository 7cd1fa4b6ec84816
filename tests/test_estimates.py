"""Estimates of memory and time: what grows must grow, and memory must not be underestimated."""

import subprocess
import sys
from dataclasses import replace

from anyloss_core.comparison import ComparisonSettings
from anyloss_core.datasets import synthetic
from anyloss_core.estimates import estimate, estimate_comparison
from tests.engine_studies import MLP, study, table

SCRIPT = """
import resource
from anyloss_core.comparison import Comparing, ComparisonSettings
from anyloss_core.datasets import synthetic
data = synthetic(rows=60_000, features=10, imbalance=4, seed=0)
settings = ComparisonSettings(("bce", "anyloss:f1", "bce+threshold"), folds=5, epochs=2)
list(Comparing(data, settings))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_more_rows_models_and_epochs_cost_more():
    small = estimate(study(data=table(200)))
    assert small.models == 57
    for other in (
        study(data=table(4000)),
        study(data=table(200, 90)),
        study(data=table(200), epochs=400),
    ):
        found = estimate(other)
        assert found.bytes >= small.bytes
        assert found.seconds > small.seconds
    assert estimate(study(network=MLP, batch=4)).seconds > estimate(study(network=MLP)).seconds


def test_the_memory_of_a_comparison_is_not_underestimated():
    data = synthetic(rows=60_000, features=10, imbalance=4, seed=0)
    settings = ComparisonSettings(("bce", "anyloss:f1", "bce+threshold"), folds=5, epochs=2)
    guess = estimate_comparison(data, settings)
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    used = int(run.stdout) * (1024 if sys.platform != "darwin" else 1)
    assert used <= guess.bytes <= 5 * used
    assert guess.models == 5 * (2 + 1 + 3)
    more = estimate_comparison(data, replace(settings, losses=(*settings.losses, "mse")))
    assert more.bytes > guess.bytes
