"""A plotly chart that is redrawn in place: it keeps zoom, legend and its DOM node as it grows.

st.plotly_chart remounts its node whenever the figure changes. This component keeps the node and
calls Plotly.react with the plotly.js that plotly's wheel carries, so live curves do not flicker,
and figures look the same on every page. It follows the light or dark theme and the width.
"""

from __future__ import annotations

from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

from pages.ui import plotly_script

HERE = Path(__file__).parent
DEFAULT_HEIGHT = 380

_chart = st.components.v2.component(
    "anyloss_live_chart",
    html='<div class="live-chart"></div>',
    css=".live-chart { width: 100%; }",
    js=(HERE / "live_chart.js").read_text(encoding="utf-8"),
    isolate_styles=False,  # plotly puts its style sheet in the document's head
)
_loader = st.components.v2.component(
    "anyloss_load_plotly", js=(HERE / "load_plotly.js").read_text(encoding="utf-8")
)


def live_chart(
    figure: go.Figure,
    key: str,
    alt: str,
    filename: str = "figure",
    clickable: bool = False,
    channel: tuple[str, float] | None = None,
) -> dict | None:
    """Draw `figure` under a fixed key; returns the clicked point in the run after a click.

    A click gives {"x", "y", "trace", "index", "custom"}; None otherwise. With a `channel`, its
    name and the value that the figure is for, the chart follows a dragged slider (see `drag`).
    """
    followed, value = channel or (None, None)
    height = figure.layout.height or DEFAULT_HEIGHT
    data = {
        "figure": figure.to_json(),
        "key": key,
        "alt": alt,
        "height": int(height),
        "filename": filename,
        "clickable": clickable,
        "channel": followed,
        "value": value,
    }
    events = {"on_click_change": lambda: None} if clickable else {}
    result = _chart(key=f"chart:{key}", data=data, **events)
    return result.click if clickable else None


def load_plotly() -> None:
    """Let the browser fetch plotly.js; the frame calls it once, outside of every fragment."""
    _loader(key="load_plotly", data=plotly_script.PATH, height=1)
