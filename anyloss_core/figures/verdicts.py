"""Verdicts as pictures: win/draw/lose bars, the posterior in its triangle, Student's posterior.

Losing is drawn at the bottom, drawing in the middle and winning on top, as in the paper.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from anyloss_core.figures.style import (
    BAD,
    GOOD,
    GREY,
    loss_colour,
    new_figure,
    plain,
    see_through,
    visible,
)
from anyloss_core.verdicts import FoldVerdict, Verdict
from anyloss_core.wording import loss_words, metric_words

SHOWN_DRAWS = 3000  # points of the posterior in the triangle; more only hide each other
HEIGHT = np.sqrt(3) / 2  # of a triangle with sides of length 1
OUTCOMES = (
    ("loses", "baseline_wins", BAD),
    ("draws", "draw", GREY),
    ("wins", "candidate_wins", GOOD),
)


def verdict_bars(verdicts: Sequence[Verdict]) -> go.Figure:
    """Stacked probabilities of losing, drawing and winning, a bar per contest and metric."""
    figure = new_figure(y_title="probability", barmode="stack", bargap=0.35)
    places = [
        [plain(metric_words(v.metric)) for v in verdicts],
        [f"{_loss(v.candidate)} vs {_loss(v.baseline)}" for v in verdicts],
    ]
    for word, attribute, colour in OUTCOMES:
        shares = [getattr(verdict, attribute) for verdict in verdicts]
        figure.add_bar(
            x=places,
            y=shares,
            name=f"candidate {word}",
            marker_color=colour,
            text=[f"{share:.2f}" if share >= 0.05 else "" for share in shares],
            hovertemplate="%{x}<br>" + word + " with probability %{y:.3f}<extra></extra>",
        )
    figure.update_yaxes(range=[0, 1])
    return figure


def posterior_simplex(verdict: Verdict) -> go.Figure:
    """Draws of the posterior in the triangle baseline / draw / candidate.

    A draw lies in the region of the corner that it favours; the share of draws per region is the
    probability written at the corner.
    """
    figure = new_figure(height=420, showlegend=False)
    draws = verdict.posterior[:SHOWN_DRAWS]
    x, y = _in_triangle(draws)
    colours = np.array([BAD, GREY, GOOD])[np.argmax(draws, axis=1)]
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker={"size": 4, "opacity": 0.35, "color": colours},
        customdata=draws,
        hovertemplate="baseline better on %{customdata[0]:.0%} of data sets, no difference on "
        "%{customdata[1]:.0%}, candidate better on %{customdata[2]:.0%}<extra></extra>",
    )
    _add_triangle(figure)
    _add_corners(figure, verdict)
    figure.update_xaxes(visible=False, range=[-0.3, 1.3])
    figure.update_yaxes(visible=False, range=[-0.16, HEIGHT + 0.14], scaleanchor="x")
    return figure


def fold_posterior(verdict: FoldVerdict) -> go.Figure:
    """Density of the difference on one data set, with the rope shaded."""
    names = [visible(loss_words(loss), 40) for loss in (verdict.candidate, verdict.baseline)]
    title = f"{visible(metric_words(verdict.metric), 40)}: {' − '.join(names)}"
    figure = new_figure(x_title=title, y_title="density", showlegend=False, height=320)
    low, high = verdict.interval(0.999)
    reach = max(high, 1.5 * verdict.rope, 1e-3), min(low, -1.5 * verdict.rope, -1e-3)
    grid = np.linspace(reach[1], reach[0], 401)
    if verdict.scale > 0:
        line = loss_colour(verdict.candidate)
        figure.add_scatter(
            x=grid,
            y=verdict.density(grid),
            mode="lines",
            line={"color": line, "width": 2.2},
            fill="tozeroy",
            fillcolor=see_through(line, 0.25),
            hovertemplate="difference %{x:.4f}<extra></extra>",
        )
    else:  # every fold shows the same difference
        figure.add_vline(x=verdict.difference, line={"color": loss_colour(verdict.candidate)})
    figure.add_vrect(
        x0=-verdict.rope,
        x1=verdict.rope,
        fillcolor=GREY,
        opacity=0.25,
        line_width=0,
        annotation_text="rope",
    )
    figure.update_yaxes(showticklabels=False, rangemode="tozero")
    figure.update_xaxes(range=[reach[1], reach[0]])
    return figure


def _in_triangle(draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Barycentric (S, 3) -> x, y with baseline left, candidate right, draw on top."""
    return draws[:, 2] + draws[:, 1] / 2, draws[:, 1] * HEIGHT


def _add_triangle(figure: go.Figure) -> None:
    edge = {"color": GREY, "width": 1.5}
    figure.add_scatter(
        x=[0, 0.5, 1, 0], y=[0, HEIGHT, 0, 0], mode="lines", line=edge, hoverinfo="skip"
    )
    centre, middles = (0.5, HEIGHT / 3), ((0.5, 0), (0.25, HEIGHT / 2), (0.75, HEIGHT / 2))
    for x, y in middles:
        figure.add_scatter(
            x=[centre[0], x], y=[centre[1], y], mode="lines", line=edge, hoverinfo="skip"
        )


def _add_corners(figure: go.Figure, verdict: Verdict) -> None:
    corners = (
        (0, 0, _loss(verdict.baseline), verdict.baseline_wins, "top"),
        (0.5, HEIGHT, f"within {verdict.rope:g}", verdict.draw, "bottom"),
        (1, 0, _loss(verdict.candidate), verdict.candidate_wins, "top"),
    )
    for x, y, name, chance, anchor in corners:
        words = f"{name}<br>{chance:.3f}"
        figure.add_annotation(x=x, y=y, text=words, showarrow=False, yanchor=anchor)


def _loss(spelling: str) -> str:
    return plain(loss_words(spelling), 40)
