"""The plane to draw on: what the browser is sent, and what it writes is what the core reads."""

import re

from anyloss_core.teaching import drawing
from pages.ui.charts.draw_points import CSS, HTML, plane_data
from pages.ui.charts.javascript import script


def test_script_and_core_agree_on_the_plane_and_its_letters():
    text = script("draw_points")
    assert re.search(r'LETTERS = "(.*)"', text)[1] == drawing.LETTERS
    assert float(re.search(r"REACH = (\d+)", text)[1]) == drawing.REACH


def test_a_file_without_a_server_cannot_be_drawn_on():
    data = plane_data("AAAA.", "{}", editable=False)
    assert not data["editable"]
    assert "Arrow keys" not in data["label"]
    assert "Arrow keys" in plane_data("AAAA.", "{}")["label"]


def test_every_part_that_the_script_looks_for_is_there():
    wanted = re.findall(r'querySelector(?:All)?\("\.(\w+)', script("draw_points"))
    assert set(wanted) <= {
        name for found in re.findall(r'class="([\w ]+)"', HTML) for name in found.split()
    }
    assert "touch-action: none" in CSS  # or a finger would scroll the page
