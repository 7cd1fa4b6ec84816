"""What each command computes, held against the functions it stands for."""

import json

import numpy as np
import pandas as pd
import pytest

import anyloss_core as al
from anyloss_core.cli import main
from anyloss_core.datasets import builtin
from anyloss_core.suite_sentence import suite_headline
from anyloss_core.verdict_sentence import headline

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


def test_sign_test_prints_and_writes_every_rope(tmp_path, capsys):
    rows = [
        (f"d{place}", loss, "f1", 0.5 + (0.03 if loss != "bce" and place % 4 else 0))
        for place in range(20)
        for loss in ("bce", "anyloss:f1")
    ]
    scores = pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])
    scores.to_csv(tmp_path / "scores.csv", index=False)
    arguments = ["sign-test", str(tmp_path / "scores.csv"), "--baseline", "bce"]
    main([*arguments, "--rope", "0.01,0.05", "--json", "-"])
    verdicts = json.loads(capsys.readouterr().out)["verdicts"]
    assert [verdict["rope"] for verdict in verdicts] == [0.01, 0.05]
    narrow = al.sign_test(scores, rope=0.01, baseline="bce")
    assert verdicts[0]["candidate_wins"] == narrow.candidate_wins
    assert verdicts[1]["draw"] > 0.99
    main(arguments)
    assert "candidate_wins" in capsys.readouterr().out


def test_valid_range_gives_table_1_and_what_the_paper_lacks(capsys):
    main(["valid-range", "--json", "-"])
    levels = {row["t"]: row for row in json.loads(capsys.readouterr().out)["levels"]}
    assert (levels[0.1]["minimum"], levels[0.1]["maximum"]) == al.valid_range(0.1)
    main(["valid-range", "--dtype", "float32"])
    printed = capsys.readouterr().out
    assert "41.58" in printed  # the maximum at t = 0.1
    assert "33.27" in printed
    assert "no L is valid" in printed


@pytest.fixture
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path / "home"))


def test_reproduce_writes_cells_that_are_all_equal(own_store, capsys):
    main(["reproduce", "--parts", "valid_range", "--json", "-"])  # the quickest; others: published
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"cells", "seconds", "settings"}
    wanted = {"table", "dataset", "loss", "metric", "published", "ours", "equal"}
    assert all(wanted <= set(cell) and cell["equal"] is True for cell in found["cells"])
    assert len(found["cells"]) >= 10


def test_reproduce_prints_how_many_are_equal_and_keeps_it(own_store, capsys):
    main(["reproduce", "--parts", "valid_range"])
    printed = capsys.readouterr().out
    assert "12 of 12 figures equal" in printed
    assert "73.47" in printed
    assert "kept since" not in printed
    main(["reproduce", "--parts", "valid_range"])
    assert "kept since" in capsys.readouterr().out
    main(["reproduce", "--parts", "valid_range", "--again"])
    assert "kept since" not in capsys.readouterr().out


def test_benchmark_writes_tidy_scores_and_says_who_won(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path / "home"))
    folder = tmp_path / "tables"
    folder.mkdir()
    for seed in range(3):
        data = builtin("moons")
        rows = np.random.default_rng(seed).permutation(data.rows)[:120]
        data.frame.iloc[rows].assign(y=data.labels[rows]).to_csv(
            folder / f"table {seed}.csv", index=False
        )
    out, report = tmp_path / "scores.csv", tmp_path / "report.html"
    arguments = ["benchmark", "--suite", str(folder), "--losses", "bce,anyloss:f1"]
    main([*arguments, "--out", str(out), "--report", str(report), *QUICK])
    printed = capsys.readouterr().out
    sentence = suite_headline(pd.read_csv(out))
    assert sentence in printed
    assert sentence in report.read_text(encoding="utf-8")
    assert "wins" in printed
    assert "candidate_wins" in printed
    scores = pd.read_csv(out)
    assert list(scores.columns) == ["dataset", "loss", "metric", "score"]
    assert scores["dataset"].nunique() == 3
    main(["sign-test", str(out), "--metric", "f1"])
    assert "anyloss:f1" in capsys.readouterr().out
