"""Many data sets as pictures: difference against imbalance, heatmap, ranks, winning numbers.

Every function takes a result of `analysis` or `ranks` and returns a plotly figure.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.figures.style import (
    BAD,
    GOOD,
    GREY,
    PALETTE,
    SEQUENTIAL,
    loss_colour,
    new_figure,
    plain,
)
from anyloss_core.ranks import Ranking

ROW_HEIGHT = 15  # pixels of a data set in the heatmap
LONGEST_HEATMAP = 3000


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
    figure.update_xaxes(type="log", dtick="D2")
    return figure


def score_heatmap(matrix: pd.DataFrame, metric: str) -> go.Figure:
    """Data sets x losses (`score_table.score_matrix`), the best loss of a row marked by a dot."""
    height = min(160 + ROW_HEIGHT * len(matrix), LONGEST_HEATMAP)
    figure = new_figure(height=height, showlegend=False)
    rows = _unique([plain(name, 40) for name in matrix.index])
    columns = _unique([plain(name, 40) for name in matrix.columns])
    figure.add_heatmap(
        z=matrix.to_numpy(),
        x=columns,
        y=rows,
        colorscale=SEQUENTIAL,
        colorbar={"title": {"text": plain(metric)}},
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
    figure.update_yaxes(autorange="reversed", tickfont={"size": 10}, showgrid=False)
    figure.update_xaxes(side="top", showgrid=False)
    return figure


def critical_difference_diagram(ranking: Ranking) -> go.Figure:
    """Average ranks on a line, best at the left; a bar joins losses that do not differ."""
    losses = list(ranking.ranks.index)
    groups = ranking.groups
    figure = new_figure("average rank (1 is best)", height=170 + 26 * (len(losses) + len(groups)))
    figure.update_layout(showlegend=False)
    for level, loss in enumerate(losses):
        rank, colour = ranking.ranks[loss], loss_colour(loss)
        figure.add_scatter(
            x=[rank, rank],
            y=[0, -(level + len(groups) + 1.2)],
            mode="lines+markers+text",
            line={"color": colour, "width": 2},
            marker={"size": [9, 1], "color": colour},
            text=["", f"  {plain(loss, 40)}  {rank:.2f}"],
            textposition="middle right",
            hovertemplate=f"{plain(loss)}: %{{x:.3f}}<extra></extra>",
        )
    for level, group in enumerate(groups):
        ends = [ranking.ranks[group[0]] - 0.03, ranking.ranks[group[-1]] + 0.03]
        depth = [-(level + 0.8)] * 2
        line = {"color": GREY, "width": 7}
        figure.add_scatter(x=ends, y=depth, mode="lines", line=line, hoverinfo="skip")
    _add_critical_difference(figure, ranking)
    figure.update_xaxes(range=[0.8, len(losses) + 0.9], side="top", dtick=1)
    figure.update_yaxes(visible=False, range=[-(len(losses) + len(groups) + 1), 1.6])
    return figure


def win_tie_loss_bars(counts: pd.DataFrame) -> go.Figure:
    """Data sets won, tied and lost against the baseline (`analysis.count_wins`), ties apart."""
    figure = new_figure(y_title="data sets", barmode="stack", bargap=0.35)
    contests = counts["candidate"].map(plain) + " vs " + counts["baseline"].map(plain)
    places = [counts["metric"].map(plain).tolist(), contests.tolist()]
    for word, colour in (("losses", BAD), ("ties", GREY), ("wins", GOOD)):
        numbers = counts[word]
        figure.add_bar(
            x=places, y=numbers, name=word, marker_color=colour, text=numbers.where(numbers > 0, "")
        )
    return figure


def winning_bars(numbers: pd.DataFrame, group: str, y: str = "wins") -> go.Figure:
    """Bars of winning numbers per metric, one colour per value of `group` (a loss or an L)."""
    figure = new_figure("metric", "data sets won", barmode="group")
    for place, (name, rows) in enumerate(numbers.groupby(group, sort=False)):
        colour = loss_colour(str(name)) if group == "loss" else PALETTE[place % len(PALETTE)]
        label = plain(name) if group == "loss" else f"{plain(group)} = {plain(name)}"
        metrics = rows["metric"].map(plain)
        figure.add_bar(x=metrics, y=rows[y], name=label, marker_color=colour, text=rows[y])
    return figure


def group_bars(groups: pd.DataFrame) -> go.Figure:
    """Mean difference per imbalance group with its sd (`analysis.group_differences`)."""
    figure = new_figure("imbalance", "candidate − baseline", barmode="group")
    contests = groups.groupby(["candidate", "baseline", "metric"], sort=False)
    for (candidate, baseline, metric), rows in contests:
        figure.add_bar(
            x=rows["group"] + "<br>" + rows["datasets"].astype(str) + " data sets",
            y=rows["mean"],
            error_y={"type": "data", "array": rows["sd"].fillna(0)},
            name=f"{plain(metric)}: {plain(candidate)} − {plain(baseline)}",
            hovertemplate="%{x}<br>%{y:.4f}<extra></extra>",
        )
    return figure


def _add_critical_difference(figure: go.Figure, ranking: Ranking) -> None:
    end = 1 + ranking.critical_difference
    line = {"color": GREY, "width": 3}
    figure.add_scatter(
        x=[1, end], y=[1, 1], mode="lines+markers", line=line, marker={"symbol": "line-ns-open"}
    )
    words = f"critical difference {ranking.critical_difference:.2f} (level {ranking.alpha:g})"
    figure.add_annotation(x=end, y=1, text=words, showarrow=False, xanchor="left", xshift=8)


def _unique(names: list[str]) -> list[str]:
    """Cut names may coincide; plotly would draw such rows on top of each other."""
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique
