"""The function without us gives the classes and scores of the model, in a Python without us."""

import ast
import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from anyloss_core.export.model_file import train_final
from anyloss_core.export.standalone_python import python_function
from tests.export import models

KINDS = [
    ("bce", "slp", "fresh"),
    ("anyloss:f1", "mlp", "fresh"),
    ("mse", "mlp", "paper"),  # a linear output behind batch norm
    ("anyloss:f2", "mlp", "as_released"),  # in float32
]
ASK = """
import csv, json, sys
from model import predict
rows = csv.DictReader(open("rows.csv", encoding="utf-8", newline=""))
print(json.dumps([predict(row) for row in rows]))
print(json.dumps(sorted(name for name in sys.modules if name.startswith(("anyloss", "numpy")))))
"""


def _function(source):
    names = {}
    exec(compile(source, "model.py", "exec"), names)  # what the test is about
    return names["predict"]


@pytest.mark.parametrize(("loss", "network", "protocol"), KINDS)
def test_it_predicts_as_the_model_does_in_a_python_without_us(tmp_path, loss, network, protocol):
    settings = {"epochs": 30, "model": network, "protocol": protocol}
    model = train_final(models.dataset(), loss, settings)
    rows = models.new_rows()
    rows.to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "model.py").write_text(python_function(model), encoding="utf-8")
    (tmp_path / "ask.py").write_text(ASK, encoding="utf-8")
    # -I: neither this folder nor the user's packages; -S: no installed packages at all
    started = [sys.executable, "-I", "-S", "-c", "import sys; sys.path.insert(0, '.'); import ask"]
    done = subprocess.run(started, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answers, ours = map(json.loads, done.stdout.splitlines())
    assert ours == []
    classes, scores = zip(*answers, strict=True)
    exact = 1e-5 if protocol == "as_released" else 1e-9
    np.testing.assert_allclose(scores, model.scores(rows), rtol=exact, atol=exact)
    np.testing.assert_array_equal(classes, model.predict(rows))
    assert len(set(classes)) == 2


@pytest.mark.parametrize("rows", [300, 1_100])  # Platt's sigmoid, isotonic regression
def test_a_calibrated_model_gives_its_probabilities(rows):
    model = train_final(models.dataset(rows), "bce", {"epochs": 5}, calibrate=True)
    assert model.calibration.method == ("sigmoid" if rows == 300 else "isotonic")
    new = models.new_rows()
    predict = _function(python_function(model))
    found = [predict(row)[2] for row in new.to_dict("records")]
    np.testing.assert_allclose(found, model.predict_proba(new), atol=1e-9)


@pytest.fixture(scope="module")
def predict():
    return _function(python_function(train_final(models.dataset(), "bce", {"epochs": 5})))


def _row(**cells):
    return models.patients(3).drop(columns="answer").iloc[1].to_dict() | cells


def test_cells_may_be_values_or_their_texts(predict):
    text = {name: str(cell) for name, cell in _row().items()}
    assert predict(_row()) == predict(text)
    assert predict(_row(day="2024-02-03")) == predict(_row(day=date(2024, 2, 3)))
    assert predict(_row(day="2024-02-03")) != predict(_row(day="2024-03-13"))


def test_a_gap_may_be_written_in_many_ways(predict):
    expected = predict(_row(**{models.COLUMN: None}))
    assert expected != predict(_row())
    for gap in ("", " NA ", "n/a", "?", float("nan"), float("inf"), "unknown"):
        assert predict(_row(**{models.COLUMN: gap})) == expected


def test_a_number_written_in_another_way_is_no_gap_but_an_error(predict):
    with pytest.raises(ValueError, match="no number such as"):
        predict(_row(**{models.COLUMN: "1.234,5"}))
    with pytest.raises(ValueError, match="no date such as"):
        predict(_row(day="31.12.2024"))


def test_a_column_that_lacks_is_named(predict):
    with pytest.raises(KeyError, match="huge"):
        predict({name: cell for name, cell in _row().items() if name != "huge"})


def test_a_spreadsheets_apostrophe_is_taken_away(predict):
    evil = models.LEVELS[3]
    assert predict(_row(**{models.CATEGORY: f"'{evil}"})) == predict(
        _row(**{models.CATEGORY: evil})
    )


def test_the_threshold_decides():
    model = train_final(models.dataset(), "bce", {"epochs": 5})
    for threshold, expected in ((-1.0, models.CLASSES[0]), (1.0, models.CLASSES[1])):
        predict = _function(python_function(replace(model, threshold=threshold)))
        assert predict(_row())[0] == expected


def test_names_from_outside_never_become_code():
    tree = ast.parse(python_function(train_final(models.dataset(), "bce", {"epochs": 1})))
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(one) for one in imports] == [
        "import math",
        "from datetime import UTC, datetime",
    ]
    assert [type(node).__name__ for node in tree.body] == [
        "Expr",
        "Import",
        "ImportFrom",
        "FunctionDef",
    ]
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
    assert {models.COLUMN, models.CATEGORY, *models.LEVELS, *models.CLASSES} <= texts


def test_rows_of_a_csv_are_read_as_the_lab_reads_them(predict):
    rows = models.new_rows()
    written = csv.DictReader(io.StringIO(rows.to_csv(index=False)))
    assert [predict(row) for row in written] == [predict(row) for row in rows.to_dict("records")]
