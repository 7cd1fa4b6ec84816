"""Every import of a source text, as names of modules: lazy and relative ones as well.

`from package import module` counts as an import of the module, a name of the public surface as an
import of its home, and a text that spells a module as an import of that module. What stands below
`if TYPE_CHECKING:` is marked: it never runs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Import:
    """One module that another asks for, and the line that does."""

    importer: str
    target: str
    line: int
    types_only: bool = False
    by_text: bool = False  # named in a text, not imported by a statement


def modules() -> dict[str, Path]:
    """All modules of the product by their dotted names; a package by its own name."""
    paths = [ROOT / "app.py"]
    for package in ("anyloss_core", "pages"):
        paths += sorted((ROOT / package).rglob("*.py"))
    return {dotted(path): path for path in paths}


def dotted(path: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imports_of_product(homes: Mapping[str, str]) -> list[Import]:
    """All imports of all modules."""
    known = modules()
    found = []
    for name, path in known.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        text = path.read_text(encoding="utf-8")
        found += read_imports(text, name, package, known, homes)
    return found


def read_imports(
    text: str, importer: str, package: str, known: Collection[str], homes: Mapping[str, str]
) -> list[Import]:
    """The imports of one source text that lies in `package`."""
    found = []
    for node, types_only in _statements(ast.parse(text)):
        for target in _targets(node, package, known, homes):
            by_text = isinstance(node, ast.Constant)
            found.append(Import(importer, target, node.lineno, types_only, by_text))
    return found


def _statements(tree: ast.AST, types_only: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    for node in ast.iter_child_nodes(tree):
        yield node, types_only
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            yield from _statements(ast.Module(node.body, []), True)
            yield from _statements(ast.Module(node.orelse, []), types_only)
        else:
            yield from _statements(node, types_only)


def _targets(
    node: ast.AST, package: str, known: Collection[str], homes: Mapping[str, str]
) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = _absolute(node.module or "", node.level, package)
        for alias in node.names:
            whole = f"{base}.{alias.name}"
            yield homes.get(whole, whole if whole in known else base)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        name = node.value.partition(":")[0]  # "module:function" names a module, too
        if "." in name and name in known:
            yield name
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
        name = getattr(node.args[0], "value", "")
        if isinstance(name, str) and name.startswith("."):
            bare = name.lstrip(".")
            yield _absolute(bare, len(name) - len(bare), package)


def _absolute(name: str, level: int, package: str) -> str:
    if not level:
        return name
    above = package.split(".")[: len(package.split(".")) - level + 1]
    return ".".join([*above, *([name] if name else [])])
