"""F1 on fresh points of each method of the study 'when does it help?', on both kinds of data."""

import textwrap

import pandas as pd
import plotly.graph_objects as go

from anyloss_core.figures.style import PALETTE, new_figure
from anyloss_core.teaching.when_it_helps import METHODS

TITLES = {"far": "a quarter of the positives far off", "beside": "two round clouds"}
LOOKS = {
    "far": ("diamond", PALETTE[0], "top center"),
    "beside": ("circle-open", PALETTE[1], "bottom center"),
}
WIDEST = 24  # letters of a line of a method's name: a phone has no more room


def helps_figure(table: pd.DataFrame) -> go.Figure:
    """Mean and spread over the draws; methods from top to bottom in the order of the study."""
    figure = new_figure("F1 on fresh points", height=60 * len(METHODS) + 90)
    means = table.set_index(["data", "method"])
    for kind, title in TITLES.items():
        symbol, colour, place = LOOKS[kind]
        rows = means.loc[[(kind, method.name) for method in METHODS]]
        figure.add_scatter(
            x=rows["mean"],
            y=[shown_name(method.name) for method in METHODS],
            error_x={"array": rows["std"], "color": colour},
            mode="markers+text",
            text=[f"{value:.2f}" for value in rows["mean"]],
            textposition=place,
            marker={"size": 12, "symbol": symbol, "color": colour, "line": {"width": 3}},
            hovertemplate="%{x:.3f}",
            name=title,
        )
    figure.update_xaxes(range=[-0.08, 0.8])
    return figure.update_yaxes(autorange="reversed", type="category")


def shown_name(method: str) -> str:
    """The name on a few short lines."""
    return "<br>".join(textwrap.wrap(method, WIDEST))
