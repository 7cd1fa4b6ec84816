"""Learning curves for several L: the loss, the share of dead samples, and where dying sets in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from anyloss_core.figures.fast import axis, fast_figure
from anyloss_core.figures.style import BAD

if TYPE_CHECKING:
    from anyloss_core.live.history import History

LARGEST = 150.0  # L of the last colour
COLOURS = ("#8C7AE6", "#CC79A7", "#E69F00", "#009E73", "#1A7FC8")  # from L = 1 to the largest
HEIGHT = 340
SETS_IN = "no more update"


def amplifier_colour(L: float) -> str:
    """One colour for each L on every page, from violet (1) over orange to blue (150)."""
    share = math.log(min(max(L, 1.0), LARGEST)) / math.log(LARGEST)
    return sample_colorscale(list(COLOURS), share)[0]


def amplifiers(history: History) -> list[float]:
    """The L of each loss of a run; a ramp counts by its end, a loss without L as not a number."""
    epochs = history.settings.epochs
    last = [spec.at(epochs - 1, epochs).L for spec in history.settings.specs]
    return [math.nan if L is None else L for L in last]


def onset(history: History) -> dict[float, int]:
    """For each L whose samples die: the first epoch in which one is dead."""
    dead = history.column("dead") > 0  # (E, M)
    return {
        L: history.epochs[int(np.argmax(dead[:, model]))]
        for model, L in enumerate(amplifiers(history))
        if dead[:, model].any()
    }


def learning_figure(history: History) -> go.Figure:
    """The loss over the epochs, a cross where 'No More Update' sets in."""
    return _figure(history, "losses", axis("loss", rangemode="tozero"))


def dead_figure(history: History) -> go.Figure:
    """The share of training rows whose gradient is exactly 0."""
    shares = axis("dead samples", tickformat=".0%", rangemode="tozero", range=[-0.01, None])
    return _figure(history, "dead", shares)


def learning_table(history: History) -> pd.DataFrame:
    """The figures behind both, one line per epoch and L."""
    names = amplifiers(history)
    return pd.DataFrame(
        {
            "epoch": np.repeat(history.epochs, len(names)),
            "L": np.tile(names, len(history.epochs)),
            "loss": history.column("losses").ravel(),
            "dead samples": history.column("dead").ravel(),
        }
    )


def _figure(history: History, column: str, y_axis: dict) -> go.Figure:
    values = history.column(column)  # (E, M)
    lines = [
        {
            "type": "scatter",
            "x": np.array(history.epochs, dtype=np.int32),
            "y": values[:, model],
            "mode": "lines",
            "name": f"L = {L:g}",
            "line": {"color": amplifier_colour(L), "width": 2.6},
            "hovertemplate": "%{y:.4g}",
        }
        for model, L in enumerate(amplifiers(history))
    ]
    across = axis("epoch", range=[0, history.settings.epochs + 1])
    traces = [*lines, *_crosses(history, values)]
    return fast_figure(traces, HEIGHT, hovermode="x unified", xaxis=across, yaxis=y_axis)


def _crosses(history: History, values: np.ndarray) -> list[dict]:
    """Where 'No More Update' sets in, one mark for each L that it befalls; the highest is named."""
    found = onset(history)
    models = {L: model for model, L in enumerate(amplifiers(history)) if L in found}
    if not found:
        return []
    heights = [values[history.epochs.index(found[L]), model] for L, model in models.items()]
    return [
        {
            "type": "scatter",
            "x": [found[L] for L in models],
            "y": heights,
            "mode": "markers+text",
            "marker": {"symbol": "x", "size": 12, "color": BAD},
            "name": SETS_IN,
            "showlegend": False,  # so long a name would take the room of the curves
            "text": [SETS_IN if i == np.argmax(heights) else "" for i in range(len(heights))],
            "textposition": "top right",
            "hovertext": [f"first dead sample at L = {L:g}" for L in models],
            "hovertemplate": "%{hovertext}<extra></extra>",
            "cliponaxis": False,
        }
    ]
