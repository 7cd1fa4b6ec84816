"""`predict`: what a saved model says of new rows."""

import pandas as pd
import pytest

import anyloss_core as al
from anyloss_core.cli import main
from anyloss_core.data.suites.builtin import builtin

QUICK = ["--folds", "3", "--epochs", "15"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "tumours.csv"
    builtin("breast_cancer_imbalanced").to_csv(path)
    return str(path)


def test_compare_saves_a_model_that_predict_uses(file, tmp_path, capsys):
    model, report = str(tmp_path / "model.zip"), tmp_path / "report.html"
    arguments = ["compare", file, "--target", "diagnosis", *QUICK]
    main([*arguments, "--save-model", model, "--report", str(report)])
    assert "AnyLoss Lab" in report.read_text(encoding="utf-8")
    capsys.readouterr()
    main(["predict", model, file])
    table = pd.read_csv(pd.io.common.StringIO(capsys.readouterr().out))
    assert (table["predicted diagnosis"] == al.load_model(model).predict(file)).all()
    main(["predict", model, file, "--out", str(tmp_path / "out.csv")])
    assert pd.read_csv(tmp_path / "out.csv").equals(table)
    assert table.columns[-1] == "score in [0, 1], cut at 0.5"


def test_a_calibrated_model_is_saved_when_asked(file, tmp_path, capsys):
    model = str(tmp_path / "model.zip")
    main(["compare", file, "--target", "diagnosis", *QUICK, "--save-model", model, "--calibrate"])
    capsys.readouterr()
    main(["predict", model, file])
    header = capsys.readouterr().out.partition("\n")[0]
    assert header.endswith("P(diagnosis = malignant)")
