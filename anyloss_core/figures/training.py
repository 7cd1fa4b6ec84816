"""Curves of a live training over its epochs: loss, achievement, the metric, dead rows, gradient.

All take a `History` and draw one line per loss in its fixed colour. With `epoch` a vertical line
marks the epoch that the other panels show; with `live` the axis spans the whole training, so that
curves grow into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.figures.fast import SMALL_LEGEND, FastFigure, axis, fast_figure
from anyloss_core.figures.style import GREY, loss_line, plain

if TYPE_CHECKING:
    from anyloss_core.live.history import History

HEIGHT = 250  # the first two fit below the form on a screen of 1280 x 720
LEGEND_ROW, ONE_ROW = 20, 3  # pixels of a row of the legend, and losses that fit into one
FAINT = 0.45  # training beside validation
SPLIT = (0.44, 0.56)  # where the lower panel ends and the upper one begins


def loss_figure(history: History, epoch: int | None = None, live: bool = False) -> FastFigure:
    """The loss that each training meets, epoch by epoch."""
    return _figure(history, _lines(history, history.column("losses")), "loss", epoch, live)


def achievement_figure(
    history: History, epoch: int | None = None, live: bool = False
) -> FastFigure:
    """How much of its descent (so far) each loss had made."""
    lines = _lines(history, history.achievement())
    return _figure(history, lines, "achievement", epoch, live, tickformat=".0%")


def metric_figure(
    history: History, metric: str, epoch: int | None = None, live: bool = False
) -> FastFigure:
    """The target metric on validation rows (strong) and training rows (faint)."""
    strong = _lines(history, history.scores(metric, "valid"))
    faint = _lines(history, history.scores(metric, "train"), faint=True)
    return _figure(history, faint + strong, metric_words(metric), epoch, live)


def health_figure(history: History, epoch: int | None = None, live: bool = False) -> FastFigure:
    """Share of dead rows above, gradient norm on a log axis below."""
    norms = history.column("gradient")
    lines = _lines(history, history.column("dead"), yaxis="y2")
    lines += _lines(history, np.where(norms > 0, norms, np.nan), legend=False)
    logarithmic = {"type": "log", "exponentformat": "power", "dtick": _decades(norms)}
    figure = _figure(history, lines, "gradient", epoch, live, domain=[0, SPLIT[0]], **logarithmic)
    shares = {"tickformat": ".0%", "range": [-0.05, 1.05], "nticks": 4, "domain": [SPLIT[1], 1]}
    figure.layout["yaxis2"] = axis("dead", **shares)
    return figure


def curve_table(history: History, metric: str) -> pd.DataFrame:
    """Every number behind the curves, one line per epoch and loss."""
    columns = {
        "loss": history.column("losses"),
        "achievement": history.achievement(),
        f"{metric} validation": history.scores(metric, "valid"),
        f"{metric} training": history.scores(metric, "train"),
        f"{metric} soft training": history.scores(metric, "train", soft=True),
        "dead rows": history.column("dead"),
        "gradient norm": history.column("gradient"),
    }
    models = np.array(history.losses, dtype=object)
    index = {
        "epoch": np.repeat(history.epochs, len(models)),
        "trained with": np.tile(models, len(history.epochs)),
    }
    return pd.DataFrame(index | {name: values.ravel() for name, values in columns.items()})


def _lines(
    history: History,
    values: np.ndarray,
    faint: bool = False,
    legend: bool = True,
    yaxis: str = "y",
) -> list[dict[str, Any]]:
    epochs = np.array(history.epochs, dtype=np.int32)
    # A line needs two points: until then show the one there is.
    mode = "lines" if len(epochs) > 1 else "markers"
    return [
        {
            "type": "scatter",
            "x": epochs,
            "y": values[:, model],
            "mode": mode,
            "name": plain(loss_words(loss)) + (", training" if faint else ""),
            "legendgroup": loss,
            "showlegend": legend and not faint,
            "line": loss_line(loss, 1.4 if faint else 2.2),
            "opacity": FAINT if faint else 1.0,
            "hovertemplate": "%{y:.4g}",
            "yaxis": yaxis,
        }
        for model, loss in enumerate(history.losses)
    ]


def _figure(
    history: History,
    lines: list[dict],
    y_title: str,
    epoch: int | None,
    live: bool,
    **y_axis: Any,
) -> FastFigure:
    layout: dict[str, Any] = {"xaxis": axis("epoch"), "yaxis": axis(plain(y_title), **y_axis)}
    if live:
        layout["xaxis"]["range"] = [0, history.settings.epochs + 1]
    if epoch is not None and epoch != history.epochs[-1]:
        line = {"color": GREY, "width": 2, "dash": "dot"}  # through the whole figure
        ends = {"x0": epoch, "x1": epoch, "y0": 0, "y1": 1, "yref": "paper"}
        layout["shapes"] = [{"type": "line", "line": line, **ends}]
    height = HEIGHT + LEGEND_ROW * (len(history.losses) > ONE_ROW)
    return fast_figure(lines, height, hovermode="x unified", legend=SMALL_LEGEND, **layout)


def _decades(norms: np.ndarray) -> int:
    """Powers of ten between two ticks, so that about three fit."""
    seen = norms[np.isfinite(norms) & (norms > 0)]
    span = np.log10(seen.max() / seen.min()) if seen.size else 0.0
    return max(1, int(np.ceil(span / 3)))
