"""The direction of imports: pages -> pages/ui -> anyloss_core, and never back."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "anyloss_core").rglob("*.py"))
FIGURES = sorted((ROOT / "anyloss_core" / "figures").glob("*.py"))
PAGES = sorted((ROOT / "pages").glob("*.py"))
UI = sorted((ROOT / "pages" / "ui").rglob("*.py"))
TOP_LEVEL = {"app.py", "pages", "anyloss_core", "tests", "requirements.txt", ".streamlit"}
TOP_LEVEL |= {"README.md", "LICENSE", "pyproject.toml", ".gitignore", ".ci"}


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module


def _name(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CORE, ids=_name)
def test_the_core_knows_nothing_of_the_pages(path):
    assert not [name for name in _imports(path) if name.split(".")[0] in ("streamlit", "pages")]


def test_only_bayes_imports_baycomp():
    users = [path.name for path in CORE + UI + PAGES if "baycomp" in set(_imports(path))]
    assert users == ["bayes.py"]


@pytest.mark.parametrize("path", UI, ids=_name)
def test_shared_components_do_not_import_pages(path):
    siblings = {f"pages.{page.stem}" for page in PAGES}
    assert not siblings & set(_imports(path))


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_pages_do_not_import_each_other(path):
    assert all(n.startswith("pages.ui") for n in _imports(path) if n.split(".")[0] == "pages")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "anyloss_core" / "figures").glob("*.py")), ids=_name
)
def test_figures_draw_and_do_not_train(path):
    heavy = {"anyloss_core.engine", "anyloss_core.store", "anyloss_core.jobs"}
    assert not heavy & set(_imports(path))


def test_nothing_else_lies_at_the_top_level():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    assert {name.split("/")[0] for name in tracked if name} <= TOP_LEVEL


def test_importing_the_core_loads_nothing_heavy():
    code = "import sys, anyloss_core; print('torch' in sys.modules, 'pandas' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("path", CORE, ids=_name)
def test_every_public_core_function_is_typed(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            bare = [
                a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls")
            ]
            assert node.returns is not None, node.name
            assert not bare, f"{node.name}: {bare}"
