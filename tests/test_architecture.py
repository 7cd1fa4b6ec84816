"""The rooms of the house: who may import whom, where files lie, and that everything is typed.

ALLOWED is the map. Every import is held against it: lazy ones inside functions, relative ones,
`from package import module`, and modules that are only named in a text.
"""

import ast
import importlib
import re
import subprocess
import sys

import pytest

import anyloss_core
from anyloss_core.jobs.jobs import KINDS, find_job
from anyloss_core.paper.parts import PARTS
from tests.support.imports import ROOT, Import, imports_of_product, modules, read_imports

BELOW = "common losses engine data statistics store jobs"  # what serves every kind of study
ALLOWED = {  # room -> rooms it may import; a room and what lies in it may always import itself
    "common": "",
    "losses": "",
    "engine": "common losses",
    "data": "common",
    "statistics": "common losses data.cells",
    "store": "",
    "jobs": "common store",
    "comparison": BELOW,
    "sweep": f"{BELOW} comparison",
    "estimator": "losses engine comparison",
    "live": f"{BELOW} comparison",
    "benchmark": f"{BELOW} comparison",
    "teaching": "common losses engine data comparison live",
    "paper": f"{BELOW} comparison benchmark",
    "figures": "common losses statistics teaching paper.names",
    "export": f"{BELOW} comparison sweep benchmark figures",
    "cli": f"{BELOW} comparison sweep estimator live benchmark teaching paper figures export",
    "functional": "losses",
    "__main__": "cli",
}
DOORS = ("__main__", "functional")  # modules, not rooms
TYPES_ONLY = {"figures": "live comparison"}  # below `if TYPE_CHECKING:`
DISPATCH = "anyloss_core.jobs.jobs"  # names the function of each kind of run by a text

# Rooms of pages/ui: from what every page needs to what one page needs. A room may import those
# before it; the rooms of pages may not import each other.
SHARED = ("base", "charts", "runs", "data", "choice")
PAGE_ROOMS = ("train", "compare", "sweep", "many", "paper", "teach", "browse", "home")

TOP_LEVEL = {"app.py", "pages", "anyloss_core", "tests", "requirements.txt", ".streamlit"}
TOP_LEVEL |= {"README.md", "LICENSE", "pyproject.toml", ".gitignore", ".ci"}
TOP_LEVEL |= {"CHANGELOG.md", "CONTRIBUTING.md", ".pre-commit-config.yaml"}

HOMES = {f"anyloss_core.{n}": f"anyloss_core.{home}" for n, home in anyloss_core._WHERE.items()}
MODULES = modules()
IMPORTS = imports_of_product(HOMES)
CORE = {name: path for name, path in MODULES.items() if name.startswith("anyloss_core")}


def _inside(name, package):
    return name == package or name.startswith(f"{package}.")


def _dispatched(found: Import):
    return found.by_text and found.importer == DISPATCH


def _core_fault(found: Import):
    """Why an import in the core is forbidden, or ''."""
    if found.target.split(".")[0] in ("streamlit", "pages"):
        return "the core knows nothing of the pages"
    if not _inside(found.target, "anyloss_core") or _dispatched(found):
        return ""
    if found.importer == "anyloss_core":
        return "the public surface imports when a name is first used"
    if found.target == "anyloss_core":
        return "" if found.importer.startswith("anyloss_core.cli") else "name the module"
    room = found.importer.split(".")[1]
    rooms = [room, *ALLOWED[room].split()]
    rooms += TYPES_ONLY.get(room, "").split() if found.types_only else []
    fine = any(_inside(found.target, f"anyloss_core.{other}") for other in rooms)
    return "" if fine else f"{room} may import {ALLOWED[room] or 'nothing'}"


def _page_fault(found: Import):
    """Why an import in the pages is forbidden, or ''."""
    importer, target = found.importer.split("."), found.target.split(".")
    if target[0] == "app":
        return "nobody imports the app"
    if target[0] != "pages":
        return ""
    if target[:2] != ["pages", "ui"]:
        return "pages do not import each other, and components no pages"
    if importer[:2] != ["pages", "ui"]:
        return ""
    room, other = importer[2], target[2]
    before = SHARED[: SHARED.index(room)] if room in SHARED else SHARED
    return "" if other in (room, *before) else f"{room} may import {', '.join(before)}"


def _fault(found: Import):
    return _core_fault(found) if _inside(found.importer, "anyloss_core") else _page_fault(found)


def _sentence(found: Import):
    return f"{found.importer}:{found.line} imports {found.target}: {_fault(found)}"


def test_every_import_is_allowed():
    assert not [_sentence(found) for found in IMPORTS if _fault(found)]


def test_the_table_and_the_folders_name_the_same_rooms():
    rooms = {name.split(".")[1] for name in CORE if "." in name}
    assert rooms == set(ALLOWED)
    ui = {name.split(".")[2] for name in MODULES if name.startswith("pages.ui.")}
    assert ui == {*SHARED, *PAGE_ROOMS}


FORBIDDEN = {
    "plain": "import anyloss_core.store.store",
    "renamed": "import anyloss_core.store.store as kept",
    "a name": "from anyloss_core.store.store import Store",
    "a module of a package": "from anyloss_core.store import store",
    "a room of the house": "from anyloss_core import store",
    "a name of the public surface": "from anyloss_core import compare",
    "lazy": "def work():\n    from anyloss_core.store.store import Store",
    "lazy in a method": "class A:\n    async def b(self):\n        import anyloss_core.store.store",
    "in a try": "try:\n    import anyloss_core.store.store\nexcept ImportError:\n    pass",
    "relative": "from ..store.store import Store",
    "relative module": "from ..store import store",
    "relative room": "from .. import store",
    "by name": "import importlib\nkept = importlib.import_module('anyloss_core.store.store')",
    "by a relative name": "kept = import_module('..store.store', __package__)",
    "the other branch": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass\nelse:\n"
        "    import anyloss_core.store.store"
    ),
    "types": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
        "    from anyloss_core.store.store import Store"
    ),
    "a text": "HOME = 'anyloss_core.store.store:Store'",
    "everything": "import anyloss_core as al\nal.compare",
    "a page": "from pages.ui.base import frame",
    "streamlit": "def show():\n    import streamlit as st",
}


def _faults_of(text, importer):
    package = importer.rpartition(".")[0]
    found = read_imports(text, importer, package, MODULES, HOMES)
    return [_sentence(one) for one in found if _fault(one)]


@pytest.mark.parametrize("text", FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_forbidden_import_is_caught_in_every_form(text):
    assert _faults_of(text, "anyloss_core.losses.scores")


@pytest.mark.parametrize("text", FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_module_that_may_is_not_accused(text):
    may = "pages" not in text and "streamlit" not in text
    assert bool(_faults_of(text, "anyloss_core.cli.compare")) != may


def test_types_alone_may_come_from_where_values_may_not():
    guarded = "if TYPE_CHECKING:\n    from anyloss_core.live.history import History"
    plain = "from anyloss_core.live.history import History"
    assert not _faults_of(guarded, "anyloss_core.figures.training")
    assert _faults_of(plain, "anyloss_core.figures.training")


def test_only_the_named_part_of_a_room_is_open():
    assert not _faults_of("from anyloss_core.paper import names", "anyloss_core.figures.paper")
    assert _faults_of("from anyloss_core.paper import tables", "anyloss_core.figures.paper")
    assert _faults_of("from anyloss_core import paper", "anyloss_core.figures.paper")
    assert _faults_of("from anyloss_core.data import target", "anyloss_core.statistics.ranks")


@pytest.mark.parametrize(
    ("importer", "text"),
    [
        ("pages.home", "from pages import train_live"),
        ("pages.ui.base.frame", "import pages.home"),
        ("pages.ui.base.frame", "from pages.ui.charts import charts"),
        ("pages.ui.charts.charts", "def draw():\n    from pages.ui import runs"),
        ("pages.ui.train.form", "from ..compare import controls"),
    ],
)
def test_a_page_that_reaches_up_or_aside_is_caught(importer, text):
    assert _faults_of(text, importer)


def _cycle(edges):
    """A module that reaches itself, or None."""
    for start in edges:
        seen, todo = set(), list(edges[start])
        while todo:
            module = todo.pop()
            if module == start:
                return start
            if module not in seen:
                seen.add(module)
                todo += edges.get(module, ())
    return None


def test_no_module_needs_itself():
    edges = {name: set() for name in MODULES}
    for found in IMPORTS:
        if found.target in edges and not found.types_only and not _dispatched(found):
            edges[found.importer].add(found.target)
    assert _cycle(edges) is None


def test_no_room_needs_itself():
    rooms = {
        room: [name.split(".")[0] for name in allowed.split()] for room, allowed in ALLOWED.items()
    }
    assert {name for names in rooms.values() for name in names} <= set(rooms)
    assert _cycle(rooms) is None


def test_a_cycle_is_found():
    assert _cycle({"a": ["b"], "b": ["c"], "c": ["b"]}) == "b"
    assert _cycle({"a": ["b", "c"], "b": ["c"], "c": []}) is None


def test_every_kind_of_run_and_part_of_the_paper_names_a_function():
    assert all(callable(find_job(kind)) for kind in KINDS)
    for part in PARTS.values():
        module, _, function = part.target.partition(":")
        home = importlib.import_module(f"anyloss_core.paper.tasks.{module}")
        assert callable(getattr(home, function))


def test_every_public_name_is_at_home_where_it_is_said_to_be():
    for name in anyloss_core.__all__:
        assert getattr(anyloss_core, name) is not None


def test_only_bayes_imports_baycomp():
    users = {found.importer for found in IMPORTS if found.target.split(".")[0] == "baycomp"}
    assert users == {"anyloss_core.statistics.bayes"}


def _tracked():
    command = ["git", "ls-files"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def test_nothing_else_lies_at_the_top_level():
    assert {name.split("/")[0] for name in _tracked()} <= TOP_LEVEL


def test_the_core_is_rooms_and_nothing_beside_them():
    direct = {name for name in _tracked() if re.fullmatch(r"anyloss_core/[^/]+", name)}
    names = {name.split("/")[1] for name in direct}
    assert names <= {"__init__.py", "__main__.py", "functional.py", "README.md", "py.typed"}


ROOMS = [f"anyloss_core/{room}" for room in ALLOWED if room not in DOORS]
ROOMS += [f"pages/ui/{room}" for room in (*SHARED, *PAGE_ROOMS)]


@pytest.mark.parametrize("room", ["anyloss_core", "pages/ui", *ROOMS])
def test_every_room_says_what_it_answers_and_names_files_that_exist(room):
    text = (ROOT / room / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# ")
    folders = (ROOT / room, ROOT / "anyloss_core", ROOT)
    named = re.findall(r"`(?!test_)([a-z_./]+\.(?:py|js))`", text)
    assert not [name for name in named if not any((folder / name).exists() for folder in folders)]
    if room != "anyloss_core":  # the map
        assert "read first" in text.lower()
        assert "must not know" in text.lower()


def test_every_module_has_a_test_file_of_its_name():
    missing = []
    for name, path in MODULES.items():
        inside = path.relative_to(ROOT / "anyloss_core" if name in CORE else ROOT)
        test = ROOT / "tests" / inside.parent / f"test_{inside.name}"
        if not path.name.startswith("__") and not test.exists():
            missing.append(name)
    assert missing == ["app"]  # run by all tests of pages


def test_importing_the_core_loads_nothing_heavy():
    code = "import sys, anyloss_core; print('torch' in sys.modules, 'pandas' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("path", CORE.values(), ids=CORE)
def test_every_public_core_function_is_typed(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            bare = [
                a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls")
            ]
            assert node.returns is not None, node.name
            assert not bare, f"{node.name}: {bare}"
