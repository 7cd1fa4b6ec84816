"""Figures of a comparison and of a sweep: right numbers, fixed colours, no markup from outside."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.comparison import tables
from anyloss_core.comparison.probability_curves import Curve, Reliability
from anyloss_core.figures import comparison as figures
from anyloss_core.figures.style import loss_colour

SCORES = pd.DataFrame(
    [
        (loss, fold, "f1", score)
        for loss, values in {"bce": (0.5, 0.6, 0.4), "anyloss:f1": (0.7, 0.65, 0.6)}.items()
        for fold, score in enumerate(values)
    ],
    columns=["loss", "fold", "metric", "score"],
)


def test_every_fold_is_a_point_and_the_mean_a_diamond():
    gaps = tables.fold_differences(SCORES, "f1", "bce")
    points, mean = figures.fold_difference(gaps, "bce", "F1", 0.01).data
    assert list(points.x) == pytest.approx([0.2, 0.05, 0.2])
    assert mean.x[0] == pytest.approx(0.15)
    assert mean.marker.symbol == "diamond"
    assert points.marker.color == loss_colour("anyloss:f1")


def test_a_matrix_shows_the_share_of_the_true_class():
    pooled = pd.DataFrame([("bce", 90, 4, 10, 6)], columns=["loss", "tn", "fn", "fp", "tp"])
    shades, numbers = figures.confusion_matrices(pooled).data
    np.testing.assert_allclose(shades.z, [[0.9, 0.1], [0.4, 0.6]])
    assert list(numbers.text) == ["90<br>90.0%", "10<br>10.0%", "4<br>40.0%", "6<br>60.0%"]


def test_an_empty_class_gives_no_division_by_zero():
    pooled = pd.DataFrame([("bce", 5, 0, 5, 0)], columns=["loss", "tn", "fn", "fp", "tp"])
    np.testing.assert_array_equal(
        figures.confusion_matrices(pooled).data[0].z, [[0.5, 0.5], [0, 0]]
    )


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
    bins = Reliability(
        np.array([0.1, 0.9]), np.array([0.2, 0.7]), np.array([90, 10]), 0.1, 0.1, 0.3
    )
    better = bins._replace(observed=np.array([0.1, 0.9]))
    figure = figures.reliability_diagram({"bce": bins}, {"bce": better})
    assert list(figure.data[1].y) == [0.2, 0.7]
    assert list(figure.data[2].y) == [0.1, 0.9]
    assert figure.data[2].name == "BCE, calibrated"
    assert figure.data[1].marker.size[0] > figure.data[1].marker.size[1]


def test_times_are_ratios():
    bars = figures.time_bars(tables.relative_times({"bce": 2.0, "anyloss:f1": 3.0})).data[0]
    assert dict(zip(bars.y, bars.x, strict=True)) == {"AnyLoss-F1": 1.5, "BCE": 1.0}
