"""What the documents name exists: links, modules and commands."""

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from anyloss_core.cli import build_parser

ROOT = Path(__file__).parents[1]
TRACKED = subprocess.run(
    ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.split()
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
MODULE = re.compile(r"python\s+-m\s+((?:tests|anyloss_core)[\w.]*\w)")
PATH = re.compile(r"`(\w+/[\w/]+\.\w+|(?:anyloss_core|tests|pages)/[\w/]+)`")


@pytest.mark.parametrize("document", TRACKED)
def test_every_link_leads_somewhere(document):
    links = LINK.findall((ROOT / document).read_text(encoding="utf-8"))
    inside = [link for link in links if not link.startswith(("http://", "https://"))]
    assert not [link for link in inside if not ((ROOT / document).parent / link).exists()]


@pytest.mark.parametrize("document", TRACKED)
def test_every_module_and_path_exists(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    assert not [name for name in MODULE.findall(text) if find_spec(name) is None]
    folders = (ROOT, (ROOT / document).parent, ROOT / "anyloss_core")
    named = PATH.findall(text)
    assert not [name for name in named if not any((f / name).exists() for f in folders)]


def test_every_command_of_the_readme_is_understood():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^anyloss (.+)$", text, flags=re.MULTILINE)
    assert len(commands) == 5
    for command in commands:
        build_parser().parse_args(command.split())


def test_ci_finds_one_line_to_test_and_one_to_start():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line.startswith("python3 -m venv ")]
    assert ["pytest" in line for line in commands] == [False, True]
    assert commands[0].endswith("streamlit run app.py")
