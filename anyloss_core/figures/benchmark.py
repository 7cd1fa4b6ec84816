"""Many data sets as pictures: difference against imbalance, heatmap, ranks, winning numbers.

Every function takes a result of `analysis` or `ranks` and returns a plotly figure.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.common.text import distinct
from anyloss_core.common.wording import metric_words
from anyloss_core.figures.style import (
    BAD,
    GOOD,
    GREY,
    SEQUENTIAL,
    loss_colour,
    new_figure,
    plain,
)
from anyloss_core.figures.traces import bars_in_parts, loss_label
from anyloss_core.statistics.ranks import Ranking

ROW_HEIGHT = 15  # pixels of a data set in the heatmap
LONGEST_HEATMAP = 3000
FEW_COLUMNS = 4  # their names stand side by side
COLOUR_BAR = {"thickness": 12, "lenmode": "pixels", "len": 240, "y": 1, "yanchor": "top"}
RANK_ROW = 22  # pixels of a name in the rank diagram
# Plotly's own ticks of a logarithm show 2 and 5 smaller than 10.
RATIO_TICKS = (0.5, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 10_000)


def difference_by_imbalance(
    differences: pd.DataFrame, ratios: Mapping[str, float], rope: float, y_title: str
) -> go.Figure:
    """One point a data set: its imbalance n:1 against candidate - baseline.

    `differences` comes from `analysis.dataset_differences`; the data set's name travels in
    `customdata`, so that a click can open its comparison.
    """
    figure = new_figure("imbalance (negatives per positive)", y_title, height=440)
    figure.add_hrect(y0=-rope, y1=rope, fillcolor=GREY, opacity=0.2, line_width=0)
    outcome = np.sign(differences["difference"].where(differences["difference"].abs() > rope, 0))
    for word, sign, colour in (
        ("better", 1, GOOD),
        ("within the rope", 0, GREY),
        ("worse", -1, BAD),
    ):
        rows = differences[outcome == sign]
        figure.add_scatter(
            x=[ratios[name] for name in rows["dataset"]],
            y=rows["difference"],
            mode="markers",
            name=f"{word} ({len(rows)})",
            marker={"color": colour, "size": 10, "line": {"width": 1, "color": "white"}},
            customdata=np.column_stack([rows["dataset"], rows["candidate"], rows["baseline"]]),
            text=[plain(name) for name in rows["dataset"]],
            hovertemplate="<b>%{text}</b><br>%{x:.1f}:1<br>difference %{y:.4f}<br>"
            "%{customdata[1]:.4f} against %{customdata[2]:.4f}<extra></extra>",
        )
    figure.update_xaxes(type="log", tickvals=RATIO_TICKS)
    return figure


def score_heatmap(matrix: pd.DataFrame, metric: str) -> go.Figure:
    """Data sets x losses (`score_table.score_matrix`), the best loss of a row marked by a dot."""
    height = min(160 + ROW_HEIGHT * len(matrix), LONGEST_HEATMAP)
    figure = new_figure(height=height, showlegend=False)
    # Cut names may coincide; plotly would draw such rows on top of each other.
    rows = distinct(plain(name, 40) for name in matrix.index)
    columns = distinct(loss_label(name) for name in matrix.columns)
    figure.add_heatmap(
        z=matrix.to_numpy(),
        x=columns,
        y=rows,
        colorscale=SEQUENTIAL,
        colorbar={"title": {"text": plain(metric)}} | COLOUR_BAR,
        hovertemplate="%{y}<br>%{x}: %{z:.4f}<extra></extra>",
    )
    values = matrix.to_numpy(dtype=np.float64)
    best = values >= np.nanmax(values, axis=1, keepdims=True) - 1e-9
    row, column = np.nonzero(best)
    figure.add_scatter(
        x=np.array(columns)[column],
        y=np.array(rows)[row],
        mode="markers",
        marker={"color": "white", "size": 6, "line": {"color": "black", "width": 1}},
        hoverinfo="skip",
    )
    names = {"type": "category", "showgrid": False}  # also where all names are numbers or dates
    figure.update_yaxes(autorange="reversed", tickfont={"size": 10}, **names)
    figure.update_xaxes(side="top", tickangle=-60 if len(columns) > FEW_COLUMNS else None, **names)
    return figure


def critical_difference_diagram(ranking: Ranking) -> go.Figure:
    """Average ranks on a line, best at the left; a bar joins losses not shown to differ."""
    losses, groups = list(ranking.ranks.index), ranking.groups
    half = (len(losses) + 1) // 2
    depth = len(losses) + 0.7 * len(groups) + 0.6
    figure = new_figure(
        "average rank (1 is best)", height=round(150 + RANK_ROW * depth), showlegend=False
    )
    every = range(1, len(losses) + 1, 1 if len(losses) <= 10 else 3)
    figure.update_xaxes(range=[0, len(losses) + 1], side="top", tickvals=list(every))
    figure.update_yaxes(visible=False, range=[-depth - 0.4, 1.6])
    for rank, loss in enumerate(losses):
        # Outer losses leave first, to their own side, so that no line crosses another; every name
        # has a row of its own, so that those of the two sides do not meet in a narrow window.
        left = rank < half
        row = 2 * rank if left else 2 * (len(losses) - 1 - rank) + 1
        _add_stem(figure, loss, ranking.ranks[loss], -(0.7 * len(groups) + row + 0.6), left)
    for level, group in enumerate(groups):
        ends = [ranking.ranks[group[0]] - 0.03, ranking.ranks[group[-1]] + 0.03]
        line = {"color": GREY, "width": 7}
        height = [-0.7 * (level + 0.6)] * 2
        figure.add_scatter(x=ends, y=height, mode="lines", line=line, hoverinfo="skip")
    _add_critical_difference(figure, ranking)
    return figure


def win_tie_loss_bars(counts: pd.DataFrame) -> go.Figure:
    """Data sets won, tied and lost against the baseline (`analysis.count_wins`), ties apart."""
    parts = [
        (word, colour, counts[word], counts[word].where(counts[word] > 0, ""))
        for word, colour in (("losses", BAD), ("ties", GREY), ("wins", GOOD))
    ]
    return bars_in_parts("data sets", _contests(counts), parts, ": %{{x}} {word}")


def _contests(counts: pd.DataFrame) -> list[str]:
    """Who is counted, named as far as the rows differ."""
    several = {name: counts[name].nunique() > 1 for name in ("metric", "baseline")}
    return [
        loss_label(row.candidate)
        + (f" vs {loss_label(row.baseline)}" if several["baseline"] else "")
        + (f", {plain(metric_words(row.metric), 40)}" if several["metric"] else "")
        for row in counts.itertuples()
    ]


def group_bars(groups: pd.DataFrame) -> go.Figure:
    """Mean difference per imbalance group with its sd (`analysis.group_differences`)."""
    figure = new_figure("imbalance", "candidate − baseline", barmode="group")
    contests = groups.groupby(["candidate", "baseline", "metric"], sort=False)
    for (candidate, baseline, metric), rows in contests:
        figure.add_bar(
            x=rows["group"] + "<br>" + rows["datasets"].astype(str) + " data sets",
            y=rows["mean"],
            error_y={"type": "data", "array": rows["sd"].fillna(0)},
            name=f"{plain(metric_words(metric))}: {loss_label(candidate)} − {loss_label(baseline)}",
            hovertemplate="%{x}<br>%{y:.4f}<extra></extra>",
        )
    return figure


def _add_stem(figure: go.Figure, loss: str, rank: float, depth: float, left: bool) -> None:
    """A line from the loss's rank down and out to its name at the edge."""
    edge = figure.layout.xaxis.range[0 if left else 1]
    colour = loss_colour(loss)
    figure.add_scatter(
        x=[rank, rank, edge],
        y=[0, depth, depth],
        mode="lines+markers",
        line={"color": colour, "width": 2},
        marker={"size": [9, 1, 1], "color": colour},
        hovertemplate=f"{loss_label(loss)}: {rank:.3f}<extra></extra>",
    )
    words = f"{loss_label(loss)}  {rank:.2f}"
    side = "left" if left else "right"
    figure.add_annotation(
        x=edge, y=depth, text=words, showarrow=False, xanchor=side, yanchor="bottom"
    )


def _add_critical_difference(figure: go.Figure, ranking: Ranking) -> None:
    end = 1 + ranking.critical_difference
    line = {"color": GREY, "width": 3}
    figure.add_scatter(
        x=[1, end], y=[1, 1], mode="lines+markers", line=line, marker={"symbol": "line-ns-open"}
    )
    words = f"critical difference {ranking.critical_difference:.2f} (level {ranking.alpha:g})"
    figure.add_annotation(x=end, y=1, text=words, showarrow=False, xanchor="left", xshift=8)
