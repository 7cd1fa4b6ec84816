"""A metric drawn: its loss over (FPR, TPR), soft against hard value, the gradient per sample."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.common.wording import metric_words
from anyloss_core.figures.style import (
    GREY,
    NEGATIVE_CLASS,
    OUTLINE,
    PALETTE,
    POSITIVE_CLASS,
    new_figure,
    plain,
)

# Viridis without its dark third, so that dark labels can be read on every band of the surface.
SURFACE_COLOURS = ("#FDE725", "#90D743", "#35B779", "#21918C", "#2A788E")  # from the least loss on
INK = "#1B2430"
BANDS = 10  # of colour
WIDE = 0.5  # a loss that spans more than this of 0 to 1 is drawn on that scale
MOST_POINTS = 500  # they lie on one curve per class; more would only take longer to draw


def surface_figure(rates: np.ndarray, loss: np.ndarray, metric: str) -> go.Figure:
    """The loss at every point of ROC space; the best corner is at the top left."""
    figure = new_figure("false positive rate", "true positive rate", height=430)
    low, high = _span(loss)
    figure.add_contour(
        x=rates,
        y=rates,
        z=loss,
        zmin=low,
        zmax=high,
        colorscale=SURFACE_COLOURS,
        contours={
            "start": low,
            "end": high,
            "size": (high - low) / BANDS,
            "showlabels": True,
            "labelformat": ".3g",
            "labelfont": {"color": INK, "size": 13},
        },
        line={"width": 0.6, "color": INK},
        colorbar={"title": {"text": "loss"}, "thickness": 14},
        hovertemplate="FPR %{x:.2f}<br>TPR %{y:.2f}<br>loss %{z:.4g}<extra></extra>",
    )
    figure.add_scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        line={"color": INK, "dash": "dash"},
        name="chance",
        hoverinfo="skip",
    )
    figure.update_xaxes(range=[0, 1], constrain="domain")
    figure.update_yaxes(range=[0, 1], scaleanchor="x", constrain="domain")
    title = plain(f"Loss of {metric_words(metric)}")
    figure.update_layout(title={"text": title, "font": {"size": 15}})
    return figure.update_layout(showlegend=False)


def _span(loss: np.ndarray) -> tuple[float, float]:
    """From where to where the bands go: 0 to 1, or what a formula reaches in its own unit."""
    low, high = float(loss.min()), float(loss.max())
    if low >= 0 and high <= 1 and high - low > WIDE:
        return 0.0, 1.0
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def surface_table(rates: np.ndarray, loss: np.ndarray) -> pd.DataFrame:
    """The surface, one row a point."""
    fpr, tpr = np.meshgrid(rates, rates)
    return pd.DataFrame({"FPR": fpr.ravel(), "TPR": tpr.ravel(), "loss": loss.ravel()})


def soft_hard_figure(table: pd.DataFrame, metric: str) -> go.Figure:
    """The soft score over L, and the hard score that it approaches."""
    figure = new_figure("L", metric_words(metric), height=360, hovermode="x unified")
    lines = {
        "hard: p > 0.5": {"color": GREY, "dash": "dash", "width": 2},
        "soft: A(p)": {"color": PALETTE[0], "width": 3},
    }
    for name, line in lines.items():
        y = table[name.partition(":")[0]]
        figure.add_scatter(x=table["L"], y=y, mode="lines", name=name, line=line)
    return figure


def gradient_figure(table: pd.DataFrame) -> go.Figure:
    """d loss / d logit of every sample over its probability, by class."""
    figure = new_figure("p", "d loss / d logit", height=360)
    shown = table.sample(MOST_POINTS, random_state=0) if len(table) > MOST_POINTS else table
    for label, colour, symbol in ((0, NEGATIVE_CLASS, "circle"), (1, POSITIVE_CLASS, "diamond")):
        rows = shown[shown["class"] == label]
        figure.add_scatter(
            x=rows["p"],
            y=rows["gradient"],
            mode="markers",
            name=f"class {label}",
            marker={"color": colour, "size": 6, "opacity": 0.6, "symbol": symbol}
            | {"line": {"width": 0.6, "color": OUTLINE}},
            hovertemplate="p %{x:.4f}<br>gradient %{y:.3e}<extra></extra>",
        )
    figure.update_xaxes(range=[-0.02, 1.02])
    figure.update_yaxes(exponentformat="power", zeroline=True)
    return figure
