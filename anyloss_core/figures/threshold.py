"""One model at one threshold: its confusion matrix per 1,000 rows and the metric at all thresholds,
with the frames of both for a slider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from anyloss_core.figures.style import GREY, loss_colour, loss_line, new_figure, see_through
from anyloss_core.figures.traces import loss_label

if TYPE_CHECKING:
    from anyloss_core.comparison.threshold_view import ThresholdView


def matrix_figure(view: ThresholdView, loss: str, at: int) -> go.Figure:
    """The confusion matrix at a threshold; shade and percentage are shares of the true class."""
    colour = loss_colour(loss)
    figure = new_figure("predicted", "true", height=300, showlegend=False)
    figure.add_heatmap(
        z=_shares(view, at),
        zmin=0,
        zmax=1,
        colorscale=[[0, see_through(colour, 0.05)], [1, see_through(colour, 0.5)]],
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="true %{y}, predicted %{x}: %{z:.1%} of the true class<extra></extra>",
    )
    # As text of a scatter the numbers follow the page's theme.
    numbers = {"x": [0, 1, 0, 1], "y": [0, 0, 1, 1], "text": _texts(view, at)}
    figure.add_scatter(**numbers, mode="text", hoverinfo="skip")
    figure.update_xaxes(showgrid=False, tickvals=[0, 1], range=[-0.5, 1.5])
    figure.update_yaxes(showgrid=False, tickvals=[0, 1], range=[1.5, -0.5])
    figure.update_layout(margin={"t": 12})
    return figure


def metric_figure(view: ThresholdView, loss: str, metric: str, at: int) -> go.Figure:
    """The metric against the threshold, and a line at the one that is chosen."""
    figure = new_figure("threshold on the score", metric, height=300, showlegend=False)
    figure.add_scatter(
        x=view.thresholds,
        y=view.values,
        mode="lines",
        line=loss_line(loss),
        name=loss_label(loss),
        hovertemplate="%{y:.4f} at %{x:.2f}<extra></extra>",
    )
    figure.update_xaxes(range=[0, 1])
    figure.update_layout(margin={"t": 12}, shapes=[_line(view.thresholds[at])])
    return figure


def frames(view: ThresholdView, numbers: Sequence[int]) -> dict[str, list[dict[str, Any]]]:
    """What the matrix and the curve show at the thresholds of these numbers."""
    return {
        "threshold_matrix": [matrix_frame(view, at) for at in numbers],
        "threshold_metric": [
            {"traces": [], "data": [], "layout": {"shapes": [_line(view.thresholds[at])]}}
            for at in numbers
        ],
    }


def matrix_frame(view: ThresholdView, at: int) -> dict[str, Any]:
    """What changes in `matrix_figure`."""
    shades, numbers = {"z": _shares(view, at)}, {"text": _texts(view, at)}
    return {"traces": [0, 1], "data": [shades, numbers], "layout": {}}


def _cells(view: ThresholdView, at: int) -> np.ndarray:
    tn, fn, fp, tp = (float(entry[at]) for entry in view.pooled)
    return np.array([[tn, fp], [fn, tp]])


def _shares(view: ThresholdView, at: int) -> list[list[float]]:
    cells = _cells(view, at)
    totals = cells.sum(1, keepdims=True)
    return np.divide(cells, totals, out=np.zeros_like(cells), where=totals > 0).round(5).tolist()


def _texts(view: ThresholdView, at: int) -> list[str]:
    counts, shares = _cells(view, at).flat, np.ravel(_shares(view, at))
    return [f"{n:,.1f}<br>{share:.1%}" for n, share in zip(counts, shares, strict=True)]


def _line(threshold: float) -> dict[str, Any]:
    x = float(threshold)
    ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper"}
    return {"type": "line", **ends, "line": {"color": GREY, "dash": "dash", "width": 2}}
