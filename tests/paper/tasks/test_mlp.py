"""The MLP under three protocols: the carried network shows the published advantage, others less."""

import numpy as np
import pytest

from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.datasets import paper_dataset
from anyloss_core.paper.names import ANYLOSSES
from anyloss_core.paper.tasks.mlp import TABLE, aims_at, reproduce_mlp
from tests.paper.conftest import silent


@pytest.fixture(scope="module")
def fresh():
    return reproduce_mlp(3, paper_dataset(3), silent, seeds=2, protocols=("paper", "fresh"))


def test_every_published_figure_has_ours_beside_it_with_a_spread(fresh):
    table = cell_table(fresh.cells)
    assert set(table["table"]) == {f"{TABLE} (paper)", f"{TABLE} (fresh)"}
    assert (table.groupby("table").size() == 44).all()  # eleven losses, four metrics
    assert table["spread"].notna().all()
    different = table[table["verdict"] == "different"]
    assert different["explanation"].str.contains("validation rows").all()


def test_fresh_networks_do_not_reach_the_published_perfection(fresh):
    """The published L_F1 and L_F2 score exactly 1 on all ten folds; no fresh network does."""
    table = cell_table(fresh.cells).set_index(["table", "loss", "metric"])
    for name in ("anyloss:f1", "anyloss:f2"):
        row = table.loc[(f"{TABLE} (paper)", name, "f1")]
        assert row["published"] == 1
        assert row["ours"] < 0.97


def test_the_advantage_over_bce_is_kept_per_seed(fresh):
    advantage = fresh.extras["advantage"]
    assert set(advantage) == {"paper", "fresh", "published"}
    assert {len(advantage["paper"][name]) for name in ANYLOSSES} == {2}
    assert advantage["published"]["anyloss:f1"] == pytest.approx([1.0 - 0.965714])
    means = cell_table(fresh.cells).set_index(["table", "loss", "metric"])["ours"]
    expected = (
        means[f"{TABLE} (paper)", "anyloss:f2", "f1"] - means[f"{TABLE} (paper)", "bce", "f1"]
    )
    assert np.mean(advantage["paper"]["anyloss:f2"]) == pytest.approx(expected)


def test_a_loss_is_judged_by_the_metric_of_the_table_it_aims_at():
    assert [aims_at(loss) for loss in ANYLOSSES] == [
        *("accuracy", "f1", "f1", "f1", "gmean", "balanced_accuracy"),
    ]
