"""Figures of many data sets: what is drawn where, and names shown as typed."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.common.wording import loss_words
from anyloss_core.figures import benchmark, verdicts
from anyloss_core.figures.style import BAD, loss_colour
from anyloss_core.statistics.analysis import (
    count_wins,
    dataset_differences,
    group_differences,
)
from anyloss_core.statistics.bayes import sign_test
from anyloss_core.statistics.ranks import rank_losses
from anyloss_core.statistics.score_table import score_matrix
from tests.statistics.test_analysis import table

HOSTILE = "<b>x</b><script>alert(1)</script>"


def test_differences_are_points_that_carry_their_data_set(scores):
    rows = dataset_differences(scores, "anyloss:f1", "bce", "f1")
    rows.loc[0, "difference"] = -0.2
    rows.loc[1, "difference"] = 0.001
    ratios = {name: 1.5 + place for place, name in enumerate(rows["dataset"])}
    figure = benchmark.difference_by_imbalance(rows, ratios, rope=0.01, y_title="gain in F1")
    better, draw, worse = figure.data
    assert (len(better.x), len(draw.x), len(worse.x)) == (10, 1, 1)
    assert worse.customdata[0][0] == "d0"
    assert worse.marker.color == BAD
    assert (worse.x[0], worse.y[0]) == (1.5, -0.2)


def test_the_heatmap_marks_the_best_loss_of_each_data_set(scores):
    matrix = score_matrix(scores, "f1")
    figure = benchmark.score_heatmap(matrix, "f1")
    heat, best = figure.data
    assert np.asarray(heat.z).shape == (12, 3)
    assert set(best.x) == {"AnyLoss-F1"}
    assert list(best.y) == list(heat.y)


def test_long_names_that_are_cut_alike_keep_their_own_rows():
    matrix = pd.DataFrame({"bce": [0.1, 0.2]}, index=["x" * 50 + "a", "x" * 50 + "b"])
    heat = benchmark.score_heatmap(matrix, "f1").data[0]
    assert len(set(heat.y)) == 2


def test_the_rank_diagram_orders_losses_and_joins_equal_ones(scores):
    noise = np.random.default_rng(1).random(12)
    more = pd.concat([scores, table({"focal": noise, "sol:f1": noise[::-1]})])
    ranking = rank_losses(more, "f1")
    figure = benchmark.critical_difference_diagram(ranking)
    stems = [trace for trace in figure.data if len(trace.x) == 3]
    assert [trace.x[0] for trace in stems] == sorted(ranking.ranks)
    assert stems[0].line.color == loss_colour(ranking.ranks.index[0])
    rows = [trace.y[2] for trace in stems]
    assert len(set(rows)) == len(rows)  # no two names beside each other
    names = {note.text.split("  ")[0] for note in figure.layout.annotations if "  " in note.text}
    assert names == {loss_words(loss) for loss in ranking.ranks.index}
    bars = [trace for trace in figure.data if trace.mode == "lines"]
    assert len(bars) == len(ranking.groups)


def test_win_tie_loss_bars_keep_ties_apart(scores):
    figure = benchmark.win_tie_loss_bars(count_wins(scores))
    lengths = {bar.name: list(reversed(bar.x)) for bar in figure.data}
    assert lengths == {"losses": [12, 0], "ties": [0, 0], "wins": [0, 12]}
    assert list(reversed(figure.data[0].y)) == ["MSE", "AnyLoss-F1"]


def test_group_bars_show_mean_and_deviation(scores):
    shares = {f"d{i}": 0.35 if i < 6 else 0.05 for i in range(12)}
    groups = group_differences(scores, shares, [("anyloss:f1", "bce", "f1")])
    bar = benchmark.group_bars(groups).data[0]
    assert list(bar.y) == pytest.approx([0.1, 0.1])
    assert "6 data sets" in bar.x[0]


def test_names_never_become_markup():
    scores = table({"bce": [0.1, 0.2], HOSTILE: [0.3, 0.1]}, metric=HOSTILE)
    scores["dataset"] = HOSTILE + scores["dataset"]
    differences = dataset_differences(scores, HOSTILE, "bce", HOSTILE)
    ratios = dict.fromkeys(differences["dataset"], 3.0)
    verdict = sign_test(scores)
    shares = dict.fromkeys(differences["dataset"], 0.2)
    for figure in (
        verdicts.outcome_bars([verdict]),
        verdicts.posterior_simplex(verdict),
        benchmark.difference_by_imbalance(differences, ratios, 0.01, HOSTILE),
        benchmark.score_heatmap(score_matrix(scores, HOSTILE), HOSTILE),
        benchmark.critical_difference_diagram(rank_losses(scores, HOSTILE)),
        benchmark.win_tie_loss_bars(count_wins(scores)),
        benchmark.group_bars(group_differences(scores, shares, [(HOSTILE, "bce", HOSTILE)])),
    ):
        # customdata is never rendered: it carries the name to a click as it is.
        for trace in figure.data:
            trace.customdata = None
        assert "<b>x" not in figure.to_json().encode().decode("unicode_escape")
