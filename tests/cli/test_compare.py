"""`compare`, held against the function it stands for."""

import json

import numpy as np
import pytest

import anyloss_core as al
from anyloss_core.cli import main
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.statistics.verdict_sentence import headline

QUICK = ["--folds", "3", "--epochs", "15"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "tumours.csv"
    builtin("breast_cancer_imbalanced").to_csv(path)
    return str(path)


def test_compare_writes_the_agreed_json(file, tmp_path, capsys):
    out = tmp_path / "out.json"
    losses = "bce,anyloss:f1@L=20,lr=0.05,bce+threshold"
    arguments = ["compare", file, "--target", "diagnosis", "--losses", losses, *QUICK]
    assert main([*arguments, "--json", str(out)]) == 0
    found = json.loads(out.read_text())
    assert set(found) == {"scores", "settings", "seconds"}
    assert set(found["scores"][0]) == {"loss", "metric", "mean", "std", "folds"}
    data = al.load_csv(file, target="diagnosis")
    spelled = ["bce", "anyloss:f1@L=20,lr=0.05", "bce+threshold"]
    expected = al.compare(data, spelled, folds=3, epochs=15)
    assert found["scores"] == expected.to_dict()["scores"]
    row = next(r for r in found["scores"] if r["loss"] == "bce" and r["metric"] == "f1")
    assert row["mean"] == pytest.approx(np.mean(row["folds"]))
    assert row["std"] == pytest.approx(np.std(row["folds"], ddof=1))
    sentence = headline(expected.scores, "tumours", expected.settings)
    assert sentence in capsys.readouterr().out


def test_compare_with_a_dash_writes_json_and_nothing_else(file, capsys):
    arguments = ["compare", file, "--target", "diagnosis", "--positive", "malignant", *QUICK]
    main([*arguments, "--json", "-"])
    heard = capsys.readouterr()
    assert {row["loss"] for row in json.loads(heard.out)["scores"]} == {"bce", "anyloss:f1"}


def test_compare_prints_a_formula_and_chosen_metrics(capsys):
    formula = "anyloss:TP / (TP + FP + FN)"
    main(["compare", "builtin:moons", "--losses", f"bce,{formula}", "--metrics", "mcc", *QUICK])
    printed = capsys.readouterr().out
    assert "on TP / (TP + FP + FN)" in printed.replace("\n", " ")
    assert "mcc" in printed
    assert "accuracy" not in printed
