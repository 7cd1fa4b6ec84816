"""Guesses drawn: one beside the answer with the difference between them, and those of a class.

A class is shown by counts alone; its figure has the answer in it once the teacher has revealed it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from anyloss_core.figures.epoch import SHARES
from anyloss_core.figures.style import (
    BAD,
    GOOD,
    PALETTE,
    new_figure,
    plain,
    see_through,
)
from anyloss_core.teaching.guesses import ChoiceGuess, CurveGuess, Guess, NumberGuess

YOURS, ANSWER = "your guess", "the answer"
FLAT = 120  # height of a figure with one line in it
A_ROW = 58  # pixels of an option


def own_figure(guess: NumberGuess | CurveGuess, value: Any) -> go.Figure:
    """A guess, the answer, and the difference between them."""
    if isinstance(guess, CurveGuess):
        return _own_curve(guess, value)
    return _own_number(guess, value)


def own_table(guess: NumberGuess | CurveGuess, value: Any) -> pd.DataFrame:
    """The figures behind it."""
    values, answers = np.atleast_1d(value), np.atleast_1d(guess.answer)
    places = {guess.x_title: guess.x} if isinstance(guess, CurveGuess) else {}
    compared = {YOURS: values, ANSWER: answers, "difference": values - answers}
    return pd.DataFrame(places | compared)


def class_figure(guess: Guess, values: Sequence[Any], revealed: bool) -> go.Figure:
    """How often each guess was made; with the answer once it is revealed."""
    table = guess.tally(values)
    if isinstance(guess, CurveGuess):
        return _class_curve(guess, table, revealed)
    if isinstance(guess, ChoiceGuess):
        return _class_choice(guess, table, revealed)
    return _class_number(guess, table, revealed)


def _own_number(guess: NumberGuess, value: float) -> go.Figure:
    figure = new_figure(height=FLAT, margin={"b": 30})  # no title below it
    figure.add_scatter(
        x=[value, guess.answer],
        y=[0, 0],
        mode="lines",
        line={"color": see_through(BAD, 0.45), "width": 8},
        name="difference",
    )
    for name, x, colour, symbol in (
        (YOURS, value, PALETTE[0], "circle"),
        (ANSWER, guess.answer, GOOD, "diamond"),
    ):
        marker = {"color": colour, "symbol": symbol, "size": 15}
        figure.add_scatter(x=[x], y=[0], mode="markers", name=name, marker=marker)
    figure.update_xaxes(range=[guess.low, guess.high], ticksuffix=guess.unit)
    return figure.update_yaxes(visible=False, range=[-1, 1])


def _own_curve(guess: CurveGuess, value: Sequence[float]) -> go.Figure:
    figure = new_figure(guess.x_title, guess.y_title, height=300, hovermode="x unified")
    figure.add_scatter(x=guess.x, y=value, name=YOURS, line={"color": PALETTE[0], "width": 3})
    figure.add_scatter(
        x=guess.x,
        y=guess.answer,
        name=guess.name,
        line={"color": GOOD, "width": 3, "dash": "dash"},
        fill="tonexty",
        fillcolor=see_through(BAD, 0.2),
    )
    return figure.update_yaxes(range=_height(guess))


def _class_number(guess: NumberGuess, table: pd.DataFrame, revealed: bool) -> go.Figure:
    figure = new_figure(f"guess{guess.unit and f' in{guess.unit}'}", "guesses", height=300)
    figure.add_bar(
        x=(table["from"] + table["to"]) / 2,
        y=table["count"].tolist(),
        width=(table["to"] - table["from"]) * 0.96,
        marker_color=PALETTE[0],
        name="guesses",
        showlegend=False,
    )
    figure.update_xaxes(range=[guess.low, guess.high])
    if revealed:
        figure.add_vline(guess.answer, line={"color": GOOD, "width": 4}, annotation_text=ANSWER)
    return _counted(figure, table["count"].max(), "y")


def _class_choice(guess: ChoiceGuess, table: pd.DataFrame, revealed: bool) -> go.Figure:
    figure = new_figure("guesses", height=80 + A_ROW * len(table), bargap=0.6, showlegend=False)
    places = list(range(len(table)))
    right = [revealed and place == guess.answer for place in places]
    figure.add_bar(
        x=table["count"].tolist(),
        y=places,
        orientation="h",
        marker_color=[GOOD if is_right else PALETTE[0] for is_right in right],
        text=table["count"],
        textposition="outside",
        hovertext=table["option"],
        hovertemplate="%{hovertext}: %{x}<extra></extra>",
    )
    for place, is_right in zip(places, right, strict=True):
        words = guess.options[place] + (f" ({ANSWER})" if is_right else "")
        figure.add_annotation(_above_bar(words, place))
    figure.update_yaxes(visible=False, range=[len(table) - 0.5, -0.8])
    return _counted(figure, table["count"].max(), "x")


def _class_curve(guess: CurveGuess, table: pd.DataFrame, revealed: bool) -> go.Figure:
    figure = new_figure(guess.x_title, guess.y_title, height=320)
    counts = table["count"].to_numpy().reshape(len(guess.x), -1)
    heights = (table["from"] + table["to"]).to_numpy()[: counts.shape[1]] / 2
    figure.add_heatmap(
        x=guess.x,
        y=heights,
        z=np.where(counts > 0, counts, np.nan).T,  # nobody there: no colour
        colorscale=SHARES,
        zmin=0,
        zmax=max(4, counts.max()),
        colorbar={"title": {"text": "curves"}, "dtick": 1 if counts.max() < 8 else None},
        hovertemplate="%{z} curves<extra></extra>",
    )
    if revealed:
        line = {"color": GOOD, "width": 4, "dash": "dash"}
        figure.add_scatter(x=guess.x, y=guess.answer, mode="lines", name=guess.name, line=line)
        figure.update_layout(showlegend=True)
    half = (guess.x[1] - guess.x[0]) / 2  # of a cell
    figure.update_xaxes(range=[guess.x[0] - half, guess.x[-1] + half])
    return figure.update_yaxes(range=_height(guess))


def _above_bar(words: str, place: int) -> dict[str, Any]:
    """What an option says, over its bar: beside it there is no room on a phone."""
    at = {"x": 0, "xref": "paper", "xanchor": "left", "y": place - 0.3, "yanchor": "bottom"}
    return at | {"text": plain(words), "showarrow": False, "align": "left"}


def _counted(figure: go.Figure, most: int, axis: str) -> go.Figure:
    """Whole numbers on the axis of counts, and room for a few of them."""
    changes = {"range": [0, max(4, most * 1.15)], "dtick": 1 if most < 8 else None}
    return figure.update_layout({f"{axis}axis": changes})


def _height(guess: CurveGuess) -> list[float]:
    room = 0.03 * (guess.high - guess.low)
    return [guess.low - room, guess.high + room]
