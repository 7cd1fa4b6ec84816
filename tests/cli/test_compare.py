"""`compare`, held against the function it stands for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import anyloss_core as al
from anyloss_core.cli import main
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.statistics.verdict_sentence import headline
from tests.support.leaky_table import LEAK, leaky_csv

ROOT = Path(__file__).parents[2]
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
    usual = {"bce", "bce+threshold", "anyloss:f1"}
    assert {row["loss"] for row in json.loads(heard.out)["scores"]} == usual


def test_compare_prints_a_formula_and_chosen_metrics(capsys):
    formula = "anyloss:TP / (TP + FP + FN)"
    main(["compare", "builtin:moons", "--losses", f"bce,{formula}", "--metrics", "mcc", *QUICK])
    printed = capsys.readouterr().out
    assert "on TP / (TP + FP + FN)" in printed.replace("\n", " ")
    assert "mcc" in printed
    assert "accuracy" not in printed


SHORT = ["compare", "builtin:moons", "--folds", "2", "--epochs", "3"]


def in_a_process(*arguments, stdout=subprocess.PIPE, **environment):
    command = [sys.executable, "-m", "anyloss_core", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdout=stdout, stderr=subprocess.PIPE
    )


@pytest.mark.parametrize(
    ("encoding", "environment"),
    [
        ("cp1252", {"PYTHONIOENCODING": "cp1252"}),
        ("ascii", {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}),
    ],
)
def test_no_encoding_costs_the_result(encoding, environment, tmp_path):
    out = tmp_path / "out.json"
    done = in_a_process(*SHORT, "--json", str(out), **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "* beats all others, ~ not decidedly beaten by the best" in done.stdout.decode(encoding)
    assert "On moons, " in done.stdout.decode(encoding)
    assert json.loads(out.read_text())["scores"]


def test_a_full_disk_behind_the_output_costs_no_file(tmp_path):
    out, report, model = tmp_path / "out.json", tmp_path / "r.html", tmp_path / "m.zip"
    files = ["--json", str(out), "--report", str(report), "--save-model", str(model)]
    with open("/dev/full", "wb") as full:
        done = in_a_process(*SHORT, *files, stdout=full)
    assert done.returncode != 0
    assert json.loads(out.read_text())["scores"]
    assert "<html" in report.read_text()
    assert model.stat().st_size > 1000


def test_with_yes_a_long_comparison_is_announced_and_begun(monkeypatch, capsys):
    monkeypatch.setattr("anyloss_core.cli.console.LONG", 0.0)
    with pytest.raises(SystemExit):
        main(SHORT)
    assert "--yes" in capsys.readouterr().err
    assert main([*SHORT, "--yes"]) == 0
    heard = capsys.readouterr()
    assert "expected to take about 0.0 hours" in heard.err
    assert "On moons, " in heard.out


def test_a_column_that_gives_the_answer_away_is_noted(tmp_path, capsys):
    table = tmp_path / "loans.csv"
    table.write_bytes(leaky_csv())
    assert main(["compare", str(table), "--target", "late", *QUICK]) == 0
    assert f"note: '{LEAK}' alone reaches AUC 1.0000" in capsys.readouterr().out
    assert main(["compare", str(table), "--target", "late", "--drop", LEAK, *QUICK]) == 0
    assert "alone reaches" not in capsys.readouterr().out


def test_without_losses_anyloss_stands_beside_bce_and_its_tuned_twin(capsys):
    assert main(SHORT) == 0
    said = capsys.readouterr().out
    for loss in ("BCE ", "BCE with a tuned threshold", "AnyLoss-F1"):
        assert f"\n{loss}" in said
    assert "Inner rows promise AnyLoss-F1 " in said
    assert "chose among 5 recipes; BCE and BCE with threshold for F1 had one." in said
