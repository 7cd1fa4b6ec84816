"""A field in which a curve is drawn by hand: with the mouse, a finger or the arrow keys."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.charts.javascript import component, script

_sketch = component(
    "anyloss_sketch",
    html='<svg role="slider" tabindex="0"></svg>',
    css="""
    svg { width: 100%; max-width: 46rem; display: block; touch-action: none; cursor: crosshair; }
    svg:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 2px; }
    line { stroke: color-mix(in srgb, var(--st-text-color) 22%, transparent); }
    text { fill: var(--st-text-color); font: 15px var(--st-font); }
    polyline { fill: none; stroke: var(--st-primary-color); stroke-width: 4;
        stroke-linejoin: round; stroke-linecap: round; }
    polyline.unset { stroke-dasharray: 2 9; opacity: .6; }
    circle { fill: var(--st-primary-color); }
    """,
    js=script("sketch"),
)


def sketch(
    key: str, label: str, x: Sequence[float], low: float, high: float, x_title: str
) -> list[float] | None:
    """One value at each x, as the browser sent it (it may be anything); None before a change."""
    data = {"label": label, "x": list(x), "low": low, "high": high, "xTitle": x_title}
    data["value"] = sketched(key)
    return _sketch(key=key, data=data, on_value_change=lambda: None).value


def sketched(key: str) -> list[float] | None:
    """What was drawn so far."""
    return getattr(st.session_state.get(key), "value", None)
