"""`sign-test`, held against the function it stands for."""

import json

import pandas as pd

import anyloss_core as al
from anyloss_core.cli import main


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
    assert [verdicts[0][name] for name in ("wins", "ties", "losses")] == [15, 5, 0]
    main(arguments)
    printed = capsys.readouterr().out
    assert "candidate_wins" in printed
    row = printed.splitlines()[1].split()
    assert row[7:10] == ["15", "5", "0"]  # wins, ties, losses
    assert "largest share of all such data sets" in printed
