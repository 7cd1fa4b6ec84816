"""A sweep of L as pictures: score and share of dead samples against L, a band over the folds."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.figures.style import GREY, loss_colour, new_figure, see_through
from anyloss_core.figures.traces import add_band, add_metric_curve, metric_label

DASHES = ("dash", "dot", "dashdot", "longdash")  # of the ramps, in their order
TICKS = (1, 2, 5, 10, 20, 30, 50, 73, 110, 200, 500, 1000)


def score_by_amplifier(summary: pd.DataFrame, valid: tuple[float, float] | None) -> go.Figure:
    """Mean and band of each metric over L on a log axis; a star at the best L, ramps as lines.

    `summary` comes from `Sweep.summary`; `valid` is the range of L that is shaded.
    """
    figure = _figure("score on held-out rows", summary, valid)
    for metric, rows in summary.groupby("metric", sort=False):
        constant = rows.dropna(subset="L").sort_values("L")
        if len(constant):
            _add_mean(figure, metric, constant)
            _add_best(figure, metric, constant)
        _add_ramps(figure, metric, rows[rows["L"].isna()], _reach(summary))
    return figure


def dead_by_amplifier(summary: pd.DataFrame, valid: tuple[float, float] | None) -> go.Figure:
    """Share of training rows whose slope is exactly 0 at the end."""
    figure = _figure("share of dead samples", summary, valid)
    for metric, rows in summary.groupby("metric", sort=False):
        constant = rows.dropna(subset="L").sort_values("L")
        hover = "L = %{x:g}, %{y:.1%} dead"
        add_metric_curve(figure, metric, constant["L"], constant["dead_share"], hover)
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    return figure


def by_setting(judged: pd.DataFrame, column: str, y_title: str) -> go.Figure:
    """A column of `good_amplifier.judge` for every L and ramp, a line per metric."""
    figure = new_figure("L, ramps at the right", y_title, height=380)
    for metric, rows in judged.groupby("metric", sort=False):
        add_metric_curve(figure, metric, rows["setting"], rows[column], "L = %{x}, %{y:.3f}")
    figure.update_xaxes(type="category")
    return figure


def _figure(y_title: str, summary: pd.DataFrame, valid: tuple[float, float] | None) -> go.Figure:
    figure = new_figure("L (logarithmic)", y_title, height=400)
    low, high = _reach(summary)
    ticks = [tick for tick in TICKS if low <= tick <= high]
    figure.update_xaxes(type="log", range=[np.log10(low), np.log10(high)], tickvals=ticks)
    if valid is not None and valid[0] < high and valid[1] > low:
        figure.add_vrect(
            x0=max(valid[0], low),
            x1=min(valid[1], high),
            fillcolor=GREY,
            opacity=0.16,
            line_width=0,
        )
        # Unlike a shape, an annotation on a log axis is placed by its exponent.
        middle = (np.log10(max(valid[0], low)) + np.log10(min(valid[1], high))) / 2
        figure.add_annotation(
            x=middle, y=0, yref="paper", yanchor="bottom", text="valid L", showarrow=False
        )
    return figure


def _reach(summary: pd.DataFrame) -> tuple[float, float]:
    """The limits of the axis, a little beyond the values of L."""
    values = summary["L"].dropna()
    low, high = (values.min(), values.max()) if len(values) else (5.0, 100.0)
    return float(low / 1.15), float(high * 1.15)


def _add_mean(figure: go.Figure, metric: str, rows: pd.DataFrame) -> None:
    """The mean over L with a band of one standard deviation."""
    lower, upper = rows["mean"] - rows["std"], (rows["mean"] + rows["std"]).clip(upper=1.0)
    shade = see_through(loss_colour(f"anyloss:{metric}"), 0.15)
    add_band(figure, rows["L"], lower, upper, shade, legendgroup=metric)
    add_metric_curve(
        figure,
        metric,
        rows["L"],
        rows["mean"],
        "L = %{x:g}, %{y:.4f} ± %{customdata:.4f}",
        legendgroup=metric,
        customdata=rows["std"],
    )


def _add_best(figure: go.Figure, metric: str, rows: pd.DataFrame) -> None:
    best = rows.loc[rows["mean"].idxmax()]
    figure.add_scatter(
        x=[best["L"]],
        y=[best["mean"]],
        mode="markers+text",
        marker={"symbol": "star", "size": 17, "color": loss_colour(f"anyloss:{metric}")},
        text=[f"best: {best['setting']}"],
        textposition="top right" if best["L"] == rows["L"].min() else "top center",
        cliponaxis=False,
        legendgroup=metric,
        showlegend=False,
        hoverinfo="skip",
    )


def _add_ramps(
    figure: go.Figure, metric: str, ramps: pd.DataFrame, reach: tuple[float, float]
) -> None:
    for index, (setting, mean) in enumerate(zip(ramps["setting"], ramps["mean"], strict=True)):
        kind = "automatic" if setting == "auto" else f"ramp {setting}"
        label = f"{metric_label(metric)}, {kind}"
        colour, dash = loss_colour(f"anyloss:{metric}"), DASHES[index % len(DASHES)]
        figure.add_scatter(
            x=list(reach),
            y=[mean, mean],
            mode="lines",
            line={"color": colour, "dash": dash, "width": 1.6},
            name=label,
            legendgroup=label,
            hovertemplate=f"{label}: %{{y:.4f}}<extra></extra>",
        )
