"""The amplifier drawn: A(p) with its regions, its slope, the valid range of L.

Each figure comes with frames: what changes in it for every L of a slider, as plain dictionaries
in plotly's own format, so that the browser can redraw while the slider is dragged.
"""

import base64
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.figures.style import BAD, GOOD, GREY, PALETTE, new_figure, see_through
from anyloss_core.losses.approximation import Interval
from anyloss_core.teaching import amplifier
from anyloss_core.teaching.amplifier import AmplifierView

FAILING_COLOUR, DEAD_COLOUR, ROUNDED_COLOUR = PALETTE[1], BAD, GOOD
HEIGHT = 300  # curve and slope fit below their slider on a projector of 1280 x 720
NARROW = 0.06  # a region narrower than this has no room for its name
LONG = 24  # letters of a name that needs a smaller size to stand upright in its region
STEP, NEAR = 5, 0.06  # every fifth point is drawn, and all of them this near to the threshold
CHOOSABLE = tuple(range(2, 151, 2))  # L that a click into the valid range can set
SMALLEST_SLOPE = 1e-45  # below, the log axis shows nothing
Frame = dict[str, Any]  # in plotly's own format


def amplifier_figure(view: AmplifierView) -> go.Figure:
    """A(p) over p with the diagonal; failing regions shaded and named."""
    figure = new_figure("p", "A(p)", height=HEIGHT, hovermode="x")
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", name="A = p", line={"color": GREY, "dash": "dash"}
    )
    x = drawn_probabilities(view.threshold)
    figure.add_scatter(x=x, name="A(p)", mode="lines", line={"color": PALETTE[0], "width": 3})
    figure.add_scatter(
        name="p = t and 1 - t", mode="markers", marker={"size": 11, "color": PALETTE[4]}
    )
    c = view.threshold
    step = {"x": [0, c, c, 1], "y": [0, 0, 1, 1], "name": "threshold", "hoverinfo": "skip"}
    figure.add_scatter(mode="lines", line={"color": GREY, "dash": "dot", "width": 1.5}, **step)
    figure.update_xaxes(range=[-0.01, 1.01])
    figure.update_yaxes(range=[-0.03, 1.03])
    return _apply(figure, amplifier_frame(view))


def amplifier_frame(view: AmplifierView) -> Frame:
    """What `view.L` decides in the figure of A(p)."""
    value, _ = amplifier.curve(view)
    marked = [view.t, 1 - view.t]
    points = [amplifier.at(view, p)[0] for p in marked]
    data = [{"y": _packed(value[_drawn(view.threshold)])}, {"x": marked, "y": points}]
    return {"traces": [1, 2], "data": data, "layout": _regions(view)}


def slope_figure(view: AmplifierView, logarithmic: bool = False) -> go.Figure:
    """dA/dp over p; on a log axis a curve that ends has reached exactly 0."""
    figure = new_figure("p", "slope of A", height=HEIGHT, hovermode="x", showlegend=False)
    x = drawn_probabilities(view.threshold)
    figure.add_scatter(x=x, name="dA/dp", mode="lines", line={"color": PALETTE[0], "width": 3})
    figure.update_xaxes(range=[-0.01, 1.01])
    if logarithmic:
        figure.update_yaxes(type="log", exponentformat="power", nticks=8)
    else:
        figure.update_yaxes(rangemode="tozero")
    return _apply(figure, slope_frame(view))


def slope_frame(view: AmplifierView) -> Frame:
    """What `view.L` decides in the figure of the slope."""
    _, slope = amplifier.curve(view)
    shown = np.where(slope > SMALLEST_SLOPE, slope, np.nan)
    data = [{"y": _packed(shown[_drawn(view.threshold)])}]
    return {"traces": [0], "data": data, "layout": _regions(view)}


def range_figure(view: AmplifierView) -> go.Figure:
    """The valid range of L over the accuracy level t, with the current point in it.

    What can be chosen by a click is the last trace: unseen points at every t and every second L.
    """
    figure = new_figure("accuracy level t", "L", height=330, hovermode="closest")
    levels, low, high = range_table(view.dtype).to_numpy().T
    valid = low <= high
    band = {"line": {"width": 0}, "showlegend": False, "hoverinfo": "skip", "mode": "lines"}
    figure.add_scatter(x=levels, y=np.where(valid, low, np.nan), **band)
    fill = see_through(GOOD, 0.22)
    figure.add_scatter(
        x=levels, y=np.where(valid, high, np.nan), fill="tonexty", fillcolor=fill, **band
    )
    line = {"hoverinfo": "skip", "mode": "lines"}  # the choices below answer instead
    for name, y, colour in (("min L", low, PALETTE[1]), (f"max L, {view.dtype}", high, BAD)):
        figure.add_scatter(x=levels, y=y, name=name, line={"width": 2.5, "color": colour}, **line)
    figure.add_scatter(name="now", mode="markers", marker={"size": 13}, hoverinfo="skip")
    figure.add_scatter(**_choices(view.dtype))
    figure.update_xaxes(
        type="log", exponentformat="power", nticks=5, range=[-0.5, -17.3], tickangle=0
    )
    figure.update_yaxes(range=[0, 152])
    return _apply(figure, range_frame(view))


def _choices(dtype: str) -> dict[str, Any]:
    """A point for each t and L that can be clicked, and what the conditions say of it."""
    pairs = [(t, L) for t in amplifier.LEVELS for L in CHOOSABLE]
    said = []
    for t, L in pairs:
        low, high = amplifier.limits(t, dtype)
        said.append("valid" if low <= L <= high else "too small" if low > L else "too large")
    t, L = np.array(pairs).T
    return {
        "x": t,
        "y": L,
        "text": said,
        "mode": "markers",
        "marker": {"size": 12, "opacity": 0},
        "hovertemplate": "t = %{x:.0e}, L = %{y}: %{text}<extra></extra>",
        "showlegend": False,
    }


def range_frame(view: AmplifierView) -> Frame:
    """What `view.L` decides in the figure of the valid range."""
    low, high = amplifier.limits(view.t, view.dtype)
    inside = low <= view.L <= high
    marker = {"size": 13, "color": GOOD if inside else BAD, "symbol": "circle" if inside else "x"}
    point = {"x": [view.t], "y": [view.L], "marker": marker}
    return {"traces": [4], "data": [point], "layout": {}}


def frames(view: AmplifierView, values: Iterable[float]) -> dict[str, list[Frame]]:
    """The frames of all three figures for every L, by figure."""
    views = [view.at(L) for L in values]
    return {
        "amplifier": [amplifier_frame(each) for each in views],
        "slope": [slope_frame(each) for each in views],
        "range": [range_frame(each) for each in views],
    }


@lru_cache(maxsize=8)
def range_table(dtype: str) -> pd.DataFrame:
    """Smallest and largest valid L at each accuracy level of the range figure, four a decade."""
    levels = [10 ** (-k / 4) for k in range(4, 69)]
    rows = [(t, *amplifier.limits(t, dtype)) for t in levels]
    return pd.DataFrame(rows, columns=["t", "smallest L", "largest L"])


def _regions(view: AmplifierView) -> Frame:
    """Shaded, named stretches of p."""
    value, slope = amplifier.curve(view)
    exact = {False: "A is exactly 0", True: "A is exactly 1"}  # by the side of the threshold
    named = [
        (part, DEAD_COLOUR, f"{exact[part.low > view.threshold]}: no more update")
        for part in amplifier.dead_on_grid(slope)
    ]
    named += [
        (part, ROUNDED_COLOUR, f"{exact[part.low > view.threshold]}, still learns")
        for part in amplifier.rounded_on_grid(value, slope)
    ]
    named += [
        (part, FAILING_COLOUR, "pulled towards 0.5") for part in amplifier.not_amplified(view)
    ]
    return {
        "shapes": [_rectangle(part, colour) for part, colour, _ in named],
        "annotations": [
            _name(part, words) for part, _, words in named if part.high - part.low >= NARROW
        ],
    }


def _rectangle(part: Interval, colour: str) -> Frame:
    return {
        "type": "rect",
        "x0": part.low,
        "x1": part.high,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "fillcolor": see_through(colour, 0.2),
        "line": {"width": 0},
        "layer": "below",
    }


def _name(part: Interval, words: str) -> Frame:
    wide = part.high - part.low > 0.6
    return {
        "x": (part.low + part.high) / 2,
        "y": 0.5,
        "yref": "paper",
        "text": words,
        "textangle": 0 if wide else -90,
        "showarrow": False,
        "font": {"size": 14 if wide or len(words) < LONG else 12},
    }


def _apply(figure: go.Figure, frame: Frame) -> go.Figure:
    for trace, changes in zip(frame["traces"], frame["data"], strict=True):
        figure.data[trace].update(
            {key: _unpacked(value) if key in "xy" else value for key, value in changes.items()}
        )
    return figure.update_layout(frame["layout"])


def drawn_probabilities(threshold: float) -> np.ndarray:
    """Where a curve is drawn: evenly, and densely where it is steep."""
    return amplifier.probabilities()[_drawn(threshold)]


@lru_cache(maxsize=32)
def _drawn(threshold: float) -> np.ndarray:
    points = np.arange(amplifier.POINTS)
    near = abs(amplifier.probabilities() - threshold) <= NEAR
    return points[near | (points % STEP == 0)]


def _packed(values: np.ndarray) -> dict[str, str]:
    """Numbers as plotly's base64 form, four bytes each."""
    return {"dtype": "f4", "bdata": base64.b64encode(values.astype("<f4").tobytes()).decode()}


def _unpacked(values: object) -> object:
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), "<f4")
    return values
