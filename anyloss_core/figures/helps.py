"""F1 on fresh points of each method of the study 'when does it help?', a panel a kind of data."""

import pandas as pd
import plotly.graph_objects as go

from anyloss_core.figures.style import GREY, loss_colour, new_figure
from anyloss_core.teaching.when_it_helps import METHODS

TITLES = {"far": "a quarter of the positives far off", "beside": "two round clouds"}


def helps_figure(table: pd.DataFrame) -> go.Figure:
    """Mean and spread over the draws; methods from top to bottom in the order of the study."""
    figure = new_figure(height=420, showlegend=False)
    colours = {each.name: loss_colour(each.loss) for each in METHODS}
    for panel, kind in enumerate(TITLES, start=1):
        rows = table[table["data"] == kind]
        figure.add_scatter(
            x=rows["mean"],
            y=rows["method"],
            error_x={"array": rows["std"], "color": GREY},
            mode="markers+text",
            text=[f"{value:.2f}" for value in rows["mean"]],
            textposition="top center",
            marker={"size": 11, "color": [colours[name] for name in rows["method"]]},
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
            xaxis=f"x{panel}",
            yaxis=f"y{panel}",
        )
    order = {"autorange": "reversed", "type": "category"}
    scale = {"range": [0, 0.72], "title": {"text": "F1 on fresh points"}}
    figure.update_layout(
        xaxis=scale | {"domain": [0, 0.48]},
        xaxis2=scale | {"domain": [0.52, 1], "anchor": "y2"},
        yaxis=order,
        yaxis2=order | {"anchor": "x2", "showticklabels": False},
    )
    for kind, middle in zip(TITLES.values(), (0.24, 0.76), strict=True):
        at = {"x": middle, "y": 1.02, "xref": "paper", "yref": "paper", "yanchor": "bottom"}
        figure.add_annotation(text=kind, showarrow=False, font={"size": 15}, **at)
    return figure
