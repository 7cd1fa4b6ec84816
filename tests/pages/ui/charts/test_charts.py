"""Downloads: a figure that needs no network; and one colour per loss."""

import pytest

from anyloss_core.figures.fast import fast_figure
from anyloss_core.figures.style import new_figure
from pages.ui.charts.charts import standalone_html


@pytest.mark.parametrize("figure", [new_figure("x", "y"), fast_figure([], 300)], ids=["", "fast"])
def test_a_downloaded_figure_holds_plotly_itself(figure):
    page = standalone_html(figure).decode()
    assert "cdn.plot.ly" not in page.split("<script", 1)[0]
    assert "Plotly.newPlot" in page
    assert len(page) > 3_000_000
