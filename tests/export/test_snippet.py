"""'Copy code': the script runs on its own and prints the scores of the page."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import anyloss_core as al
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.snippet import comparison_script, model_lines
from anyloss_core.statistics.verdict_sentence import headline

ROOT = Path(__file__).parents[2]
SETTINGS = {
    "losses": ["bce", "anyloss:f1@L=20", "bce+threshold"],
    "model": "mlp",
    "hidden": [3],
    "folds": 3,
    "epochs": 25,
    "seed": 7,
    "lr": 0.05,
}


def _run(script, folder):
    path = folder / "script.py"
    path.write_text(script, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, path], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _scores(printed):
    """The table as {(metric, column): number}."""
    rows = [line.split() for line in printed.splitlines() if line[:2].strip()]
    return {row[0]: [float(cell) for cell in row[1:]] for row in rows if row[0] in al.METRICS}


def test_the_script_of_an_upload_prints_the_scores_of_the_page(tmp_path):
    file = tmp_path / "my 'odd\" name.csv"
    builtin("moons").to_csv(file)
    dataset = al.load_csv(file, target="target")
    comparison = al.compare(dataset, **SETTINGS)
    reference = f"upload:{'0' * 32}?target=target&positive={dataset.positive}"
    # The settings of the finished comparison hold more than was given; they must do as well.
    printed = _run(comparison_script(reference, comparison.settings, file.name), tmp_path)
    assert printed.startswith(headline(comparison.scores, dataset.name, comparison.settings))
    expected = comparison.summary().T.round(4)
    for metric, numbers in _scores(printed).items():
        assert numbers == expected.loc[metric].tolist()
    assert len(_scores(printed)) == len(al.METRICS)


def test_the_script_of_built_in_data_prints_the_same_scores(tmp_path):
    settings = {"folds": 2, "epochs": 5, "losses": ["anyloss:gmean"]}
    printed = _run(comparison_script("builtin:moons", settings), tmp_path)
    expected = al.compare(builtin("moons"), **settings).summary().T.round(4)
    for metric, numbers in _scores(printed).items():
        assert numbers == expected.loc[metric].tolist()
    assert len(_scores(printed)) == len(al.METRICS)


@pytest.mark.parametrize(
    "evil", ['"""; import os; os.abort() #', "'); quit(); ('", "a\nimport os", "\\", "{0}{data}"]
)
def test_names_from_outside_never_become_code(evil):
    from anyloss_core.data.suites.references import Reference

    reference = str(Reference("upload", "0" * 32, target=evil, positive=evil, drop=(evil,)))
    tree = ast.parse(comparison_script(reference, {}, evil))
    names = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert names <= {
        *("al.load_csv", "al.compare", "print", "headline", "comparison.summary"),
        *("comparison.summary().T.round", "comparison.summary().T.round(4).to_string"),
    }
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert values.count(evil) == 4


def test_the_short_form_names_the_file_with_its_ending_and_runs(tmp_path):
    file = tmp_path / "my 'odd\" name.csv"
    builtin("moons").to_csv(file)
    dataset = al.load_csv(file, target="target")
    reference = f"upload:{'0' * 32}?target=target&positive={dataset.positive}"
    settings = al.compare(dataset, ["anyloss:f1"], folds=2, epochs=20).settings
    lines = model_lines(reference, dataset, settings, "anyloss:f1", "f1", 0.45, file.name)
    assert f"FILE = {file.name!r}" in lines
    assert "f1-score" in _run(lines, tmp_path)
    lines = model_lines("builtin:moons", dataset, settings, "anyloss:f1", "f1")
    assert "open_reference('builtin:moons')" in lines
    assert "f1-score" in _run(lines, tmp_path)
