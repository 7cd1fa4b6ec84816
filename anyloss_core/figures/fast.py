"""Figures for pages that redraw several times a second: built from plain dictionaries, unchecked.

plotly checks every property it is given, which costs some 100 ms for the panels of the page Train;
without the checks it is a few. The tests check the same dictionaries with plotly's own rules.
"""

from typing import Any

import plotly.graph_objects as go

from anyloss_core.figures.style import TEMPLATE

_TEMPLATE = TEMPLATE.to_plotly_json()
_MARGIN = {"l": 60, "r": 12, "t": 34, "b": 44}  # less air than elsewhere: many panels on one page
SMALL_LEGEND = {"font": {"size": 12}}  # for up to six losses


def fast_figure(traces: list[dict[str, Any]], height: int, **layout: Any) -> go.Figure:
    """A figure in the Lab's style; traces and layout in plotly's own words."""
    frame = {"template": _TEMPLATE, "height": height, "uirevision": "keep", "margin": _MARGIN}
    return go.Figure({"data": traces, "layout": frame | layout}, _validate=False)


def axis(title: str = "", **more: Any) -> dict[str, Any]:
    """An axis with a title and a fixed margin: one that follows its labels would draw twice, and
    the curves would jump as they grow."""
    return {"title": {"text": title}, "automargin": False, **more}
