"""Verdicts as pictures: win/draw/lose bars, the posterior in its triangle, Student's posterior.

Losing is drawn first, then drawing, then winning, as in the paper.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from anyloss_core.common.text import visible
from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.figures.style import (
    BAD,
    GOOD,
    GREY,
    loss_colour,
    new_figure,
    see_through,
)
from anyloss_core.figures.traces import bars_in_parts, loss_label
from anyloss_core.statistics.verdicts import FoldVerdict, Verdict

SHOWN_DRAWS = 3000  # points of the posterior in the triangle; more only hide each other
HEIGHT = np.sqrt(3) / 2  # of a triangle with sides of length 1
OUTCOMES = (
    ("loses", "baseline_wins", BAD),
    ("draws", "draw", GREY),
    ("wins", "candidate_wins", GOOD),
)


def outcome_bars(verdicts: Sequence[Verdict | FoldVerdict]) -> go.Figure:
    """How probably each candidate loses, draws or wins against the baseline, a bar each.

    Over many data sets, won / tied / lost stand at its end: a sure draw may hide many losses.
    """
    parts = []
    for word, attribute, colour in OUTCOMES:
        shares = [getattr(verdict, attribute) for verdict in verdicts]
        texts = [f"{share:.2f}" if share >= 0.06 else "" for share in shares]
        parts.append((word, colour, shares, texts))
    names = [loss_label(verdict.candidate) for verdict in verdicts]
    figure = bars_in_parts("probability", names, parts, " {word} with probability %{{x:.3f}}")
    figure.update_xaxes(range=[0, 1])
    for name, verdict in zip(names, verdicts, strict=True):
        if not isinstance(verdict, FoldVerdict):
            _add_votes(figure, name, verdict)
    return figure


def posterior_simplex(verdict: Verdict) -> go.Figure:
    """Draws of the posterior in the triangle baseline / draw / candidate.

    A draw lies in the region of the corner that it favours; the share of draws per region is the
    probability written at the corner, beside how many data sets voted for it.
    """
    figure = new_figure(height=420, showlegend=False)
    if verdict.posterior is None:
        raise ValueError("this verdict came without draws of its posterior; it cannot be drawn")
    draws = verdict.posterior[:SHOWN_DRAWS]
    # Barycentric (S, 3) -> baseline left, candidate right, draw on top.
    x, y = draws[:, 2] + draws[:, 1] / 2, draws[:, 1] * HEIGHT
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
    names = [
        visible(loss_words(loss, verdict.metric), 40)
        for loss in (verdict.candidate, verdict.baseline)
    ]
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


def _add_votes(figure: go.Figure, name: str, verdict: Verdict) -> None:
    figure.add_annotation(
        x=1,
        y=name,
        text=verdict.votes,
        hovertext="data sets won / tied / lost",
        showarrow=False,
        xanchor="left",
        xshift=6,
    )
    figure.update_layout(margin_r=90)


def _add_triangle(figure: go.Figure) -> None:
    """The edges, and from the centre to their middles the limits of the regions."""
    edge = {"color": GREY, "width": 1.5}
    centre, middles = (0.5, HEIGHT / 3), ((0.5, 0), (0.25, HEIGHT / 2), (0.75, HEIGHT / 2))
    edges = ((0, 0), (0.5, HEIGHT), (1, 0), (0, 0))
    for points in (edges, *((centre, middle) for middle in middles)):
        x, y = zip(*points, strict=True)
        figure.add_scatter(x=x, y=y, mode="lines", line=edge, hoverinfo="skip")


def _add_corners(figure: go.Figure, verdict: Verdict) -> None:
    won, tied, lost = verdict.wins, verdict.ties, verdict.losses
    corners = (
        (0, 0, loss_label(verdict.baseline), verdict.baseline_wins, lost, "top"),
        (0.5, HEIGHT, f"within {verdict.rope:g}", verdict.draw, tied, "bottom"),
        (1, 0, loss_label(verdict.candidate), verdict.candidate_wins, won, "top"),
    )
    for x, y, name, chance, votes, anchor in corners:
        words = f"{name}<br>{chance:.3f} · {votes} of {verdict.n_datasets}"
        figure.add_annotation(x=x, y=y, text=words, showarrow=False, yanchor=anchor)
