"""One epoch of a live training: confusion matrices, histograms of p and A(p), decision boundary.

All show one loss closely (`model` is its index); the boundary shows the others as lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anyloss_core.common.wording import loss_words
from anyloss_core.figures.fast import SMALL_LEGEND, FastFigure, axis, fast_figure
from anyloss_core.figures.style import (
    GREY,
    NEGATIVE_CLASS,
    OUTLINE,
    POSITIVE_CLASS,
    loss_line,
    plain,
    see_through,
)

if TYPE_CHECKING:
    from anyloss_core.live.history import Landscape, Snapshot

CELLS = ("tn", "fn", "fp", "tp")
PANELS = ("soft", "hard", "gap")
PANEL, STEP = 0.29, 0.355  # width of a matrix and from one to the next, as shares of the figure
HALF, SECOND = 0.47, 0.53  # width of a histogram, and where the second begins
# Opaque, so that plotly can choose black or white text for a cell whatever the page's theme is.
SHARES = [[0, "#EDF4FA"], [1, "#0F5FA8"]]
GAPS = [[0, "#D55E00"], [0.5, "#F2F2F2"], [1, "#0F5FA8"]]
CLASS_COLOURS = (NEGATIVE_CLASS, POSITIVE_CLASS)
Spec = dict[str, Any]


def confusion_figure(snapshot: Snapshot, model: int, rows: str) -> FastFigure:
    """Soft matrix, hard matrix and their difference, side by side."""
    soft, hard = (snapshot.counts(rows, soft)[model] for soft in (True, False))
    sizes = np.array([[hard[0] + hard[2]], [hard[1] + hard[3]]])
    values = (soft, hard, soft - hard)
    traces = [_matrix(counts, sizes, panel) for panel, counts in enumerate(values)]
    names = [plain(name, 14) for name in snapshot.history.view["classes"]]
    layout: Spec = {"margin": {"l": 64, "r": 10, "t": 36, "b": 56}, "annotations": []}
    for panel, title in enumerate(PANELS):
        layout |= _matrix_axes(panel, names)
        at = {"x": panel * STEP + PANEL / 2, "y": 1.02, "xref": "paper", "yref": "paper"}
        layout["annotations"].append({"text": title, "showarrow": False, "yanchor": "bottom", **at})
    return fast_figure(traces, 270, **layout)


def confusion_table(snapshot: Snapshot, rows: str) -> pd.DataFrame:
    """Soft and hard counts of all losses."""
    soft, hard = snapshot.counts(rows, True), snapshot.counts(rows, False)
    lines = [
        {"trained with": loss, "count": name.upper(), "soft": s, "hard": h, "gap": s - h}
        for loss, own_soft, own_hard in zip(snapshot.history.losses, soft, hard, strict=True)
        for name, s, h in zip(CELLS, own_soft, own_hard, strict=True)
    ]
    return pd.DataFrame(lines)


def histogram_figure(snapshot: Snapshot, model: int, soft_title: str) -> FastFigure:
    """How p and the soft label spread over the rows of each class."""
    traces = [
        _outline(snapshot, snapshot.values[name][model][kind], kind, panel)
        for panel, name in enumerate(("p_histogram", "soft_histogram"))
        for kind in (0, 1)
    ]
    ends = {"range": [-0.02, 1.02]}
    layout = {
        "xaxis": axis("p", domain=[0, HALF], **ends),
        "xaxis2": axis(plain(soft_title), domain=[SECOND, 1], anchor="y2", **ends),
        "yaxis": axis("share of the class", tickformat=".0%"),
        "yaxis2": axis(anchor="x2", matches="y", showticklabels=False),
    }
    return fast_figure(traces, 300, hovermode="x", **layout)


def histogram_table(snapshot: Snapshot, model: int) -> pd.DataFrame:
    """Rows per bin and class."""
    p, soft = (snapshot.values[name][model] for name in ("p_histogram", "soft_histogram"))
    edges = np.linspace(0, 1, p.shape[-1] + 1)
    table = pd.DataFrame({"from": edges[:-1], "to": edges[1:]})
    for kind, word in enumerate(("negative", "positive")):
        table[f"p, {word} rows"] = p[kind]
        table[f"soft label, {word} rows"] = soft[kind]
    return table


def boundary_figure(snapshot: Snapshot, landscape: Landscape, model: int) -> FastFigure:
    """Where each model changes its mind, over the probability of the one looked at."""
    traces = [_chances(landscape, model), *_points(snapshot, landscape)]
    traces += [
        _boundary(landscape, other, loss) for other, loss in enumerate(snapshot.history.losses)
    ]
    x_name, y_name = (plain(name, 60) for name in landscape.plane.names)
    layout = {
        "xaxis": axis(x_name, range=landscape.grid.x[[0, -1]].tolist(), showgrid=False),
        "yaxis": axis(y_name, range=landscape.grid.y[[0, -1]].tolist(), showgrid=False),
    }
    return fast_figure(traces, 560, legend=SMALL_LEGEND, hovermode="closest", **layout)


def boundary_table(snapshot: Snapshot, landscape: Landscape) -> pd.DataFrame:
    """P(positive) of every loss on the grid."""
    y, x = np.meshgrid(landscape.grid.y, landscape.grid.x, indexing="ij")
    first, second = landscape.plane.names
    table = {first: x.ravel(), second if second != first else f"{second} ": y.ravel()}
    for loss, chances in zip(snapshot.history.losses, landscape.chances, strict=True):
        table[f"p of {loss}"] = chances.ravel()
    return pd.DataFrame(table)


def _matrix(counts: np.ndarray, sizes: np.ndarray, panel: int) -> Spec:
    tn, fn, fp, tp = counts
    grid = np.array([[tn, fp], [fn, tp]])  # one line per actual class
    is_gap = panel == 2
    return {
        "type": "heatmap",
        "z": (grid / np.maximum(sizes, 1e-12)).tolist(),
        "x": [0, 1],
        "y": [0, 1],
        "text": [[_count(cell) for cell in line] for line in grid],
        "texttemplate": "%{text}",
        "textfont": {"size": 15},
        "hovertemplate": "%{text} rows, %{z:.1%} of the class<extra></extra>",
        "colorscale": GAPS if is_gap else SHARES,
        "zmin": -0.5 if is_gap else 0.0,
        "zmax": 0.5 if is_gap else 1.0,
        "showscale": False,
        "xgap": 3,
        "ygap": 3,
        "xaxis": f"x{panel + 1}" if panel else "x",
        "yaxis": f"y{panel + 1}" if panel else "y",
    }


def _matrix_axes(panel: int, names: list[str]) -> Spec:
    number = str(panel + 1) if panel else ""
    ticks = {"tickvals": [0, 1], "ticktext": names, "showgrid": False, "fixedrange": True}
    start = panel * STEP
    return {
        f"xaxis{number}": axis(
            "predicted", domain=[start, start + PANEL], anchor=f"y{number}", **ticks
        ),
        f"yaxis{number}": axis(
            "" if panel else "actual",
            anchor=f"x{number}",
            range=[1.5, -0.5],
            showticklabels=not panel,
            tickangle=-90,
            **ticks,
        ),
    }


def _outline(snapshot: Snapshot, counts: np.ndarray, kind: int, panel: int) -> Spec:
    """A histogram as one filled line, which is drawn many times faster than bars."""
    edges = np.linspace(0, 1, len(counts) + 1)
    shares = counts / max(counts.sum(), 1)
    colour = CLASS_COLOURS[kind]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.repeat(edges, 2),
        "y": np.concatenate([[0.0], np.repeat(shares, 2), [0.0]]),
        "fill": "tozeroy",
        "fillcolor": see_through(colour, 0.45),
        "line": {"color": GREY if kind else colour, "width": 1.2},
        "name": plain(snapshot.history.view["classes"][kind], 24),
        "legendgroup": str(kind),
        "showlegend": panel == 0,
        "hovertemplate": "%{x:.2f}: %{y:.1%} of the class<extra></extra>",
        "xaxis": "x2" if panel else "x",
        "yaxis": "y2" if panel else "y",
    }


def _chances(landscape: Landscape, model: int) -> Spec:
    """The probability as a wash between the colours of the two classes."""
    scale = [
        [0.0, see_through(NEGATIVE_CLASS, 0.45)],
        [0.5, see_through(GREY, 0.06)],
        [1.0, see_through(POSITIVE_CLASS, 0.45)],
    ]
    return {
        "type": "heatmap",
        "x": landscape.grid.x,
        "y": landscape.grid.y,
        "z": landscape.chances[model].astype(np.float32),
        "zmin": 0,
        "zmax": 1,
        "colorscale": scale,
        "zsmooth": "fast",  # by the browser: "best" computes every pixel in JavaScript
        "showscale": False,
        "hovertemplate": "p = %{z:.2f}<extra></extra>",
    }


def _points(snapshot: Snapshot, landscape: Landscape) -> list[Spec]:
    view = snapshot.history.view
    shown = landscape.plane.project(view["points"]).astype(np.float32)
    traces = []
    for kind, colour in enumerate(CLASS_COLOURS):
        own = shown[view["labels"] == kind]
        marker = {"color": colour, "size": 6, "symbol": ("circle", "diamond")[kind]}
        marker["line"] = {"width": 0.8, "color": OUTLINE if kind else "#FFFFFF"}
        name = plain(view["classes"][kind], 24)
        traces.append(
            {"type": "scatter", "x": own[:, 0], "y": own[:, 1], "mode": "markers"}
            | {"name": name, "marker": marker, "hoverinfo": "skip"}
        )
    return traces


def _boundary(landscape: Landscape, model: int, loss: str) -> Spec:
    line = loss_line(loss, 3)
    colour = line.pop("color")
    return {
        "type": "contour",
        "x": landscape.grid.x,
        "y": landscape.grid.y,
        "z": landscape.margins[model].astype(np.float32),
        "contours": {"start": 0, "end": 0, "size": 1, "coloring": "lines"},
        "colorscale": [[0, colour], [1, colour]],
        "line": line,
        "name": plain(loss_words(loss)),
        "showlegend": True,
        "showscale": False,
        "hoverinfo": "skip",
    }


def _count(value: float) -> str:
    if not np.isfinite(value):
        return "?"
    if value == round(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{round(float(value), 1) + 0.0:,.1f}"  # + 0.0: no -0.0
