"""Figures of the lessons: metrics of a lazy classifier, soft beside hard confusion matrix."""

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.figures.epoch import SHARES
from anyloss_core.figures.style import BAD, GOOD, loss_line, new_figure
from anyloss_core.losses.confusion import Counts

CELLS = (("tn", "fp"), ("fn", "tp"))  # rows: true class, columns: predicted


def metric_bars(table: pd.DataFrame) -> go.Figure:
    """Two classifiers (columns 'lazy' and 'honest') judged by several metrics."""
    figure = new_figure("", "score", height=360, barmode="group")
    for column, colour in (("lazy", BAD), ("honest", GOOD)):
        figure.add_bar(
            x=table["metric"],
            y=table[column],
            name=f"{column} classifier",
            marker_color=colour,
            text=[f"{value:.2f}" for value in table[column]],
            textposition="outside",
            cliponaxis=False,
        )
    figure.update_yaxes(range=[-0.05, 1.1])
    return figure


def curves_figure(
    epochs: Sequence[int], scores: Mapping[str, Sequence[float]], metric: str
) -> go.Figure:
    """A metric over the epochs, a line for each loss."""
    figure = new_figure("epoch", metric_words(metric), height=360, hovermode="x unified")
    for loss, values in scores.items():
        line = loss_line(loss)
        figure.add_scatter(x=epochs, y=values, mode="lines", name=loss_words(loss), line=line)
    return figure.update_yaxes(range=[-0.03, 1.03])


def soft_and_hard_matrix(soft: Counts, hard: Counts) -> go.Figure:
    """The two confusion matrices side by side, in rows of the data set."""
    figure = new_figure(height=330, showlegend=False)
    names = {"x": ["predicted 0", "predicted 1"], "y": ["true 0", "true 1"]}
    for number, counts in enumerate((soft, hard), start=1):
        cells = [[float(getattr(counts, name)) for name in row] for row in CELLS]
        figure.add_heatmap(
            z=[[value / (sum(row) or 1.0) for value in row] for row in cells],
            text=[
                [f"{name.upper()}<br>{value:,.1f}" for name, value in zip(*pair, strict=True)]
                for pair in zip(CELLS, cells, strict=True)
            ],
            texttemplate="%{text}",
            hoverinfo="skip",
            colorscale=SHARES,
            zmin=0,
            zmax=1,
            showscale=False,
            xaxis=f"x{number}",
            yaxis=f"y{number}",
            xgap=4,
            ygap=4,
            **names,
        )
    half = {"showgrid": False}
    figure.update_layout(
        xaxis=half | {"domain": [0, 0.46]},
        xaxis2=half | {"domain": [0.54, 1], "anchor": "y2"},
        yaxis=half | {"autorange": "reversed"},
        yaxis2=half | {"autorange": "reversed", "anchor": "x2", "showticklabels": False},
        annotations=[_heading("soft: sums of A(p)", 0.23), _heading("hard: p > 0.5", 0.77)],
    )
    return figure


def matrix_table(soft: Counts, hard: Counts) -> pd.DataFrame:
    """The figures behind both matrices."""
    rows = [
        (name.upper(), float(s), float(h))
        for name, s, h in zip(soft._fields, soft, hard, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["count", "soft", "hard"])
    return table.assign(gap=table["soft"] - table["hard"])


def _heading(text: str, x: float) -> dict:
    return {
        "text": text,
        "x": x,
        "xanchor": "center",  # by itself plotly would start the left one here
        "y": 1.12,
        "xref": "paper",
        "yref": "paper",
        "showarrow": False,
        "font": {"size": 15},
    }
