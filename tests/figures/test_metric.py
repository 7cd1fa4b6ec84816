"""A metric drawn: its surface, soft beside hard value, the gradient of every sample."""

import numpy as np
import pandas as pd

from anyloss_core.figures import metric

RATES = np.linspace(0, 1, 3)
LOSS = np.arange(9.0).reshape(3, 3) / 8  # one line per TPR, one column per FPR


def test_the_table_of_the_surface_reads_its_axes_as_the_figure_does():
    surface = metric.surface_figure(RATES, LOSS, "f1").data[0]
    table = metric.surface_table(RATES, LOSS).set_index(["FPR", "TPR"])["loss"]
    assert table[(1.0, 0.0)] == surface.z[0][2] == 0.25
    assert table[(0.0, 1.0)] == surface.z[2][0] == 0.75


def test_the_surface_of_a_formula_in_a_unit_of_its_own_has_a_scale_of_its_own():
    surface = metric.surface_figure(RATES, -400 * LOSS, "5*FN + FP").data[0]
    assert (surface.zmin, surface.zmax) == (surface.contours.start, surface.contours.end)
    assert (surface.zmin, surface.zmax) == (-400, 0)
    assert metric.surface_figure(RATES, 0.9 * LOSS, "f1").data[0].zmax == 1
    assert metric.surface_figure(RATES, 0.1 * LOSS, "TP / (10 * N)").data[0].zmax == 0.1
    flat = metric.surface_figure(RATES, 0 * LOSS, "P / P").data[0]
    assert flat.zmin < 0 < flat.zmax


def test_soft_and_hard_are_two_curves_over_L():
    table = pd.DataFrame({"L": [1, 73], "soft": [0.4, 0.7], "hard": [0.72, 0.72]})
    hard, soft = metric.soft_hard_figure(table, "gmean").data
    assert list(soft.y) == [0.4, 0.7]
    assert hard.line.dash == "dash"


def test_each_class_has_its_mark_and_many_samples_are_thinned():
    many = 3 * metric.MOST_POINTS
    table = pd.DataFrame({"p": 0.5, "gradient": np.arange(many), "class": np.arange(many) % 2})
    figure = metric.gradient_figure(table)
    assert [trace.marker.symbol for trace in figure.data] == ["circle", "diamond"]
    assert sum(len(trace.x) for trace in figure.data) == metric.MOST_POINTS
    negative = figure.data[0]
    assert set(np.asarray(negative.y) % 2) == {0}
