"""A comparison of losses on one data set as pictures; each loss keeps its colour and its dash.

Functions take what `comparison.tables` and `comparison.probability_curves` give.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from anyloss_core.common.text import visible
from anyloss_core.common.wording import loss_words
from anyloss_core.figures.style import (
    GREY,
    TEMPLATE,
    loss_colour,
    loss_line,
    new_figure,
    plain,
    see_through,
)
from anyloss_core.figures.traces import add_band, add_loss_curve, add_reference, loss_label
from anyloss_core.losses.spelling import REFERENCES

if TYPE_CHECKING:
    from anyloss_core.comparison.probability_curves import Curve, Reliability

MATRIX_COLUMNS = 3  # confusion matrices beside each other, also in a narrow window
MATRIX_HEIGHT = 110
MATRIX_GAP = 80  # pixels below a matrix for its axis and for the name of the next one
NAME_WIDTH = 15  # characters that fit over a matrix in a narrow window
NAME_LINE = 15  # pixels of a line of it
FEW_BANDS = 4  # curves that are seen apart with bands of full strength
BAND_WASH = 0.14
LONGEST_TITLE = 44  # letters of the title of an axis that a phone shows whole
LEGEND_SHARE = 12  # pixels that a further curve adds to the legend in half of a page


def fold_difference(
    differences: pd.DataFrame, baseline: str, metric: str, rope: float
) -> go.Figure:
    """One point per fold and loss, the mean as a diamond, the rope shaded, references dashed."""
    losses = list(differences["loss"].unique())
    rival = loss_words(baseline)
    title = f"{metric} − {metric} of {rival}"
    if len(title) > LONGEST_TITLE:
        title = f"{metric}, difference to {rival}"
    figure = new_figure(title, height=150 + 46 * len(losses), showlegend=False)
    figure.add_vrect(x0=-rope, x1=rope, fillcolor=GREY, opacity=0.2, line_width=0)
    figure.add_vline(x=0, line={"color": GREY, "width": 1})
    for row, loss in enumerate(reversed(losses)):
        rows = differences[differences["loss"] == loss]
        shift = np.linspace(-0.22, 0.22, len(rows)) if len(rows) > 1 else np.zeros(1)
        figure.add_scatter(
            x=rows["difference"],
            y=row + shift,
            mode="markers",
            marker={"color": loss_colour(loss), "size": 8, "opacity": 0.65},
            customdata=rows["fold"] + 1,
            hovertemplate=f"{loss_label(loss)}<br>fold %{{customdata}}: %{{x:+.4f}}<extra></extra>",
        )
        figure.add_scatter(
            x=[rows["difference"].mean()],
            y=[row],
            mode="markers",
            error_x={"array": [rows["difference"].std()], "color": loss_colour(loss)},
            marker={"color": loss_colour(loss), "size": 13, "symbol": "diamond"},
            hovertemplate=f"{loss_label(loss)}<br>mean %{{x:+.4f}}<extra></extra>",
        )
        if loss.partition("@")[0] in REFERENCES:
            line = {"color": loss_colour(loss), "dash": "dash", "width": 1}
            figure.add_vline(x=rows["difference"].mean(), line=line)
    names = [loss_label(loss) for loss in reversed(losses)]
    figure.update_yaxes(tickvals=list(range(len(names))), ticktext=names, showgrid=False)
    figure.update_yaxes(range=[-0.6, len(names) - 0.4])
    figure.update_layout(margin={"t": 12})
    return figure


def confusion_matrices(pooled: pd.DataFrame, metric: str | None = None) -> go.Figure:
    """One matrix per loss; shade and percentage are shares of the true class.

    `metric` is what tuned thresholds are tuned for.
    """
    rows = -(-len(pooled) // MATRIX_COLUMNS)
    names = [_over_matrix(loss, metric) for loss in pooled["loss"]]
    further = NAME_LINE * max(name.count("<br>") for name in names)
    gap = MATRIX_GAP + further
    height = rows * (MATRIX_HEIGHT + gap) - gap
    figure = make_subplots(
        rows,
        MATRIX_COLUMNS,
        subplot_titles=names,
        horizontal_spacing=0.05,
        vertical_spacing=gap / height if rows > 1 else 0.1,
        shared_yaxes=True,
    )
    counts = pooled[["tn", "fp", "fn", "tp"]].to_numpy(dtype=np.float64).reshape(-1, 2, 2)
    for index, (loss, matrix) in enumerate(zip(pooled["loss"], counts, strict=True)):
        panel = {"row": index // MATRIX_COLUMNS + 1, "col": index % MATRIX_COLUMNS + 1}
        for trace in _matrix(loss, matrix):
            figure.add_trace(trace, **panel)
        figure.update_xaxes(title={"text": "predicted", "font_size": 12}, **panel)
    margins = {"t": 44 + further, "b": 52}
    height += sum(margins.values())
    figure.update_layout(template=TEMPLATE, height=height, margin=margins, uirevision="keep")
    figure.update_xaxes(showgrid=False, tickvals=[0, 1])
    figure.update_yaxes(showgrid=False, tickvals=[0, 1])
    figure.update_yaxes(title_text="true", col=1, autorange="reversed")
    figure.update_annotations(font_size=12)
    return figure


def _over_matrix(loss: str, metric: str | None) -> str:
    """The name of a loss in lines as wide as a matrix."""
    words = visible(loss_words(loss, metric))
    lines = textwrap.wrap(words, NAME_WIDTH, max_lines=3, placeholder="…")
    return "<br>".join(plain(line) for line in lines)


def _matrix(loss: str, counts: np.ndarray) -> tuple[go.Heatmap, go.Scatter]:
    """Shades and numbers; as text of a scatter the numbers follow the page's theme."""
    totals = counts.sum(1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    colour = loss_colour(loss)
    shades = go.Heatmap(
        z=shares,
        zmin=0,
        zmax=1,
        colorscale=[[0, see_through(colour, 0.05)], [1, see_through(colour, 0.5)]],
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="true %{y}, predicted %{x}: %{z:.1%} of the true class<extra></extra>",
    )
    numbers = go.Scatter(
        x=[0, 1, 0, 1],
        y=[0, 0, 1, 1],
        mode="text",
        text=[
            f"{n:,.0f}<br>{share:.1%}" for n, share in zip(counts.flat, shares.flat, strict=True)
        ],
        hoverinfo="skip",
        showlegend=False,
    )
    return shades, numbers


def band_curves(
    bands: pd.DataFrame,
    x: str,
    x_title: str,
    y_title: str,
    reach: tuple[float, float] | None = None,
    warm_ups: Sequence[float] = (),
) -> go.Figure:
    """Mean of each loss over `x` with a band of one standard deviation over the folds.

    `reach` are the limits of what is measured: a band is not drawn beyond them. `warm_ups` are
    the places in which a warm-up ends.
    """
    losses = bands["loss"].nunique()
    crowd = max(losses - FEW_BANDS, 0)
    figure = new_figure(x_title, y_title, height=400 + LEGEND_SHARE * crowd)
    low, high = reach or (-np.inf, np.inf)
    wash = BAND_WASH * min(1.0, FEW_BANDS / losses)  # many bands over each other would be a wall
    for loss, rows in bands.groupby("loss", sort=False):
        colour = loss_colour(loss)
        upper, lower = rows["mean"] + rows["std"], rows["mean"] - rows["std"]
        low_curve, high_curve = lower.clip(low, high), upper.clip(low, high)
        shade = see_through(colour, wash)
        add_band(figure, rows[x], low_curve, high_curve, shade, legendgroup=loss)
        add_loss_curve(figure, loss, rows[x], rows["mean"], legendgroup=loss)
    for end in warm_ups:
        figure.add_vline(x=end, line={"color": GREY, "dash": "dot"})
        figure.add_annotation(x=end, y=1, yref="paper", text="warm-up ends", showarrow=False)
    figure.update_layout(hovermode="x unified")
    return figure


def threshold_curves(
    curves: Mapping[str, pd.DataFrame], used: Mapping[str, float], metric: str
) -> go.Figure:
    """Metric against threshold; a dot marks the threshold that the loss really used."""
    figure = new_figure("threshold on p", metric, height=400)
    for loss, curve in curves.items():
        hover = ": %{y:.4f} at %{x:.2f}"
        add_loss_curve(figure, loss, curve["threshold"], curve["mean"], hover, legendgroup=loss)
        figure.add_scatter(
            x=[used[loss]],
            y=[np.interp(used[loss], curve["threshold"], curve["mean"])],
            mode="markers",
            marker={"color": loss_colour(loss), "size": 11},
            legendgroup=loss,
            showlegend=False,
            hovertemplate=f"{loss_label(loss)} decides at %{{x:.3f}}<extra></extra>",
        )
    figure.update_xaxes(range=[0, 1])
    return figure


def area_curves(
    curves: Mapping[str, Curve], x_title: str, y_title: str, area: str, chance: Sequence[float]
) -> go.Figure:
    """ROC or precision-recall; `chance` is the height of a coin toss at both ends."""
    figure = new_figure(x_title, y_title, height=360 + 20 * len(curves))
    add_reference(figure, chance, "chance")
    for loss, curve in curves.items():
        label = f"{loss_label(loss)}, {area} {curve.area:.3f} ± {curve.spread:.3f}"
        add_loss_curve(figure, loss, curve.x, curve.y, "<br>%{x:.3f}, %{y:.3f}", name=label)
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(range=[0, 1.02])
    return figure


def reliability_diagram(
    found: Mapping[str, Reliability], calibrated: Mapping[str, Reliability]
) -> go.Figure:
    """Mean score of a bin against its share of positives; dots grow with the rows.

    Thin lines with rings: the same rows with calibrated scores.
    """
    crowd = max(len(found) + len(calibrated) - FEW_BANDS, 0)
    height = 430 + LEGEND_SHARE * crowd
    figure = new_figure("mean score in the bin", "share of positives", height=height)
    add_reference(figure, (0, 1), "perfectly reliable")
    for loss, bins in found.items():
        _add_bins(figure, loss, bins, symbol="circle")
    for loss, bins in calibrated.items():
        thin = {"line": loss_line(loss) | {"width": 1.2}, "name": f"{loss_label(loss)}, calibrated"}
        _add_bins(figure, loss, bins, symbol="circle-open", **thin)
    figure.update_xaxes(range=[-0.02, 1.02])
    figure.update_yaxes(range=[-0.02, 1.02])
    return figure


def _add_bins(figure: go.Figure, loss: str, bins: Reliability, symbol: str, **more: Any) -> None:
    size = 5 + 13 * np.sqrt(bins.rows / bins.rows.sum())
    marker = {"size": size, "color": loss_colour(loss), "opacity": 0.85, "symbol": symbol}
    hover = "<br>score %{x:.3f}, positive %{y:.3f}, %{customdata:,} rows"
    trace = {"mode": "lines+markers", "marker": marker, "customdata": bins.rows} | more
    add_loss_curve(figure, loss, bins.predicted, bins.observed, hover, **trace)


def time_bars(times: pd.DataFrame) -> go.Figure:
    """Learning time of each loss over that of BCE."""
    measure = times["measure"].iloc[0]
    title = f"learning time / learning time of {loss_words(measure)}"
    figure = new_figure(title, height=130 + 38 * len(times), showlegend=False)
    rows = times.iloc[::-1]
    figure.add_bar(
        x=rows["ratio"],
        y=[loss_label(loss) for loss in rows["loss"]],
        orientation="h",
        marker_color=[loss_colour(loss) for loss in rows["loss"]],
        text=[f"{ratio:.2f} ×" for ratio in rows["ratio"]],
        customdata=rows["seconds"],
        hovertemplate="%{y}: %{x:.2f} times, %{customdata:.2f} s<extra></extra>",
    )
    figure.add_vline(x=1, line={"color": GREY, "dash": "dot"})
    figure.update_layout(margin={"t": 12}, bargap=0.3)
    figure.update_yaxes(showgrid=False)
    return figure


def live_scores(points: pd.DataFrame, metric: str, epochs: int) -> go.Figure:
    """The metric on held-out rows while the comparison runs: epoch and a column per loss."""
    figure = new_figure("epoch", f"{metric}, held-out rows", height=340)
    for loss in points.columns.drop("epoch"):
        add_loss_curve(figure, loss, points["epoch"], points[loss])
    figure.update_xaxes(range=[0, epochs])
    return figure
