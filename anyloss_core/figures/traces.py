"""Traces that several figures share: the curve of a loss, bands, reference lines, stacked bars."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.figures.style import GREY, loss_colour, loss_line, new_figure, plain

BAR_ROW = 40  # pixels of a bar with its gap


def loss_label(spelling: str) -> str:
    """The name of a loss in a figure."""
    return plain(loss_words(spelling), 40)


def metric_label(metric: str) -> str:
    """The name of a metric in a figure."""
    return plain(metric_words(metric), 30)


def add_loss_curve(
    figure: go.Figure, loss: str, x: Any, y: Any, hover: str = ": %{y:.4f}", **more: Any
) -> None:
    """The curve of a loss in its colour and dash; `hover` follows its name."""
    label = loss_label(loss)
    trace = {"mode": "lines", "name": label, "line": loss_line(loss)} | more
    figure.add_scatter(x=x, y=y, hovertemplate=f"{label}{hover}<extra></extra>", **trace)


def add_band(
    figure: go.Figure, x: pd.Series, low: pd.Series, high: pd.Series, colour: str, **more: Any
) -> None:
    """A shaded band between two curves; `colour` is see-through."""
    figure.add_scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        mode="lines",
        fill="toself",
        fillcolor=colour,
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
        **more,
    )


def add_reference(figure: go.Figure, heights: Sequence[float], name: str) -> None:
    """A dotted line from x = 0 to x = 1 that the curves are compared with."""
    line = {"color": GREY, "dash": "dot", "width": 1.5}
    figure.add_scatter(
        x=[0, 1], y=list(heights), mode="lines", line=line, name=name, hoverinfo="skip"
    )


def bars_in_parts(
    title: str,
    names: Sequence[str],
    parts: Iterable[tuple[str, str, Sequence[float], Sequence[str]]],
    hover: str,
) -> go.Figure:
    """One bar a name, the first at the top; a part is (word, colour, lengths, texts).

    `hover` stands between a bar's name and the word of a part.
    """
    height = 150 + BAR_ROW * len(names)
    figure = new_figure(title, height=height, barmode="stack", bargap=0.35)
    # A number that does not fit into its part of the bar is left out, not shrunk to a dot.
    uniform = {"minsize": 11, "mode": "hide"}
    figure.update_layout(legend_traceorder="normal", uniformtext=uniform)
    for word, colour, lengths, texts in parts:
        figure.add_bar(
            x=list(lengths)[::-1],
            y=list(names)[::-1],
            orientation="h",
            name=word,
            marker_color=colour,
            text=list(texts)[::-1],
            textangle=0,
            insidetextanchor="middle",
            hovertemplate=f"%{{y}}{hover.format(word=word)}<extra></extra>",
        )
    figure.update_yaxes(type="category", showgrid=False)
    return figure


def add_metric_curve(
    figure: go.Figure, metric: str, x: Any, y: Any, hover: str, **more: Any
) -> None:
    """A curve of the AnyLoss of a metric, called by the metric."""
    label = metric_label(metric)
    line = {"color": loss_colour(f"anyloss:{metric}"), "width": 2.2}
    trace = {"mode": "lines+markers", "name": label, "line": line} | more
    figure.add_scatter(x=x, y=y, hovertemplate=f"{label}: {hover}<extra></extra>", **trace)
