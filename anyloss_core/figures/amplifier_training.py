"""Learning curves for several L: loss, held-out score, dead samples, and rows on their A(p).

The soft losses of different L are different measures: the curves beside them, of the hard metric
on held-out rows, are those that can be compared.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from plotly.colors import sample_colorscale

from anyloss_core.common.wording import metric_words
from anyloss_core.figures.fast import FastFigure, axis, fast_figure
from anyloss_core.figures.style import BAD, GREY
from anyloss_core.losses.approximation import approximate

if TYPE_CHECKING:
    from anyloss_core.live.history import History
    from anyloss_core.live.samples import Samples

LARGEST = 150.0  # L of the last colour
COLOURS = ("#8C7AE6", "#CC79A7", "#E69F00", "#009E73", "#1A7FC8")  # from L = 1 to the largest
HEIGHT = 340
SETS_IN = "no more update"
SYMBOLS = ("circle-open", "circle")  # of negative and of positive rows
DEAD_SYMBOL = "x"  # and grey
PLACES = np.linspace(0.0, 1.0, 101)  # of the curves under the dots


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


def learning_figure(history: History) -> FastFigure:
    """The loss over the epochs, a cross where 'No More Update' sets in."""
    return _figure(history, history.column("losses"), axis("soft loss", rangemode="tozero"))


def held_out_figure(history: History, metric: str) -> FastFigure:
    """The hard metric on the rows that are held out: the same measure for every L."""
    score = axis(f"{metric_words(metric)}, held-out rows", rangemode="tozero")
    return _figure(history, history.scores(metric, "valid"), score)


def dead_figure(history: History) -> FastFigure:
    """The share of training rows whose gradient is exactly 0."""
    shares = axis("dead samples", tickformat=".0%", rangemode="tozero", range=[-0.01, None])
    return _figure(history, history.column("dead"), shares)


def samples_figure(history: History, samples: Samples) -> FastFigure:
    """A handful of rows on the A(p) of each L; those that learn no more are grey crosses."""
    traces = []
    for model, L in enumerate(amplifiers(history)):
        colour, p = amplifier_colour(L), samples.p[model]
        line = {"color": colour, "width": 1.6}
        curve = {"x": PLACES, "y": approximate(PLACES, L), "mode": "lines", "line": line}
        traces.append({"type": "scatter", "name": f"L = {L:g}", "hoverinfo": "skip"} | curve)
        dots = {
            "x": p,
            "y": samples.soft[model],
            "mode": "markers",
            "marker": {
                "size": 11,
                "color": [GREY if dead else colour for dead in samples.dead[model]],
                "symbol": _symbols(samples, model),
                "line": {"width": 2},
            },
            "cliponaxis": False,
            "showlegend": False,
            "hovertemplate": f"p = %{{x:.4g}}, A(p) = %{{y:.4g}}<extra>L = {L:g}</extra>",
        }
        traces.append({"type": "scatter"} | dots)
    whole = {"range": [-0.03, 1.03]}
    return fast_figure(
        traces, HEIGHT, hovermode="closest", xaxis=axis("p", **whole), yaxis=axis("A(p)", **whole)
    )


def samples_table(history: History, samples: Samples) -> pd.DataFrame:
    """The rows behind the dots, one line per L and row."""
    names, rows = amplifiers(history), len(samples.labels)
    return pd.DataFrame(
        {
            "L": np.repeat(names, rows),
            "class": np.tile(samples.labels, len(names)),
            "p": samples.p.ravel(),
            "A(p)": samples.soft.ravel(),
            "dead": samples.dead.ravel(),
        }
    )


def learning_table(history: History, metric: str) -> pd.DataFrame:
    """The figures behind the curves, one line per epoch and L."""
    names = amplifiers(history)
    return pd.DataFrame(
        {
            "epoch": np.repeat(history.epochs, len(names)),
            "L": np.tile(names, len(history.epochs)),
            "soft loss": history.column("losses").ravel(),
            f"{metric_words(metric)}, held-out rows": history.scores(metric, "valid").ravel(),
            "dead samples": history.column("dead").ravel(),
        }
    )


def _symbols(samples: Samples, model: int) -> list[str]:
    kinds = zip(samples.labels, samples.dead[model], strict=True)
    return [DEAD_SYMBOL if dead else SYMBOLS[label] for label, dead in kinds]


def _figure(history: History, values: np.ndarray, y_axis: dict) -> FastFigure:
    """Values (E, M) as one line for each L."""
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
