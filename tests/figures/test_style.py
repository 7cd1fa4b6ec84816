"""Downloads: harmless CSV, a figure that needs no network; and one colour per loss."""

import io

import pandas as pd
import pytest

from anyloss_core.figures.style import LOSS_COLOURS, loss_colour, loss_line, new_figure
from pages.ui.charts import harmless_csv, standalone_html


def test_cells_and_names_that_a_spreadsheet_would_run_are_quoted():
    frame = pd.DataFrame({"=cmd()": ["+1", "-2", "@x", "\tz", "plain"], "n": [-1.5, 2, 3, 4, 5]})
    lines = harmless_csv(frame).decode().splitlines()
    assert lines[0] == "'=cmd(),n"
    assert lines[1] == "'+1,-1.5"
    assert all(line.startswith("'") for line in lines[1:5])
    assert lines[5] == "plain,5.0"


def test_numbers_read_back_as_they_were():
    frame = pd.DataFrame({"a": [0.1, -1e-300], "same": [1, 2]})
    pd.testing.assert_frame_equal(pd.read_csv(io.BytesIO(harmless_csv(frame))), frame)


def test_columns_of_the_same_name_are_both_kept():
    frame = pd.DataFrame([["=a", "=b"]], columns=["x", "x"])
    assert harmless_csv(frame).decode().splitlines()[1] == "'=a,'=b"


def test_a_downloaded_figure_holds_plotly_itself():
    page = standalone_html(new_figure("x", "y")).decode()
    assert "cdn.plot.ly" not in page.split("<script", 1)[0]
    assert "Plotly.newPlot" in page
    assert len(page) > 3_000_000


def test_every_loss_has_its_own_colour_and_line():
    looks = {(line["color"], line["dash"]) for line in map(loss_line, LOSS_COLOURS)}
    assert len(set(LOSS_COLOURS.values())) == len(LOSS_COLOURS)
    assert len(looks) == len(LOSS_COLOURS)


@pytest.mark.parametrize("spelling", ["anyloss:TP/(TP+FN)", "sol:mcc", "adaline", "bce@lr=0.1"])
def test_a_colour_depends_on_the_spelling_alone(spelling):
    assert loss_colour(spelling) == loss_colour(spelling)
    assert loss_colour(spelling).startswith("#")


def test_options_shade_the_colour_of_the_loss():
    assert len({loss_colour(f"anyloss:f1@L={L}") for L in (5, 10, 50, 73)}) == 4
