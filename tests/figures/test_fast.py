"""Unchecked figures: the same template and layout as the others, and allowed by plotly's rules."""

import plotly.graph_objects as go

from anyloss_core.figures.fast import axis, fast_figure
from anyloss_core.figures.style import TEMPLATE


def test_a_fast_figure_is_one_that_plotly_would_take():
    traces = [{"type": "scatter", "x": [1, 2], "y": [0.1, 0.2], "name": "BCE"}]
    fast = fast_figure(traces, 290, xaxis=axis("epoch", range=[0, 3]), yaxis=axis("loss"))
    checked = go.Figure(fast.to_plotly_json())
    assert checked.layout.template.to_plotly_json() == TEMPLATE.to_plotly_json()
    assert checked.layout.height == 290
    assert checked.layout.xaxis.title.text == "epoch"
    assert checked.layout.xaxis.range == (0, 3)
    assert checked.data[0].y == (0.1, 0.2)


def test_an_axis_keeps_its_margin_while_its_labels_grow():
    assert axis("loss", tickformat=".0%") == {
        "title": {"text": "loss"},
        "automargin": False,
        "tickformat": ".0%",
    }
