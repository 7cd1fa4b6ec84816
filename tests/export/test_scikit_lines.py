"""About ten lines of scikit-learn: they run as they are, and train what the comparison trained."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.scikit_lines import INSTALL, scikit_lines
from tests.export import models

ROOT = Path(__file__).parents[2]
MOONS = "dataset = open_reference('builtin:moons')"
TRAINED = {"anyloss:f1": {"L": "5..30", "warm_up": 0.2, "lr": 0.2, "schedule": "linear"}}


def _lines(loss="anyloss:f1", data=None, settings=None, **more):
    found = {"trained": TRAINED, "hidden": [], "epochs": 600} | (settings or {})
    return scikit_lines(MOONS, data or builtin("moons"), found, loss, "f1", **more)


def _calls(lines):
    tree = ast.parse(lines)
    return {
        ast.unparse(node.func): {k.arg: ast.unparse(k.value) for k in node.keywords}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }


def _run(lines, folder):
    (folder / "model.py").write_text(lines, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "model.py"], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ten_lines_hold_the_recipe_that_most_folds_took():
    lines = _lines()
    assert lines.startswith(INSTALL)
    assert len([line for line in lines.splitlines() if line]) <= 10
    given = _calls(lines)["al.AnyLossClassifier"]
    assert given == {"metric": "'f1'", "L": "'5..30'", "warm_up": "0.2", "random_state": "0"}


def test_what_is_not_the_default_is_named():
    trained = {"bce": {"lr": 0.5, "schedule": "constant", "batch": 64}}
    settings = {"trained": trained, "hidden": [8, 4], "epochs": 30, "optimiser": "gd"}
    given = _calls(_lines("bce", settings=settings))["al.AnyLossClassifier"]
    assert given["loss"] == "'bce'"
    assert given["hidden"] == "(8, 4)"
    assert (given["epochs"], given["lr"], given["batch_size"]) == ("30", "0.5", "64")
    assert given["optimizer"] == "'gd'"


def test_a_threshold_is_fixed():
    calls = _calls(_lines("bce+threshold", threshold=0.3712345678))
    assert calls["FixedThresholdClassifier"] == {"threshold": "0.371235"}
    assert calls["al.AnyLossClassifier"]["loss"] == "'bce'"
    assert "FixedThresholdClassifier" not in _lines("bce")


@pytest.mark.parametrize(
    ("loss", "recipes", "expected"),
    [
        ("sol:f1", ["distribution=uniform,warm_up=0"], "sol:f1@distribution=uniform,warm_up=0"),
        ("bce+search", ["weighted_bce"], "weighted_bce"),
        ("anyloss:f1@L=50", [], "anyloss:f1@L=50"),
        ("bce+smote@lr=0.1", [], "bce@lr=0.1"),
    ],
)
def test_every_kind_of_loss_is_spelled(loss, recipes, expected):
    trained = {loss: {"recipes": dict.fromkeys(recipes, 3)}}
    given = _calls(_lines(loss, settings={"trained": trained}))["al.AnyLossClassifier"]
    assert given["loss"] == repr(expected)


def test_the_lines_of_a_table_with_everything_run_and_find_positives(tmp_path):
    table = models.patients(400)
    table.to_csv(tmp_path / "rows.csv", index=False)
    data = dataset_from_frame(table, "answer", models.CLASSES[0], name="rows")
    loading = f"dataset = al.load_csv('rows.csv', target='answer', positive={models.CLASSES[0]!r})"
    settings = {"trained": TRAINED, "hidden": [], "epochs": 60}
    printed = _run(scikit_lines(loading, data, settings, "anyloss:f1", "f1", 0.4), tmp_path)
    (f1,) = re.findall(r"^\s+1\s+\S+\s+\S+\s+(\S+)", printed, re.MULTILINE)
    assert float(f1) > 0.7


def test_a_resampled_loss_runs(tmp_path):
    table = models.patients(200)[[models.COLUMN, "answer"]]
    table.to_csv(tmp_path / "rows.csv", index=False)
    data = dataset_from_frame(table, "answer", models.CLASSES[0], name="rows")
    loading = f"dataset = al.load_csv('rows.csv', target='answer', positive={models.CLASSES[0]!r})"
    settings = {"trained": {}, "hidden": [], "epochs": 20}
    assert "accuracy" in _run(scikit_lines(loading, data, settings, "bce+smote", "f1"), tmp_path)


def test_names_from_outside_never_become_code():
    data = models.dataset()
    tree = ast.parse(scikit_lines(MOONS, data, {}, "anyloss:TP / (TP + FP + FN)", "f1"))
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert "TP / (TP + FP + FN)" in values
    assert not [value for value in values if isinstance(value, str) and "DROP" in value]
