"""The short versions of `run.py`, `live.py` and `soak.py`."""

import json
import subprocess
import sys
from pathlib import Path

from tests.load import classroom, live
from tests.load.run import measure

ROOT = Path(__file__).parents[2]


def test_five_visitors_lose_no_job_and_meet_no_exception():
    found = measure(sessions=5, seconds=8, forget=0, tidy=0)
    assert found["lost"] == []
    assert found["faults"] == []
    assert found["tracebacks"] == 0, found["log"]
    assert found["runs"] > 0
    assert found["response"]["click"]["count"] > 5


def test_a_small_class_loses_no_job_and_waits_for_none():
    found = measure(classroom.roles(8), seconds=10, forget=0, tidy=0)
    assert found["lost"] == []
    assert found["faults"] == []
    assert found["tracebacks"] == 0, found["log"]
    assert found["waited"]["longest"] < 30
    assert {"train", "compare", "lesson"} <= set(found["actions"])


def test_a_class_guesses_together_and_everybody_sees_the_answer():
    found = measure(classroom.guessing(6), seconds=10, forget=0, tidy=0)
    assert found["faults"] == []
    assert found["tracebacks"] == 0, found["log"]
    assert found["actions"]["guess"] >= 6  # nobody waits in vain: each ends with the answer
    assert found["actions"]["teach"] >= 1


def test_three_visitors_train_live_at_once_and_are_answered():
    found = live.measure(sessions=3, seconds=6)
    assert found["faults"] == []
    assert found["clicks"]["count"] >= 3 * 5  # open, Start, Pause, Go on, Stop
    assert found["redraws"]["count"] > 3


def test_memory_stays_flat_over_runs_in_one_process():
    command = [sys.executable, "-m", "tests.load.soak", "--runs", "24", "--warm", "12"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)["growth"] < 0.05, run.stdout
