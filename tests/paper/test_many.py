"""Scores of many data sets in the shape of the paper's tables."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.many import beside_published, find_shares
from anyloss_core.paper.tables import load_table
from anyloss_core.statistics.score_table import ScoreTableError

# F-1 in the MLP at rope 0.05: 0.844 against MSE and 0.501 against BCE, never a loss. The sign test
# adds one draw, so wins w and draws d = 102 - w - l decide; these counts were found by the
# Dirichlet integral of tests/test_bayes.py.
WINS = {"mse": 56, "bce": 51}
LOSSES = 1


def scores_with_published_counts():
    """102 data sets: AnyLoss beats a baseline by 0.1 on so many, is level on the rest."""
    rows = []
    for place in range(102):
        rows.append((str(place + 1), "anyloss:f1", "f1", 0.7))
        for baseline, wins in WINS.items():
            gain = 0.1 if place < wins else (-0.1 if place >= 102 - LOSSES else 0.02)
            rows.append((str(place + 1), baseline, "f1", 0.7 - gain))
    return pd.DataFrame(rows, columns=["dataset", "loss", "metric", "score"])


def rows_of(result, table):
    cells = cell_table(result.cells)
    return cells[cells["table"] == table]


def test_scores_with_the_published_counts_give_the_published_probabilities():
    """No outside scores offline: tables are built whose wins and draws imply the published row."""
    scores = scores_with_published_counts()
    result = beside_published(scores, "mlp")
    verdicts = rows_of(result, "mlp_102_bayes")
    f1 = verdicts[verdicts["metric"].str.startswith("f1") & verdicts["metric"].str.contains("0.05")]
    assert len(f1) == 6
    assert "f1 P(win) against BCE, rope 0.05" in set(f1["metric"])
    assert (f1["ours"] - f1["published"]).abs().max() <= 0.01
    assert set(f1["verdict"]) <= {"equal", "within noise"}
    said = f1.set_index("metric")["explanation"]  # also where the probabilities agree
    tied = 102 - WINS["bce"] - LOSSES
    votes = f"{WINS['bce']} / {tied} / {LOSSES} data sets won / tied / lost here"
    assert said["f1 P(win) against BCE, rope 0.05"] == votes


def test_winning_numbers_count_ties_for_anyloss_as_the_paper_did():
    scores = scores_with_published_counts()
    wins = rows_of(beside_published(scores, "mlp"), "102_wins").set_index(["metric", "loss"])
    ours = wins.loc["f1 wins", "ours"]
    assert ours.sum() == 102
    assert ours["anyloss:f1"] > ours["bce"]
    different = wins[wins["verdict"] == "different"]
    assert different["explanation"].str.endswith("102 data sets here, 102 published").all()


def test_groups_need_the_shares_and_name_what_differs():
    scores = scores_with_published_counts()
    meta = load_table("102_datasets_meta")
    shares = dict(zip(meta["dataset"].astype(str), meta["positive_share"], strict=True))
    groups = rows_of(beside_published(scores, "mlp", shares), "102_imbalance_groups")
    assert set(groups["loss"]) == {"anyloss:f1"}
    assert len(groups) == 16  # four groups, two baselines, mean and sd
    assert (groups["equal"] | groups["explanation"].str.contains("another collection")).all()
    row = groups.set_index("metric").loc["f1 against MSE, 60:40-70:30, mean"]
    members = meta.loc[meta["positive_share"] >= 0.3, "dataset"].to_numpy()
    gains = np.where(members <= WINS["mse"], 0.1, np.where(members > 102 - LOSSES, -0.1, 0.02))
    assert row["ours"] == pytest.approx(gains.mean())
    assert rows_of(beside_published(scores, "mlp"), "102_imbalance_groups").empty


def test_a_spelling_with_options_counts_as_its_loss():
    scores = scores_with_published_counts()
    spelled = scores.replace({"loss": {"anyloss:f1": "anyloss:f1@L=5..73"}})
    assert len(beside_published(spelled, "mlp").cells) == len(beside_published(scores, "mlp").cells)


def test_scores_without_an_anyloss_are_refused_with_the_repair():
    scores = pd.DataFrame(
        {"dataset": ["a", "a"], "loss": ["bce", "mse"], "metric": "f1", "score": np.array([0.1, 1])}
    )
    with pytest.raises(ScoreTableError, match="an AnyLoss scored by its own metric"):
        beside_published(scores, "slp")


def test_shares_come_from_a_column_or_from_the_paper_s_numbers():
    text = "dataset,loss,metric,score,positive_share\na,bce,f1,0.5,0.2\nb,bce,f1,0.5,0.4\n"
    assert find_shares(text.encode()) == {"a": 0.2, "b": 0.4}
    numbered = "dataset,loss,metric,score\n1,bce,f1,0.5\n102,bce,f1,0.5\n"
    assert find_shares(numbered.encode())["1"] == 0.36
    assert find_shares(numbered.replace("102", "other").encode()) == {}
