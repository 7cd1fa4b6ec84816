"""The paper's figures again, and ours beside them.

Every function takes kept results of `paper` (cells as a table, or curves) and returns a plotly
figure. Published figures are hollow or grey, ours are filled and carry their spread.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.common.achievement import achievement_rate
from anyloss_core.figures.style import (
    GREY,
    PALETTE,
    loss_colour,
    new_figure,
    plain,
    see_through,
)
from anyloss_core.figures.traces import add_loss_curve
from anyloss_core.paper.names import paper_loss

SERIES = {  # how a row of figures came about: name in the legend, colour
    "published": ("published", GREY),
    "as_released": ("network carried on, as released", PALETTE[3]),
    "paper": ("fresh networks, published settings", PALETTE[0]),
    "fresh": ("fresh networks, our settings", PALETTE[2]),
}


def learning_curves(curves: Mapping[str, Sequence[float]], achieved: bool = False) -> go.Figure:
    """Training loss per epoch, or the share of the whole descent that is made by then."""
    title = "achievement rate" if achieved else "training loss"
    figure = new_figure("epoch", title, height=420)
    for loss, curve in curves.items():
        values = achievement_rate(np.asarray(curve)) if achieved else np.asarray(curve)
        epochs, name = np.arange(1, len(values) + 1), plain(paper_loss(loss))
        add_loss_curve(figure, loss, epochs, values, "<br>epoch %{x}: %{y:.4f}", name=name)
    return figure


def amplifier_curves(scales: Sequence[float], losses: np.ndarray, dead: np.ndarray) -> go.Figure:
    """Loss per epoch for several L; the width of a line's shadow is its share of dead samples."""
    figure = new_figure("epoch", "training loss (1 − F1)", height=420)
    for index, (L, curve, lost) in enumerate(zip(scales, losses, dead, strict=True)):
        colour = PALETTE[index % len(PALETTE)]
        epochs = np.arange(1, len(curve) + 1)
        figure.add_scatter(
            x=epochs,
            y=curve,
            mode="lines",
            name=f"L = {L:g}",
            line={"color": colour, "width": 2.4},
            customdata=lost,
            hovertemplate="epoch %{x}: %{y:.4f}<br>dead samples %{customdata:.1%}"
            f"<extra>L = {L:g}</extra>",
        )
        if lost.any():
            first = int(np.argmax(lost > 0))
            figure.add_annotation(
                x=epochs[first],
                y=curve[first],
                text=f"L = {L:g}: No More Update sets in",
                showarrow=True,
                ax=90,
                ay=-40,
            )
    return figure


def scores_by_protocol(rows: pd.DataFrame) -> go.Figure:
    """Scores of each loss in the metric it aims at: published, carried, fresh.

    `rows` has the columns series, loss, score, spread.
    """
    figure = new_figure("loss", "score in the metric the loss aims at", height=460)
    for series, (name, colour) in SERIES.items():
        part = rows[rows["series"] == series]
        hollow = series == "published"
        figure.add_scatter(
            x=part["loss"].map(paper_loss).map(plain),
            y=part["score"],
            mode="markers",
            name=name,
            marker={
                "size": 13,
                "color": colour,
                "symbol": "diamond-open" if hollow else "circle",
                "line": {"width": 2},
            },
            error_y=None if hollow else {"array": part["spread"].fillna(0), "color": colour},
            hovertemplate="%{x}<br>%{y:.4f}<extra>" + name + "</extra>",
        )
    figure.update_layout(scattermode="group", scattergap=0.4)
    spread = rows["spread"].astype(float).fillna(0)
    ends = (rows["score"] - spread).min() - 0.03, (rows["score"] + spread).max() + 0.03
    figure.update_yaxes(range=ends)
    return figure


def advantage_bars(advantage: Mapping[str, Mapping[str, Sequence[float]]]) -> go.Figure:
    """AnyLoss - BCE in the metric each loss aims at, per way of training, sd over seeds."""
    figure = new_figure("loss", "AnyLoss − BCE", height=420, barmode="group")
    for series, (name, colour) in SERIES.items():
        if series not in advantage:
            continue
        gains = {loss: np.asarray(values) for loss, values in advantage[series].items()}
        spreads = [gain.std(ddof=1) if len(gain) > 1 else 0.0 for gain in gains.values()]
        figure.add_bar(
            x=[plain(paper_loss(loss)) for loss in gains],
            y=[gain.mean() for gain in gains.values()],
            error_y={"array": spreads},
            name=name,
            marker={"color": see_through(colour, 0.85)},
            hovertemplate="%{x}<br>%{y:+.4f}<extra>" + name + "</extra>",
        )
    figure.add_hline(y=0, line={"color": GREY, "width": 1})
    return figure


def sweep_lines(rows: pd.DataFrame) -> go.Figure:
    """Score against L: published dashed, ours with the spread over seeds.

    `rows` has the columns metric, L, published, ours, spread.
    """
    figure = new_figure("L", "score", height=420)
    for metric, part in rows.groupby("metric", sort=False):
        colour = loss_colour(f"anyloss:{metric}")
        part = part.sort_values("L")
        figure.add_scatter(
            x=part["L"],
            y=part["published"],
            mode="lines+markers",
            name=f"{plain(metric)}, published",
            line={"color": colour, "dash": "dot"},
            marker={"symbol": "diamond-open", "size": 9},
        )
        figure.add_scatter(
            x=part["L"],
            y=part["ours"],
            mode="lines+markers",
            name=f"{plain(metric)}, ours",
            line={"color": colour},
            error_y={"array": part["spread"].fillna(0), "color": colour},
        )
    return figure


def time_bars(rows: pd.DataFrame) -> go.Figure:
    """Learning time over BCE's: published and measured here; BCE is 1.

    `rows` has the columns model, loss, published, ours, spread.
    """
    figure = _pairs("time over BCE", rows["model"].str.upper(), rows)
    figure.add_hline(y=1, line={"color": GREY, "dash": "dash"})
    return figure


def winning_shares(rows: pd.DataFrame) -> go.Figure:
    """Share of the data sets that each loss wins: published and ours.

    `rows` has the columns metric, loss, published, ours; the last two are numbers of data sets.
    """
    both = ["published", "ours"]
    shares = rows.assign(**(rows[both] / rows.groupby("metric")[both].transform("sum")))
    figure = _pairs("data sets won", shares["metric"], shares.assign(spread=0.0))
    figure.update_yaxes(tickformat=".0%", range=[0, 1])
    return figure


def _pairs(title: str, groups: pd.Series, rows: pd.DataFrame) -> go.Figure:
    """Published and ours side by side for every loss, in groups."""
    figure = new_figure("", title, height=380, barmode="group")
    pairs = [groups.map(plain).tolist(), rows["loss"].map(plain).tolist()]
    figure.add_bar(x=pairs, y=rows["published"], name="published", marker_color=GREY)
    figure.add_bar(
        x=pairs,
        y=rows["ours"],
        error_y={"array": rows["spread"].fillna(0)} if rows["spread"].any() else None,
        name="ours",
        marker_color=PALETTE[0],
    )
    return figure
