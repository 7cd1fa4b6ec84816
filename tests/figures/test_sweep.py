"""A sweep of L drawn: the best constant, the ramps, the dead samples, the valid range."""

import numpy as np
import pandas as pd

from anyloss_core.figures import sweep as figures

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


def test_a_sweep_marks_the_best_constant_and_draws_the_ramp():
    figure = figures.score_by_amplifier(SUMMARY, (9.4, 75.0))
    star = next(trace for trace in figure.data if trace.marker.symbol == "star")
    assert (star.x[0], star.y[0]) == (73.0, 0.8)
    assert list(named(figure, "F1, ramp 5..73").y) == [0.82, 0.82]
    assert figure.layout.xaxis.type == "log"
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (9.4, 75.0)


def test_no_valid_range_shades_nothing():
    assert not figures.score_by_amplifier(SUMMARY, None).layout.shapes


def test_dead_samples_are_drawn_over_L():
    line = figures.dead_by_amplifier(SUMMARY, None).data[0]
    assert list(line.x) == [5.0, 73.0, 200.0]
    assert list(line.y) == [0.0, 0.1, 0.9]


def test_the_band_is_one_standard_deviation_and_ends_at_one():
    high = SUMMARY.assign(mean=SUMMARY["mean"] + 0.17)
    band = figures.score_by_amplifier(high, None).data[0]
    assert max(band.y) == 1.0
    assert min(band.y) == high["mean"][0] - 0.05


def test_settings_stand_side_by_side_a_line_per_metric():
    judged = pd.DataFrame({"metric": ["f1", "f1", "mcc"], "setting": ["5", "5..73", "5"]})
    figure = figures.by_setting(judged.assign(rank=[1.0, 2.0, 3.0]), "rank", "mean rank")
    assert [line.name for line in figure.data] == ["F1", "MCC"]
    assert list(figure.data[0].y) == [1.0, 2.0]
    assert figure.layout.xaxis.type == "category"
