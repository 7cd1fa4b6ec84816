"""What no line of the product may do: unpickle, evaluate text, unpack to paths, put values in SQL,
name what only some systems have, read text in an encoding that the system chooses.

Read from the syntax trees of all modules, so that a new line is judged as the old ones were.
"""

import ast
import importlib
from pathlib import Path

import pytest

from anyloss_core.jobs import queue
from anyloss_core.store import bundle, database

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "anyloss_core").rglob("*.py"))]
SOURCES += sorted((ROOT / "pages").rglob("*.py"))

FORBIDDEN_MODULES = {
    "pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "yaml",
    "jsonpickle", "pickletools", "code", "imp",
}  # fmt: skip
FORBIDDEN_CALLS = {
    "eval", "exec", "compile", "__import__", "breakpoint", "torch.load", "torch.jit.load",
    "torch.hub.load", "np.load", "numpy.load", "pd.read_pickle", "pandas.read_pickle",
    "pd.read_hdf", "os.system", "os.popen", "tempfile.mktemp", "shutil.unpack_archive",
}  # fmt: skip
FORBIDDEN_METHODS = {"extractall", "extract", "read_pickle", "to_pickle", "enable_load_extension"}
OWN_PROCESSES = "joblib.externals.loky"  # hands work to processes that it started itself
STATEMENTS = ("execute", "executemany", "executescript")


def _trees():
    for path in SOURCES:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def _calls():
    for path, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield path, node, ast.unparse(node.func)


def _name(path):
    return path.relative_to(ROOT).as_posix()


def _place(path, node):
    return f"{_name(path)}:{node.lineno}"


def test_nothing_that_unpickles_is_imported():
    found = []
    for path, tree in _trees():
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names = [name for name in names if name != OWN_PROCESSES]
            found += [_place(path, node) for n in names if n.split(".")[0] in FORBIDDEN_MODULES]
    assert not found


def test_nothing_that_unpickles_evaluates_or_unpacks_is_called():
    found = []
    for path, node, name in _calls():
        method = isinstance(node.func, ast.Attribute) and node.func.attr in FORBIDDEN_METHODS
        if name in FORBIDDEN_CALLS or method:
            found.append(f"{_place(path, node)} {name}")
    assert not found


def test_no_call_allows_pickles_a_shell_or_raw_html():
    bad = {"allow_pickle", "shell", "unsafe_allow_html", "unsafe_allow_javascript"}
    found = [
        f"{_place(path, node)} {keyword.arg}"
        for path, node, _ in _calls()
        for keyword in node.keywords
        if keyword.arg in bad
    ]
    assert not found


# What may stand in the text of a statement beside constants: names of tables and columns that are
# written in this program, and question marks. Values always travel as parameters.
PARTS = {
    "anyloss_core/store/bundle.py": {"name", "order", "', '.join(columns)"},
    "anyloss_core/store/database.py": {
        *("MAX_WAL_BYTES", "SCHEMA", "SCHEMA_VERSION", "INCREMENTAL"),
        *("SHRINK_PAGES", "SHRINK_WAIT"),
    },
    "anyloss_core/jobs/queue.py": {"QUEUE_ORDER"},
    "anyloss_core/store/store.py": {"change", "live", "where"},
    "anyloss_core/store/rows.py": {
        "table", "', '.join(row)", "', '.join('?' * len(row))",
        "', '.join(names)", "', '.join('?' * len(names))", "'REPLACE' if replace else 'INSERT'",
    },
}  # fmt: skip
NAMED = {("anyloss_core/store/store.py", "query")}  # a constant, one line above
MAY_CONNECT = {"anyloss_core/store/database.py", "anyloss_core/jobs/liveness.py"}


def test_values_reach_sql_as_parameters_only():
    found = []
    for path, node, _ in _calls():
        if not (isinstance(node.func, ast.Attribute) and node.func.attr in STATEMENTS):
            continue
        text = node.args[0]
        parts = {ast.unparse(p.value) for p in ast.walk(text) if isinstance(p, ast.FormattedValue)}
        written = isinstance(text, ast.Constant | ast.JoinedStr)
        named = (_name(path), ast.unparse(text)) in NAMED
        if not (written or named) or parts - PARTS.get(_name(path), set()):
            found.append(f"{_place(path, node)} {ast.unparse(text)[:80]}")
    assert not found


def test_every_rule_names_a_file():
    ruled = {*PARTS, *(name for name, _ in NAMED), *MAY_CONNECT, *MAY_NAME_POSIX}
    assert ruled <= {_name(path) for path in SOURCES}


def test_what_is_put_into_statements_comes_from_this_program():
    names = [*bundle.TABLES, *(column for table in bundle.TABLES.values() for column in table)]
    assert all(name.isidentifier() for name in names)
    assert isinstance(database.SCHEMA, str)
    assert "{" not in database.SCHEMA + queue.QUEUE_ORDER
    tree = ast.parse((ROOT / "anyloss_core" / "store" / "store.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):  # `where` is only ever made by filters, of its own keywords
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "(where, values)":
            assert ast.unparse(node.value.func) == "filters"
            assert all(keyword.arg for keyword in node.value.keywords)


def test_columns_of_a_new_row_are_written_in_this_program():
    seen = 0
    for path, node, name in _calls():
        if name == "insert_run":
            assert all(keyword.arg for keyword in node.keywords), _place(path, node)
            seen += 1
        elif name == "insert_rows":
            table, columns = node.args[1], node.args[3]
            if (ast.unparse(table), ast.unparse(columns)) != ("name", "TABLES[name]"):
                assert isinstance(table, ast.Constant), _place(path, node)
                assert all(isinstance(one, ast.Constant) for one in columns.elts)
            seen += 1
    assert seen >= 5


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_only_the_store_and_the_locks_open_databases(path):
    if "sqlite3.connect" in path.read_text(encoding="utf-8"):
        assert _name(path) in MAY_CONNECT


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_displayed_maths_ends_on_its_line_or_stands_between_fences(path):
    """Streamlit takes what follows an open $$ on its line for a name, and prints the rest raw."""
    for line in path.read_text(encoding="utf-8").splitlines():
        assert line.strip() == "$$" or line.count("$$") % 2 == 0, line


# What only some systems have. Each place that may name it has a counterpart for the others.
POSIX = {
    "killpg", "getpgrp", "getpgid", "setsid", "fork", "forkpty", "fcntl", "resource", "termios",
    "pwd", "grp", "sysconf", "statvfs", "getuid", "geteuid", "mkfifo", "uname", "setitimer",
    "ITIMER_PROF", "SIGKILL", "SIGSTOP", "SIGCONT", "SIGPROF", "SIGALRM", "SIGHUP", "SIGUSR1",
    "start_new_session", "preexec_fn", "process_group", "nice", "umask", "chmod", "chown",
    "symlink",
}  # fmt: skip
POSIX_PATHS = ("/proc", "/sys", "/dev", "/tmp", "/etc", "/usr", "/var", "proc/", "sys/")
MAY_NAME_POSIX = {
    "anyloss_core/jobs/processes.py": POSIX,  # groups, signals, limits, and what stands in for them
    "anyloss_core/common/memory.py": {"resource"},  # inside of a suppress
    "anyloss_core/store/database.py": {"chmod"},  # changes nothing where there are no modes
}
MAY_NAME_PATHS = {"anyloss_core/jobs/processes.py", "anyloss_core/common/memory.py"}


def _names(node):
    """The names that a node of the syntax tree uses."""
    if isinstance(node, ast.Attribute):
        return {node.attr}
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {node.module or "", *(alias.name for alias in node.names)}
    return {node.arg} if isinstance(node, ast.keyword) else set()


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_what_only_posix_has_is_named_in_few_places(path):
    allowed = MAY_NAME_POSIX.get(_name(path), set())
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [f"{_place(path, n)} {_names(n) & POSIX - allowed}" for n in ast.walk(tree)
             if _names(n) & POSIX - allowed]  # fmt: skip
    if _name(path) not in MAY_NAME_PATHS:
        texts = (n for n in ast.walk(tree) if isinstance(n, ast.Constant))
        found += [_place(path, n) for n in texts if str(n.value).startswith(POSIX_PATHS)]
    assert not found


def _is_binary(node):
    """Whether a call of open names a mode with a b."""
    given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    modes = [one.value for one in given if isinstance(one, ast.Constant)]
    return any(isinstance(mode, str) and "b" in mode and len(mode) <= 3 for mode in modes)


def test_text_is_read_and_written_with_an_encoding():
    """Windows would take that of its language, and another one on the next machine."""
    found = []
    for path, node, name in _calls():
        method = name.rpartition(".")[2]
        text = method in ("read_text", "write_text") or (name == "open" and not _is_binary(node))
        if text and "encoding" not in {keyword.arg for keyword in node.keywords}:
            found.append(f"{_place(path, node)} {name}")
    assert not found


def _scripts():
    """What no test runs as a whole: benchmarks, load, screenshots."""
    paths = [*(ROOT / "tests" / "benchmarks").glob("*.py"), *(ROOT / "tests" / "load").glob("*.py")]
    paths += (ROOT / "tests" / "browser").glob("*.py")
    return sorted(path for path in paths if not path.name.startswith(("_", "test_", "conftest")))


@pytest.mark.parametrize("path", _scripts(), ids=lambda path: path.stem)
def test_a_script_finds_everything_that_it_imports(path):
    importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
