"""`benchmark` writes tidy scores and says who won."""

import numpy as np
import pandas as pd

from anyloss_core.cli import main
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.statistics.suite_sentence import suite_headline

QUICK = ["--folds", "3", "--epochs", "15"]


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
