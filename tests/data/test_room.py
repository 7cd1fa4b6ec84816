"""Room for data: a file too large for memory is refused, features are never undercounted."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.preparation import most_features, prepare_fresh
from anyloss_core.data.suites.builtin import builtin

ROOT = Path(__file__).parents[2]
READ = """
import resource, sys
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import read_table
read_table(b"a,b\\n1,2\\n3,4\\n")  # everything is loaded
content = b"a,b\\n" + b"0.123456789,0.987654321\\n" * 800_000  # 19 MB
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 90_000_000,) * 2)
try:
    read_table(content)
except DataError as refusal:
    print(refusal)
print(len(read_table(content[:2_400_004])))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
def test_a_file_that_does_not_fit_is_refused_with_the_figure_and_a_smaller_one_is_read():
    run = subprocess.run([sys.executable, "-c", READ], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    refusal, rows = run.stdout.splitlines()
    assert "needs about 187 MB of memory" in refusal
    assert "fewer rows or columns" in refusal
    assert rows == "100000"


def test_features_are_counted_as_they_will_be_made():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "number": random.normal(size=300),
            "gaps": np.where(random.random(300) < 0.3, np.nan, random.normal(size=300)),
            "few": random.choice(["a", "b", "c", None], 300),
            "many": random.choice([f"level {n}" for n in range(40)], 300),
            "two": random.choice(["yes", "no"], 300),
            "day": pd.date_range("2024-01-01", periods=300, freq="7h"),
            "answer": random.integers(0, 2, 300),
        }
    )
    data = dataset_from_frame(frame, "answer")
    made = len(prepare_fresh(data, np.arange(300)).feature_names)
    assert made <= most_features(data) <= made + 25
    plain = builtin("breast_cancer")
    made = len(prepare_fresh(plain, np.arange(plain.rows)).feature_names)
    assert most_features(plain) == made
