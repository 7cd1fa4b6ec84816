"""What L does: the paper's four curves, and the sweep beside the published scores."""

import pytest

from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.datasets import paper_dataset
from anyloss_core.paper.tasks import amplifier
from anyloss_core.paper.tasks.amplifier import reproduce_curves, reproduce_sweep
from tests.paper.conftest import silent


def test_the_four_curves_fall_as_the_paper_describes():
    curves = reproduce_curves(silent)
    last = dict(zip(curves.extras["L"], curves.extras["loss"][:, -1], strict=True))
    assert last[1] > last[5] > last[10]
    assert last[100] > last[10]  # No More Update
    dead = dict(zip(curves.extras["L"], curves.extras["dead"][:, -1], strict=True))
    assert dead[1] == dead[5] == dead[10] == 0
    assert dead[100] > 0.1


def test_the_sweep_sets_fifteen_scores_beside_the_published_ones(monkeypatch):
    monkeypatch.setattr(amplifier, "METRICS", ("f1",))
    everything = amplifier.load_table

    def only_f1(table, number):
        return everything(table, number).query("metric == 'f1'")

    monkeypatch.setattr(amplifier, "load_table", only_f1)
    table = cell_table(reproduce_sweep(3, paper_dataset(3), silent, seeds=2).cells)
    assert table["loss"].tolist() == [f"anyloss:f1@L={L}" for L in (30, 50, 73, 90, 110)]
    assert table["published"].tolist() == pytest.approx([0.98, 0.98, 0.989, 0.98, 0.969])
    assert table["ours"].between(0.6, 1).all()
