"""Results of the paper as an earlier run would have left them."""

import pytest

from anyloss_core.paper import shipped
from anyloss_core.paper.cells import Cell
from anyloss_core.paper.reproduction import packed
from pages.ui.runs import runs


@pytest.fixture
def nothing_shipped(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    shipped.shipped_results.cache_clear()
    yield
    shipped.shipped_results.cache_clear()


def keep(key, result, **settings):
    """A result in the store, as an earlier run would have left it."""
    run_id = runs.store().create_run("paper", settings, queue=False)
    runs.store().put_unit(run_id, key, packed(result))


def cell(table, dataset, loss, metric, published, ours, verdict, why="", spread=None):
    return Cell(table, dataset, loss, metric, published, ours, verdict, why, spread)
