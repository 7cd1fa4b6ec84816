"""Downloads: a figure that needs no network; and one colour per loss."""

from anyloss_core.figures.style import new_figure
from pages.ui.charts.charts import standalone_html


def test_a_downloaded_figure_holds_plotly_itself():
    page = standalone_html(new_figure("x", "y")).decode()
    assert "cdn.plot.ly" not in page.split("<script", 1)[0]
    assert "Plotly.newPlot" in page
    assert len(page) > 3_000_000
