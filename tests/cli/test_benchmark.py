"""`benchmark` writes tidy scores and says who won."""

import sys
import time

import numpy as np
import pandas as pd
import pytest

from anyloss_core.cli import main
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.statistics.suite_sentence import suite_headline
from anyloss_core.store.store import Store
from tests.small_suite import write_suite

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


CLUSTER = ["benchmark", "--suite", "synthetic", "--losses", "bce,anyloss:f1", *QUICK]


def refused(capsys, *arguments):
    """The one line of a refusal, and how long it took."""
    begin = time.monotonic()
    with pytest.raises(SystemExit) as ended:
        main([*CLUSTER, *arguments])
    assert ended.value.code == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert heard.err.count("\n") == 1
    return heard.err, time.monotonic() - begin


def test_an_unreachable_scheduler_is_refused_within_seconds(tmp_path, capsys, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path))
    out = ["--out", str(tmp_path / "x.csv"), "--dask", "tcp://127.0.0.1:9"]
    line, seconds = refused(capsys, *out)
    assert "no scheduler answers at 'tcp://127.0.0.1:9'" in line
    assert seconds < 15  # 5 of them for the scheduler
    assert not Store().runs()


def test_a_missing_dask_is_told_in_a_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "distributed", None)
    out = ["--out", str(tmp_path / "x.csv"), "--dask", "tcp://127.0.0.1:9"]
    assert "a Dask cluster needs" in refused(capsys, *out)[0]
    assert not Store().runs()


def test_what_is_finished_does_not_count_as_long(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path / "home"))
    write_suite(tmp_path / "tables", bad=False)
    arguments = ["benchmark", "--suite", str(tmp_path / "tables"), *QUICK]
    arguments += ["--out", str(tmp_path / "x.csv")]
    monkeypatch.setattr("anyloss_core.cli.console.LONG", 0.0)
    with pytest.raises(SystemExit):
        main(arguments)
    assert "begin it with --yes" in capsys.readouterr().err
    assert main([*arguments, "--yes"]) == 0
    assert "expected to take" in capsys.readouterr().err
    assert main(arguments) == 0
