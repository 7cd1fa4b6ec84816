"""Memory is not underestimated, and what cannot fit is refused before it begins."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anyloss_core import AnyLossClassifier
from anyloss_core.benchmark.settings import Item
from anyloss_core.benchmark.units import UnitTask, attempt
from anyloss_core.common.memory import TooLarge
from anyloss_core.comparison.comparison import ComparisonSettings, compare
from anyloss_core.comparison.estimates import (
    check_comparison,
    comparison_load,
    estimate_comparison,
)
from anyloss_core.export.model_file import train_final
from tests.support.generated import synthetic

ROOT = Path(__file__).parents[2]
HOUR = 3600.0
LOADED = 600_000_000  # bytes of a process with torch, pandas and scikit-learn, and their heaps
FOUR = ("mse", "bce", "anyloss:f1", "anyloss:balanced_accuracy")
MEASURED = {  # name -> (data, settings)
    "thresholds": ({"rows": 20_000}, {"losses": ("bce", "anyloss:f1", "bce+threshold")}),
    "added rows": ({"rows": 20_000}, {"losses": ("bce", "bce+smote", "bce+undersample")}),
    "shared rows": ({"rows": 100_000}, {"losses": FOUR, "protocol": "paper", "folds": 10}),
    "hidden units": ({"rows": 10_000}, {"losses": FOUR, "model": "mlp", "hidden": (64, 32)}),
    "curves": ({"rows": 200}, {"losses": FOUR, "folds": 20, "epochs": 500, "curves": 0}),
    "wide": ({"rows": 2_000, "features": 500}, {"losses": FOUR}),
}

# Each case in a child that inherits the loaded libraries; its peak is its own.
MEASURE = """
import json, os, resource
from anyloss_core.comparison.comparison import Comparing, ComparisonSettings
from tests.support.generated import synthetic
from tests.comparison.test_estimates import MEASURED, case
for name in MEASURED:
    if os.fork() == 0:
        comparing = Comparing(*case(name))
        for _ in comparing: pass
        comparing.result()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps([name, peak * 1024]), flush=True)
        os._exit(0)
    assert os.wait()[1] == 0
"""


def case(name):
    data, settings = MEASURED[name]
    chosen = ComparisonSettings(**{"folds": 5, "epochs": 2} | settings)
    return synthetic(**{"features": 10, "imbalance": 4, "seed": 0} | data), chosen


def run_python(code, **more):
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True,
                          **more)  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are counted in other units elsewhere")
def test_memory_is_not_underestimated_and_not_grossly_overestimated():
    run = run_python(MEASURE)
    assert run.returncode == 0, run.stderr[-2000:]
    used = dict(json.loads(line) for line in run.stdout.splitlines())
    assert set(used) == set(MEASURED)
    for name, peak in used.items():
        guess = estimate_comparison(*case(name))
        assert peak <= LOADED + guess.bytes <= 4 * peak, (name, peak, guess)


def test_the_models_of_tuned_thresholds_are_counted():
    assert comparison_load(case("thresholds")[1], 100, 3).models == 5 * (
        1 + (1 + 5) + 5 * (1 + 5)  # bce, its tuned twin, five recipes of AnyLoss
    )


@pytest.mark.parametrize(
    ("changes", "figure", "repair"),
    [
        ({"repeats": 10**9}, "620,000,000,000 models", "fewer .*repeats"),
        ({"seeds": 10**12}, "GB of memory", "fewer .*repeats"),
        ({"epochs": 10**9, "curves": 0}, "1,000,000,000 epochs", "fewer epochs"),
        ({"model": "mlp", "hidden": (10**7,) * 2}, "GB of memory", "fewer .*hidden units"),
    ],
)
def test_what_cannot_fit_is_refused_at_once_with_the_figure_and_the_repair(changes, figure, repair):
    begun = time.monotonic()
    chosen = {"losses": FOUR, "folds": 10} | changes
    with pytest.raises(TooLarge, match=rf"(?s){figure}.* are free; use .*{repair}"):
        compare(synthetic(rows=500, features=4, imbalance=3, seed=0), **chosen)
    assert time.monotonic() - begun < 5


def test_a_run_with_a_limit_of_time_is_refused_when_it_would_take_longer():
    data = synthetic(rows=20_000, features=20, imbalance=3, seed=0)
    long = ComparisonSettings(FOUR, model="mlp", hidden=(64,), repeats=10, epochs=5000)
    with pytest.raises(TooLarge, match=r"take about [\d,.]+ hours of the 2 .*use fewer epochs"):
        check_comparison(data, long, 2 * HOUR)
    check_comparison(data, long)  # without a limit, a user may wait
    check_comparison(data, ComparisonSettings(FOUR), 2 * HOUR)


def test_every_door_refuses():
    data = synthetic(rows=200, features=4, imbalance=3, seed=0)
    huge = {"model": "mlp", "hidden": [10**7, 10**7]}
    with pytest.raises(TooLarge, match="this model"):
        train_final(data, "bce", huge)
    with pytest.raises(TooLarge, match="this training"):
        AnyLossClassifier(hidden=(10**7, 10**7)).fit(data.frame, data.labels)
    with pytest.raises(TooLarge, match="this training"):  # three classes
        AnyLossClassifier(hidden=(10**7, 10**7)).fit(data.frame, [0, 1] * 80 + [2] * 40)
    task = UnitTask(Item("one", "synthetic:rows=200", 200), {"losses": ["bce"], **huge})
    assert "GB are free" in attempt(task).reason


# The largest comparison that is let in under a limit of the process must also get through.
NEAR_THE_LIMIT = """
import resource
from anyloss_core.comparison.comparison import ComparisonSettings, compare
from anyloss_core.comparison.estimates import check_comparison
from tests.support.generated import synthetic
from anyloss_core.common.memory import TooLarge
import anyloss_core.comparison.assembly, sklearn.impute, sklearn.preprocessing, sklearn.compose

chosen = {"losses": ("bce", "anyloss:f1", "bce+threshold"), "folds": 4, "epochs": 2}
compare(synthetic(rows=500, features=10, seed=0), **chosen)  # everything is loaded
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 400_000_000,) * 2)
refused = ""
for rows in range(480_000, 0, -24_000):
    data = synthetic(rows=rows, features=10, imbalance=4, seed=0)
    try:
        check_comparison(data, ComparisonSettings(**chosen))
        break
    except TooLarge as refusal:
        refused = str(refusal)
found = compare(data, **chosen)
print(rows, len(found.scores), refused)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
def test_the_largest_that_is_let_in_gets_through():
    run = run_python(NEAR_THE_LIMIT)
    assert run.returncode == 0, run.stderr[-2000:]
    rows, scores, refused = run.stdout.split(maxsplit=2)
    assert 10_000 < int(rows) < 480_000
    assert int(scores) == 3 * 4 * 16
    assert "MB of memory" in refused
    assert "use fewer rows" in refused


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="ulimit is a command of the shell")
def test_the_command_line_refuses_in_one_line_under_a_limit():
    command = (
        f"ulimit -v 3000000; exec {sys.executable} -m anyloss_core compare "
        "synthetic:rows=500000,features=12 --losses bce,anyloss:f1"
    )
    run = subprocess.run(
        ["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, text=True, env=os.environ
    )
    assert run.returncode == 2, run.stderr[-2000:]
    assert run.stdout == ""
    assert len(run.stderr.splitlines()) == 1
    assert "of memory" in run.stderr
    assert "use fewer rows" in run.stderr
