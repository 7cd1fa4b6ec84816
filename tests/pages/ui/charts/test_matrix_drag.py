"""The matrix to drag: its cells stand as in every confusion matrix, for eye, mouse and reader."""

import re

from pages.ui.charts.javascript import script
from pages.ui.charts.matrix_drag import CELLS, NAMES, _html


def test_script_and_module_agree_on_the_order_of_the_cells():
    named = re.search(r"CELLS = \[(.*?)\]", script("matrix_drag"))[1]
    assert tuple(re.findall(r'"(\w+)"', named)) == CELLS
    assert [name.split(",")[0].lower() for name in NAMES] == list(CELLS)


def test_every_cell_has_a_slider_and_a_number_with_a_name():
    labels = re.findall(r'type="(\w+)"[^>]*aria-label="([^"]+)"', _html())
    assert len(labels) == 8
    assert [kind for kind, _ in labels] == ["range", "number"] * 4
    assert len({name for _, name in labels}) == 8
