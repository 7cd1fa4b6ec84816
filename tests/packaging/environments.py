"""The wheel, and fresh environments outside the checkout that hold it.

Nothing is downloaded: what the wheel needs is lent by the environment of the tests. `plain` gets
links to exactly the packages that a plain install brings, by their own metadata; `full` sees all.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LENT = Path(sysconfig.get_path("purelib"))
BUILD_FROM = ("pyproject.toml", "README.md", "LICENSE")


def build_wheel(folder):
    """Build from a copy, because setuptools writes beside the sources."""
    copy = folder / "sources"
    shutil.copytree(
        ROOT / "anyloss_core", copy / "anyloss_core", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in BUILD_FROM:
        shutil.copy(ROOT / name, copy / name)
    _quiet(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, copy)
    shutil.rmtree(copy)
    return next(folder.glob("*.whl"))


class Environment:
    """A fresh environment with the wheel, and an empty folder to work in."""

    def __init__(self, folder, wheel):
        venv.create(folder / "env", with_pip=False)
        self.python = folder / "env" / "bin" / "python"
        self.folder = folder / "empty"
        self.folder.mkdir()
        self.home = folder / "home"
        pip = (sys.executable, "-m", "pip", "--python", self.python, "--quiet")
        _quiet(*pip, "install", "--no-deps", "--no-index", wheel)
        self.packages = next((folder / "env").glob("lib/python*/site-packages"))

    def lend_all(self):
        """See every package of the tests' environment, after the own ones."""
        (self.packages / "lent.pth").write_text(f"{LENT}\n", encoding="utf-8")
        return self

    def lend_needed(self):
        """See what a plain install brings, and nothing else."""
        for distribution in _needed("anyloss-lab", self.packages):
            for top in {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
                link = self.packages / top
                if not link.exists():
                    link.symlink_to(distribution.locate_file(top))
        return self

    def run(self, *command, code=0, **more):
        """Run a program of the environment in the empty folder."""
        program = self.python.with_name(command[0])
        done = subprocess.run(
            [program, *map(str, command[1:])],
            cwd=self.folder,
            env=_environment() | {"ANYLOSS_HOME": str(self.home)},
            capture_output=True,
            text=True,
            **more,
        )
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr


def _environment():
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}


def _needed(name, packages):
    """The distributions that pip would bring along with one, in this environment."""
    found, open_names = {}, [name]
    while open_names:
        distribution = _distribution(open_names.pop(), packages)
        for text in distribution.requires or ():
            requirement = Requirement(text)
            key = re.sub(r"[-_.]+", "-", requirement.name).lower()
            marker = requirement.marker
            wanted = marker is None or marker.evaluate({"extra": ""})
            if wanted and key not in found:
                found[key] = _distribution(key, packages)
                open_names.append(key)
    return found.values()


def _distribution(name, packages):
    search = [str(packages), str(LENT)]
    return next(iter(importlib.metadata.distributions(name=name, path=search)))


def _quiet(*command):
    done = subprocess.run(
        [str(part) for part in command], env=_environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
