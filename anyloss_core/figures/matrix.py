"""A confusion matrix as a point in ROC and in PR space, between the lines of equal score."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.figures.metric import INK
from anyloss_core.figures.style import POSITIVE_CLASS, new_figure, plain

# The colours of the loss surface the other way round: a good score is as yellow as a small loss.
SCORE_COLOURS = ("#2A788E", "#21918C", "#35B779", "#90D743", "#FDE725")
LINES = 10  # of equal score, over the range of the metric


def iso_figure(
    axes: tuple[str, str],
    surface: tuple[np.ndarray, np.ndarray],
    point: tuple[float, float],
    limits: tuple[float, float],
    title: str,
) -> go.Figure:
    """Lines of equal score and the matrix as a cross among them."""
    figure = new_figure(*axes, height=360, showlegend=False)
    rates, scores = surface
    low, high = limits
    figure.add_contour(
        x=rates,
        y=rates,
        z=scores,
        zmin=low,
        zmax=high,
        colorscale=SCORE_COLOURS,
        contours={
            "start": low,
            "end": high,
            "size": (high - low) / LINES,
            "showlabels": True,
            "labelfont": {"color": INK, "size": 12},
        },
        line={"width": 0.8, "color": INK},
        showscale=False,
        hovertemplate=f"{axes[0]} %{{x:.2f}}<br>{axes[1]} %{{y:.2f}}<br>score %{{z:.3f}}"
        "<extra></extra>",
    )
    marker = {"size": 15, "color": POSITIVE_CLASS, "line": {"color": "white", "width": 2}}
    figure.add_scatter(
        x=[point[0]],
        y=[point[1]],
        mode="markers",
        marker=marker,
        cliponaxis=False,
        hovertemplate="this matrix<br>%{x:.3f}, %{y:.3f}<extra></extra>",
    )
    figure.update_xaxes(range=[0, 1], constrain="domain")
    figure.update_yaxes(range=[0, 1], scaleanchor="x", constrain="domain")
    return figure.update_layout(title={"text": plain(title), "font": {"size": 15}})


def iso_table(axes: tuple[str, str], surface: tuple[np.ndarray, np.ndarray]) -> pd.DataFrame:
    """The score at every point, one row each."""
    rates, scores = surface
    x, y = np.meshgrid(rates, rates)
    return pd.DataFrame({axes[0]: x.ravel(), axes[1]: y.ravel(), "score": scores.ravel()})
