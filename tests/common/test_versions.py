"""Which versions a result was made with, and a digest that changes with the code."""

import platform
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from anyloss_core.common.versions import program, versions

ROOT = Path(__file__).parents[2]


def test_versions_are_those_that_are_installed():
    found = versions()
    assert found["python"] == platform.python_version()
    assert found["torch"] == version("torch")
    assert found["scikit-learn"] == version("scikit-learn")


def digest_in(folder):
    code = "from anyloss_core.common.versions import program; print(program())"
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    return run.stdout.strip()


def test_the_digest_changes_with_the_code_of_any_room_and_with_nothing_else(tmp_path):
    kept = shutil.ignore_patterns("__pycache__", "*.csv", "*.json")
    shutil.copytree(ROOT / "anyloss_core", tmp_path / "anyloss_core", ignore=kept)
    assert digest_in(tmp_path) == program()
    (tmp_path / "anyloss_core" / "losses" / "notes.txt").write_text("no code")
    assert digest_in(tmp_path) == program()
    with (tmp_path / "anyloss_core" / "losses" / "scores.py").open("a") as file:
        file.write("\n# another line\n")
    assert len(digest_in(tmp_path)) == 16
    assert digest_in(tmp_path) != program()
