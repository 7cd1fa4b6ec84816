"""Figures of the paper: published beside ours, curves as they were trained."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.figures import paper
from anyloss_core.figures.style import loss_colour


def test_learning_curves_start_at_epoch_one_in_the_loss_s_colour():
    figure = paper.learning_curves({"bce": [0.7, 0.5, 0.4], "anyloss:f1": [0.9, 0.3, 0.1]})
    bce = figure.data[0]
    assert list(bce.x) == [1, 2, 3]
    assert list(bce.y) == [0.7, 0.5, 0.4]
    assert bce.line.color == loss_colour("bce")


def test_achievement_runs_from_zero_to_one():
    (curve,) = paper.learning_curves({"bce": [0.8, 0.5, 0.2]}, achieved=True).data
    assert list(curve.y) == pytest.approx([0, 0.5, 1])


def test_the_onset_of_no_more_update_is_marked():
    losses = np.array([[0.9, 0.8, 0.7], [0.9, 0.6, 0.6]])
    dead = np.array([[0, 0, 0], [0, 0.2, 0.3]])
    figure = paper.amplifier_curves([10.0, 100.0], losses, dead)
    (note,) = figure.layout.annotations
    assert (note.x, note.y) == (2, 0.6)
    assert "L = 100" in note.text


def test_published_scores_are_hollow_and_ours_carry_their_spread():
    rows = pd.DataFrame(
        {
            "series": ["published", "paper"],
            "loss": ["anyloss:f1"] * 2,
            "score": [1.0, 0.88],
            "spread": [np.nan, 0.02],
        }
    )
    traces = {trace.name: trace for trace in paper.scores_by_protocol(rows).data}
    assert traces["published"].marker.symbol == "diamond-open"
    assert traces["published"].error_y.array is None
    ours = traces["fresh networks, published settings"]
    assert list(ours.y) == [0.88]
    assert list(ours.error_y.array) == [0.02]


def test_no_bar_of_spread_leaves_the_chart_of_scores():
    rows = pd.DataFrame(
        {
            "series": ["published", "paper"],
            "loss": "anyloss:f1",
            "score": 0.6,
            "spread": [None, 0.3],
        }
    )
    low, high = paper.scores_by_protocol(rows).layout.yaxis.range
    assert low < 0.3
    assert high > 0.9


def test_advantage_bars_average_the_seeds():
    advantage = {"published": {"anyloss:f1": [0.034]}, "paper": {"anyloss:f1": [0.01, 0.03]}}
    bars = paper.advantage_bars(advantage).data
    assert [bar.y[0] for bar in bars] == pytest.approx([0.034, 0.02])
    assert bars[1].error_y.array[0] == pytest.approx(np.std([0.01, 0.03], ddof=1))


def test_the_sweep_is_drawn_in_order_of_L():
    rows = pd.DataFrame(
        {"metric": "f1", "L": [73, 30], "published": [0.9, 0.8], "ours": [0.7, 0.6], "spread": 0.01}
    )
    published, ours = paper.sweep_lines(rows).data
    assert list(published.x) == [30, 73]
    assert list(ours.y) == [0.6, 0.7]


def test_time_is_grouped_by_model_and_measured_against_one():
    rows = pd.DataFrame(
        {
            "model": ["slp", "mlp"],
            "loss": ["MSE", "MSE"],
            "published": [0.9, 0.8],
            "ours": [1.1, 1.0],
            "spread": [0.1, np.nan],
        }
    )
    published, ours = paper.time_bars(rows).data
    assert list(published.x[0]) == ["SLP", "MLP"]
    assert list(ours.y) == [1.1, 1.0]


def test_winning_numbers_become_shares_of_each_collection():
    rows = pd.DataFrame(
        {
            "metric": ["F-1"] * 3,
            "loss": ["MSE", "BCE", "AnyLoss"],
            "published": [2, 10, 90],
            "ours": [4, 6, 10],
        }
    )
    published, ours = paper.winning_shares(rows).data
    assert list(published.y) == pytest.approx([2 / 102, 10 / 102, 90 / 102])
    assert list(ours.y) == [0.2, 0.3, 0.5]


def test_names_never_become_markup():
    hostile = "<b>x</b>"
    figure = paper.learning_curves({hostile: [1.0, 0.5]})
    assert "<b>" not in figure.data[0].name
    assert "<b>" not in figure.data[0].hovertemplate
