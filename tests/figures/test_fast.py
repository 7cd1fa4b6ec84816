"""Unchecked figures: the same template and layout as the others, and allowed by plotly's rules."""

import json

import numpy as np
import plotly.graph_objects as go

from anyloss_core.figures.fast import axis, fast_figure
from anyloss_core.figures.style import TEMPLATE


def test_a_fast_figure_is_one_that_plotly_would_take():
    traces = [{"type": "scatter", "x": [1, 2], "y": [0.1, 0.2], "name": "BCE"}]
    fast = fast_figure(traces, 290, xaxis=axis("epoch", range=[0, 3]), yaxis=axis("loss"))
    checked = fast.checked()
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


def test_the_browser_gets_what_plotly_would_send():
    numbers = np.array([[0.5, np.nan], [1e-9, 2.0]])
    kinds = (np.float64, np.float32, np.int32)
    traces = [
        {"type": "scatter", "x": np.arange(3, dtype=kind), "y": numbers[:, 0], "name": "1 < 2"}
        for kind in kinds
    ]
    traces += [{"type": "heatmap", "z": numbers}, {"type": "heatmap", "z": numbers.tolist()}]
    traces += [{"type": "scatter", "x": np.arange(2), "marker": {"color": np.array([1.0, 2.0])}}]
    fast = fast_figure(traces, 290, xaxis=axis("epoch", range=[0, np.float64(3)]))
    theirs = go.Figure({"data": fast.data, "layout": fast.layout}, _validate=False).to_json()
    ours = json.loads(fast.to_json())
    assert ours["data"][:5] == json.loads(theirs)["data"][:5]
    assert ours["data"][5] == {"type": "scatter", "x": [0, 1], "marker": {"color": [1.0, 2.0]}}
    assert ours["layout"] == json.loads(theirs)["layout"]
