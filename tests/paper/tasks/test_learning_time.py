"""Learning time: ratios to BCE, from rounds in turn."""

import pytest

from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.datasets import paper_dataset
from anyloss_core.paper.tasks import learning_time
from anyloss_core.paper.tasks.learning_time import reproduce_time
from tests.paper.conftest import silent


def test_six_ratios_stand_beside_the_published_ones(monkeypatch):
    monkeypatch.setattr(learning_time, "EPOCHS", {"slp": 5, "mlp": 1})
    monkeypatch.setattr(
        learning_time, "GROUPS", {"MSE": ("mse",), "SOL": ("sol:f1",), "AnyLoss": ("anyloss:f1",)}
    )
    result = reproduce_time(3, paper_dataset(3), silent, rounds=2)
    table = cell_table(result.cells).set_index(["metric", "loss"])
    assert table.loc[("slp time", "MSE"), "published"] == 0.821
    assert table.loc[("mlp time", "AnyLoss"), "published"] == 1.011
    assert len(table) == 6
    assert (table["ours"] > 0).all()
    rounds = result.extras["ratios"]["slp"]["SOL"]
    assert table.loc[("slp time", "SOL"), "ours"] == pytest.approx(sum(rounds) / 2)


def test_a_ratio_is_to_the_same_round_s_bce(monkeypatch):
    seconds = iter([9.0, 2.0, 4.0, 1.0, 3.0])  # warm-up, then bce and mse in turn
    monkeypatch.setattr(learning_time, "GROUPS", {"MSE": ("mse",)})
    monkeypatch.setattr(learning_time, "_seconds", lambda *_: next(seconds))
    assert learning_time._ratios(3, None, "slp", 2, silent) == {"MSE": [2.0, 3.0]}
