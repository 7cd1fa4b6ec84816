"""Figures of a comparison and of a sweep: right numbers, fixed colours, no markup from outside."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core import comparison_tables as tables
from anyloss_core.figures import comparison as figures
from anyloss_core.figures import sweep as sweep_figures
from anyloss_core.figures.style import loss_colour
from anyloss_core.probability_curves import Curve, Reliability
from anyloss_core.verdict_sentence import fold_verdict

SCORES = pd.DataFrame(
    [
        (loss, fold, "f1", score)
        for loss, values in {"bce": (0.5, 0.6, 0.4), "anyloss:f1": (0.7, 0.65, 0.6)}.items()
        for fold, score in enumerate(values)
    ],
    columns=["loss", "fold", "metric", "score"],
)
SUMMARY = pd.DataFrame(
    {
        "metric": "f1",
        "setting": ["5", "73", "200", "5..73"],
        "L": [5.0, 73.0, 200.0, np.nan],
        "mean": [0.6, 0.8, 0.7, 0.82],
        "std": 0.05,
        "dead_share": [0.0, 0.1, 0.9, 0.0],
    }
)


def named(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def test_every_fold_is_a_point_and_the_mean_a_diamond():
    gaps = tables.fold_differences(SCORES, "f1", "bce")
    points, mean = figures.fold_difference(gaps, "bce", "F1", 0.01).data
    assert list(points.x) == pytest.approx([0.2, 0.05, 0.2])
    assert mean.x[0] == pytest.approx(0.15)
    assert mean.marker.symbol == "diamond"
    assert points.marker.color == loss_colour("anyloss:f1")


def test_the_three_outcomes_add_up_to_one():
    verdict = fold_verdict(SCORES, "anyloss:f1", "bce", "f1")
    figure = figures.outcome_bars([verdict])
    assert figure.layout.uniformtext.mode == "hide"  # no number too small to be read
    bars = figure.data
    assert sum(bar.x[0] for bar in bars) == pytest.approx(1)
    assert [bar.name for bar in bars] == ["loses", "draws", "wins"]


def test_a_matrix_shows_the_share_of_the_true_class():
    pooled = pd.DataFrame([("bce", 90, 4, 10, 6)], columns=["loss", "tn", "fn", "fp", "tp"])
    shades, numbers = figures.confusion_matrices(pooled).data
    np.testing.assert_allclose(shades.z, [[0.9, 0.1], [0.4, 0.6]])
    assert list(numbers.text) == ["90<br>90.0%", "10<br>10.0%", "4<br>40.0%", "6<br>60.0%"]


def test_an_empty_class_gives_no_division_by_zero():
    pooled = pd.DataFrame([("bce", 5, 0, 5, 0)], columns=["loss", "tn", "fn", "fp", "tp"])
    assert np.isfinite(figures.confusion_matrices(pooled).data[0].z).all()


def test_a_long_name_over_a_confusion_matrix_takes_several_lines():
    losses = ["bce+threshold", "bce", "mse", "anyloss:f1"]
    pooled = pd.DataFrame({"loss": losses, "tn": 5, "fn": 1, "fp": 2, "tp": 3})
    figure = figures.confusion_matrices(pooled)
    assert figure.layout.annotations[0].text == "BCE with a<br>tuned threshold"
    short = pooled.assign(loss=["bce"] * 4)
    assert figure.layout.height > figures.confusion_matrices(short).layout.height


def test_a_band_stays_within_what_can_be_measured():
    bands = pd.DataFrame({"loss": "bce", "epoch": [1, 2], "mean": [0.9, 0.05], "std": [0.3, 0.2]})
    band, line = figures.band_curves(bands, "epoch", "epoch", "F1", (0, 1)).data
    assert min(band.y) == 0
    assert max(band.y) == 1
    assert list(line.y) == [0.9, 0.05]


def test_many_bands_are_fainter_and_leave_the_curves_their_room():
    few, many = (
        figures.band_curves(
            pd.concat(
                pd.DataFrame({"loss": f"bce@lr={n}", "epoch": [1], "mean": [0.5], "std": [0.1]})
                for n in range(1, count + 1)
            ),
            *("epoch", "epoch", "F1"),
        )
        for count in (4, 12)
    )
    assert float(few.data[0].fillcolor.split(",")[-1][:-1]) == 0.14
    assert float(many.data[0].fillcolor.split(",")[-1][:-1]) < 0.05
    assert many.layout.height > few.layout.height


def test_the_dot_lies_on_the_curve_at_the_used_threshold():
    curve = pd.DataFrame({"threshold": [0.0, 0.5, 1.0], "mean": [0.2, 0.6, 0.0]})
    _, dot = figures.threshold_curves({"bce": curve}, {"bce": 0.25}, "F1").data
    assert (dot.x[0], dot.y[0]) == (0.25, pytest.approx(0.4))


def test_areas_stand_in_the_legend():
    curve = Curve(np.array([0, 1]), np.array([0, 1]), 0.871, 0.02)
    figure = figures.area_curves({"bce": curve}, "x", "y", "AUC", (0, 1))
    assert figure.data[1].name == "BCE, AUC 0.871 ± 0.020"


def test_reliability_draws_bins_against_the_diagonal():
    bins = Reliability(np.array([0.1, 0.9]), np.array([0.2, 0.7]), np.array([90, 10]), 0.1, 0.1)
    figure = figures.reliability_diagram({"bce": bins})
    assert list(figure.data[1].y) == [0.2, 0.7]
    assert figure.data[1].marker.size[0] > figure.data[1].marker.size[1]


def test_times_are_ratios():
    bars = figures.time_bars(tables.relative_times({"bce": 2.0, "anyloss:f1": 3.0})).data[0]
    assert dict(zip(bars.y, bars.x, strict=True)) == {"AnyLoss-F1": 1.5, "BCE": 1.0}


def test_a_formula_with_markup_is_shown_as_typed():
    assert figures.loss_label("anyloss:TP/(TP+FP)<b>") == "AnyLoss-TP/(TP+FP)&lt;b&gt;"


def test_a_sweep_marks_the_best_constant_and_draws_the_ramp():
    figure = sweep_figures.score_by_amplifier(SUMMARY, (9.4, 75.0))
    star = next(trace for trace in figure.data if trace.marker.symbol == "star")
    assert (star.x[0], star.y[0]) == (73.0, 0.8)
    assert list(named(figure, "F1, ramp 5..73").y) == [0.82, 0.82]
    assert figure.layout.xaxis.type == "log"
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (9.4, 75.0)


def test_no_valid_range_shades_nothing():
    assert not sweep_figures.score_by_amplifier(SUMMARY, None).layout.shapes


def test_dead_samples_are_drawn_over_L():
    line = sweep_figures.dead_by_amplifier(SUMMARY, None).data[0]
    assert list(line.x) == [5.0, 73.0, 200.0]
    assert list(line.y) == [0.0, 0.1, 0.9]
