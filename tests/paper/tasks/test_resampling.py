"""The published figures after SMOTE and under-sampling: equal, at the published way of choosing."""

import pytest

from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.datasets import paper_dataset
from anyloss_core.paper.tasks import resampling
from tests.paper.conftest import silent


def test_data_set_3_gives_its_six_figures_at_the_best_of_all_ratios():
    result = resampling.reproduce_resampling(3, paper_dataset(3), silent)
    table = cell_table(result.cells)
    assert len(table) == 6
    assert table["equal"].all(), table.to_string()
    assert result.settings["best"] == {"bce+smote": 0.7, "bce+undersample": 0.3}


def test_data_set_1_gives_its_six_figures_at_the_best_of_the_ratios_around_it(monkeypatch):
    monkeypatch.setattr(resampling, "RATIOS", (0.2, 0.3, 0.4))  # all ten: see the README
    result = resampling.reproduce_resampling(1, paper_dataset(1), silent)
    table = cell_table(result.cells)
    assert len(table) == 6
    assert table["equal"].all(), table.to_string()
    assert result.settings["best"] == {"bce+smote": 0.3, "bce+undersample": 0.3}
    ours = table.set_index(["loss", "metric"])["ours"]
    assert ours["bce+smote", "balanced_accuracy"] == pytest.approx(0.8240, abs=5e-5)
