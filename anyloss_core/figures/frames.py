"""Frames of any figure: one figure a value of a slider, as changes of the first one.

For figures with few points; those of the amplifier have frames of their own (`approximation`).
"""

import json
from collections.abc import Iterable
from typing import Any

import plotly.graph_objects as go

CHANGED = ("x", "y", "z", "text", "marker", "line")  # of a trace
KEPT = ("annotations", "shapes", "title")  # of the layout


def frames_of(figures: Iterable[go.Figure]) -> list[dict[str, Any]]:
    """What changes from figure to figure; all have the same traces."""
    return [_frame(json.loads(figure.to_json())) for figure in figures]


def _frame(figure: dict[str, Any]) -> dict[str, Any]:
    traces, layout = figure["data"], figure["layout"]
    return {
        "traces": list(range(len(traces))),
        "data": [{name: trace[name] for name in CHANGED if name in trace} for trace in traces],
        "layout": {name: layout[name] for name in KEPT if name in layout},
    }
