"""The app with the network cut off: it starts, works, and asks nobody for anything."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WAYS = (["unshare", "-rn"], ["unshare", "-n"])  # as a user, or as root


def cut_off() -> list[str]:
    """The beginning of a command that runs without a network, where the system allows it."""
    for way in WAYS:
        try:
            if subprocess.run([*way, "true"], capture_output=True).returncode == 0:
                return way
        except FileNotFoundError:
            break
    return []  # then the guard alone refuses, in every Python process


def test_nothing_is_asked_of_the_network_unless_openml_is(tmp_path):
    way = cut_off()
    command = [*way, sys.executable, "-m", "tests.browser.offline_visit", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr[-3000:]
    found = json.loads(run.stdout.splitlines()[-1])
    assert found["cut"] == bool(way)
    assert found["start"] == ""
    assert found["use"] == ""
    assert found["complaints"] == []
    assert found["tracebacks"] == 0
    assert "openml.org" in found["asked"]  # the guard does notice
    assert "network" in found["openml"].lower()
