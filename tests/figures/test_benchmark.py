"""Figures of many data sets: what is drawn where, and names shown as typed."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.analysis import (
    count_wins,
    dataset_differences,
    group_differences,
    winning_numbers,
)
from anyloss_core.bayes import correlated_t_test, sign_test
from anyloss_core.figures import benchmark, verdicts
from anyloss_core.figures.style import BAD, GOOD, loss_colour
from anyloss_core.ranks import rank_losses
from anyloss_core.score_table import score_matrix
from anyloss_core.wording import loss_words
from tests.test_analysis import table

HOSTILE = "<b>x</b><script>alert(1)</script>"


@pytest.fixture
def scores():
    rng = np.random.default_rng(0)
    base = rng.random(12) / 2
    return table({"bce": base, "mse": base - 0.05, "anyloss:f1": base + 0.1})


def test_verdict_bars_stack_losing_drawing_winning_to_one(scores):
    figure = verdicts.verdict_bars(sign_test(scores))
    assert [bar.name for bar in figure.data] == [
        "candidate loses",
        "candidate draws",
        "candidate wins",
    ]
    assert figure.layout.barmode == "stack"
    assert np.sum([bar.y for bar in figure.data], axis=0) == pytest.approx([1, 1])
    contests = dict(zip(figure.data[2].x[1], figure.data[2].y, strict=True))
    assert contests["AnyLoss-F1 vs BCE"] > 0.9 > 0.1 > contests["MSE vs BCE"]


def test_the_simplex_puts_the_candidate_at_the_right(scores):
    verdict = next(v for v in sign_test(scores) if v.candidate == "anyloss:f1")
    cloud = verdicts.posterior_simplex(verdict).data[0]
    assert np.mean(cloud.x) > 0.8
    assert (np.asarray(cloud.marker.color) == GOOD).all()
    assert np.asarray(cloud.y) == pytest.approx(
        verdict.posterior[: verdicts.SHOWN_DRAWS, 1] * np.sqrt(3) / 2
    )


def test_a_fold_posterior_peaks_at_the_difference():
    rng = np.random.default_rng(0)
    rows = [
        (loss, fold, "f1", 0.5 + gain + rng.normal(0, 0.01))
        for loss, gain in (("bce", 0), ("anyloss:f1", 0.1))
        for fold in range(10)
    ]
    scores = pd.DataFrame(rows, columns=["loss", "fold", "metric", "score"])
    verdict = correlated_t_test(scores)
    figure = verdicts.fold_posterior(verdict)
    assert figure.layout.xaxis.title.text == "F1: AnyLoss-F1 − BCE"
    curve = figure.data[0]
    step = curve.x[1] - curve.x[0]
    assert curve.x[np.argmax(curve.y)] == pytest.approx(verdict.difference, abs=step)


def test_a_fold_posterior_without_spread_is_a_line():
    rows = [
        (loss, fold, "f1", score) for loss, score in (("bce", 0.5), ("mse", 0.5)) for fold in "ab"
    ]
    verdict = correlated_t_test(pd.DataFrame(rows, columns=["loss", "fold", "metric", "score"]))
    figure = verdicts.fold_posterior(verdict)
    assert not figure.data
    assert any(shape.x0 == 0 == shape.x1 for shape in figure.layout.shapes)


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


def test_winning_bars_have_a_colour_per_loss_or_per_L(scores):
    numbers = winning_numbers(scores, {"f1": "anyloss:f1"})
    figure = benchmark.winning_bars(numbers, group="loss")
    assert {bar.name: bar.marker.color for bar in figure.data}["bce"] == loss_colour("bce")
    sweep = pd.DataFrame({"metric": ["f1", "f1"], "L": [30, 73], "wins": [4, 8]})
    assert [bar.name for bar in benchmark.winning_bars(sweep, group="L").data] == [
        "L = 30",
        "L = 73",
    ]


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
        verdicts.verdict_bars([verdict]),
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
