"""Cells: when a figure of ours counts as equal, as noise, as different."""

import math

import pytest

from anyloss_core.paper.cells import (
    DIFFERENT,
    EQUAL,
    NOISE,
    OURS,
    Cell,
    Where,
    cell_table,
    cut,
    exact_cell,
    noisy_cell,
    rounded,
)

WHERE = Where("t", 1, "bce", "f1")


@pytest.mark.parametrize(
    ("value", "expected"), [(0.6379, 0.637), (0.987, 0.987), (0.29 + 0.697, 0.987), (0.9, 0.9)]
)
def test_cutting_throws_digits_away_but_not_a_stored_hair(value, expected):
    assert cut(value, 3) == expected


def test_rounding_is_that_of_printing():
    assert rounded(0.12345651, 6) == 0.123457


def test_a_cell_is_equal_by_its_printed_digits():
    ours = 0.6379
    assert exact_cell(WHERE, 0.637, ours, cut(ours, 3)).verdict == EQUAL
    off = exact_cell(WHERE, 0.638, ours, cut(ours, 3), "cut, not rounded")
    assert (off.verdict, off.equal, off.explanation) == (DIFFERENT, False, "cut, not rounded")
    assert off.difference == pytest.approx(-0.0001)


def test_a_noisy_cell_is_weighed_by_the_spread_of_our_seeds():
    assert noisy_cell(WHERE, 0.52, [0.49, 0.50, 0.51], "why").verdict == NOISE
    far = noisy_cell(WHERE, 0.6, [0.49, 0.50, 0.51], "why")
    assert (far.verdict, far.explanation) == (DIFFERENT, "why")
    assert far.spread == pytest.approx(0.01)


def test_seeds_that_scatter_widely_hide_no_large_difference():
    assert noisy_cell(WHERE, 0.637, [0.42, 0.50, 0.58], "some collapse").verdict == DIFFERENT
    assert noisy_cell(WHERE, 0.54, [0.42, 0.50, 0.58], "some collapse").verdict == NOISE


def test_one_seed_has_no_noise_to_hide_behind():
    assert noisy_cell(WHERE, 0.52, [0.51], "one seed").verdict == DIFFERENT


def test_a_figure_the_paper_lacks_is_neither_equal_nor_different():
    cell = Cell(*WHERE, None, 0.5, OURS)
    assert (cell.verdict, cell.equal, cell.difference) == (OURS, None, None)


def test_cells_become_rows():
    cells = [Cell(*WHERE, 0.5, 0.5, EQUAL)]
    table = cell_table([*cells, cells[0].to_dict()])
    assert table["equal"].tolist() == [True, True]
    assert math.isclose(table["difference"].sum(), 0)
    assert list(cell_table([]).columns)[:4] == ["table", "dataset", "loss", "metric"]
