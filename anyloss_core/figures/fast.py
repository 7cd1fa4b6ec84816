"""Figures for pages that redraw several times a second: plain dictionaries, unchecked.

plotly checks and copies every property it is given, which took 9 of the 21 ms of a core that the
panels of the page Train cost at every redraw. The tests check the same dictionaries with plotly's
own rules, and so does whoever takes a figure away.
"""

import base64
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.utils import PlotlyJSONEncoder

from anyloss_core.figures.style import TEMPLATE

_TEMPLATE = TEMPLATE.to_plotly_json()
_MARGIN = {"l": 60, "r": 12, "t": 34, "b": 44}  # less air than elsewhere: many panels on one page
_SHORT = {"float64": "f8", "float32": "f4", "int32": "i4"}  # types as plotly.js calls them
SMALL_LEGEND = {"font": {"size": 12}}  # for up to six losses


@dataclass(frozen=True)
class FastFigure:
    """Traces and layout in plotly's own words."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]

    def to_json(self) -> str:
        """The text that plotly makes of the same figure."""
        data = [{name: _packed(value) for name, value in trace.items()} for trace in self.data]
        return json.dumps({"data": data, "layout": self.layout}, cls=PlotlyJSONEncoder)

    def checked(self) -> go.Figure:
        """A figure of plotly's, which may be changed."""
        return go.Figure({"data": self.data, "layout": self.layout})


def fast_figure(traces: list[dict[str, Any]], height: int, **layout: Any) -> FastFigure:
    """A figure in the Lab's style; traces and layout in plotly's own words."""
    frame = {"template": _TEMPLATE, "height": height, "uirevision": "keep", "margin": _MARGIN}
    return FastFigure(traces, frame | layout)


def axis(title: str = "", **more: Any) -> dict[str, Any]:
    """An axis with a title and a fixed margin: one that follows its labels would draw twice, and
    the curves would jump as they grow."""
    return {"title": {"text": title}, "automargin": False, **more}


def _packed(value: Any) -> Any:
    """An array as plotly.js takes it without a list of numbers."""
    kind = _SHORT.get(value.dtype.name) if isinstance(value, np.ndarray) and value.size else None
    if kind is None:
        return value
    packed = {"dtype": kind, "bdata": base64.b64encode(value.tobytes()).decode("ascii")}
    return packed | ({"shape": str(value.shape)[1:-1]} if value.ndim > 1 else {})
