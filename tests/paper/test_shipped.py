"""Results that come with the program: complete, beside the published figures, and dated."""

import pytest

from anyloss_core.paper import shipped
from anyloss_core.paper.cells import EQUAL, NOISE, OURS, Cell, Result
from anyloss_core.paper.parts import PARTS, Task
from anyloss_core.paper.shipped import ship, shipped_results


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    shipped_results.cache_clear()
    yield tmp_path / "shipped"
    shipped_results.cache_clear()


def test_what_is_written_is_found_again_with_its_date_and_machine(folder):
    cell = Cell("mlp_4_datasets (paper)", 3, "bce", "f1", 0.9, 0.91, NOISE, "", 0.01)
    path = ship(Task("mlp", 3), Result([cell], {"seeds": 3}, {"advantage": {}}, 12.5))
    assert path.name == "mlp_3.json"
    (found,) = shipped_results().values()
    assert found.result.cells == [cell]
    assert (found.result.seconds, found.run_id) == (12.5, "")
    assert found.created > 1.7e9
    assert "cores" in found.where


def test_all_118_figures_of_the_exact_tables_are_equal():
    exact = [key for key in shipped_results() if PARTS[key.split()[0]].exact]
    cells = [cell for key in exact for cell in shipped_results()[key].result.cells]
    published = [cell for cell in cells if cell.published is not None]
    assert [cell.verdict for cell in published] == 118 * [EQUAL]


def test_numbers_of_figures_are_short_and_cells_are_whole(folder):
    cell = Cell("slp_4_datasets", 1, "bce", "f1", 0.9, 0.912345678912, EQUAL, "", None)
    path = ship(Task("slp", 1), Result([cell], {}, {"curves": {"bce": [0.123456789, 2]}}, 1.0))
    assert shipped_results()["slp 1"].result.cells == [cell]
    assert "0.123457" in path.read_text()


def test_nothing_shipped_is_no_fault(folder):
    assert shipped_results() == {}


def test_every_shipped_result_belongs_to_a_part_and_explains_what_differs():
    for key, item in shipped_results().items():
        part = key.split()[0]
        assert part in PARTS
        assert not PARTS[part].exact or {cell.verdict for cell in item.result.cells} <= {
            EQUAL,
            OURS,
        }
        assert item.where
        for cell in item.result.cells:
            assert cell.explanation or cell.verdict != "different"


@pytest.mark.parametrize(
    "key",
    [
        *("slp 1", "slp 3", "resampling 1", "resampling 3", "valid_range"),
        *("mlp 1", "mlp 3", "sweep 1", "sweep 3", "sol 1", "sol 3", "curves", "titanic", "resnet"),
    ],
)
def test_what_takes_long_is_there_at_the_first_visit(key):
    assert shipped_results()[key].result.cells
