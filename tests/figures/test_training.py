"""Curves of a live training; every figure is checked by plotly's own rules."""

import numpy as np
import pytest

from anyloss_core.figures.style import loss_colour
from anyloss_core.figures.training import (
    HEIGHT,
    achievement_figure,
    curve_table,
    health_figure,
    loss_figure,
    metric_figure,
)
from anyloss_core.store.store import Store
from tests.live_runs import history_of, train_live

LOSSES = ("anyloss:f1", "bce", "anyloss:TP/(TP+FP+FN)")


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    return train_live(Store(tmp_path_factory.mktemp("curves")), losses=LOSSES, metric="gmean")[1]


FIGURES = [
    loss_figure,
    achievement_figure,
    lambda history, **more: metric_figure(history, "gmean", **more),
    health_figure,
]


@pytest.mark.parametrize("draw", FIGURES)
@pytest.mark.parametrize("more", [{}, {"epoch": 4}, {"live": True}])
def test_every_figure_is_one_that_plotly_accepts(history, draw, more):
    figure = draw(history, **more).checked()
    assert figure.layout.height >= HEIGHT
    assert {trace.line.color for trace in figure.data} == {loss_colour(loss) for loss in LOSSES}


def test_curves_hold_the_numbers_of_the_history(history):
    figure = loss_figure(history).checked()
    for model, trace in enumerate(figure.data):
        np.testing.assert_array_equal(trace.x, np.arange(1, 13))
        np.testing.assert_array_equal(trace.y, history.column("losses")[:, model])
    strong = [trace for trace in metric_figure(history, "gmean").checked().data if trace.showlegend]
    np.testing.assert_allclose(strong[1].y, history.scores("gmean", "valid")[:, 1])


def test_an_epoch_in_the_past_is_marked_and_the_newest_is_not(history):
    assert loss_figure(history, epoch=4).checked().layout.shapes[0].x0 == 4
    assert not loss_figure(history, epoch=12).checked().layout.shapes


def test_a_live_axis_spans_the_whole_training(history):
    assert list(loss_figure(history, live=True).checked().layout.xaxis.range) == [0, 13]


def test_the_first_epoch_alone_is_a_point(history):
    young = history_of(history, 1)
    assert {trace.mode for trace in loss_figure(young).checked().data} == {"markers"}


def test_a_name_cannot_bring_markup_into_a_legend(history):
    names = {trace.name for trace in loss_figure(history).checked().data}
    assert not any("<" in name for name in names)


def test_the_table_has_a_line_per_epoch_and_loss(history):
    table = curve_table(history, "gmean")
    assert len(table) == 36
    row = table[(table["epoch"] == 5) & (table["trained with"] == "bce")].iloc[0]
    assert row["loss"] == history.column("losses")[4, 1]
    assert row["gmean validation"] == pytest.approx(history.snapshot(5).scores("gmean", "valid")[1])


def test_a_gradient_of_zero_is_left_out_of_the_log_axis(history):
    gone = [history.snapshot(1).values["gradient"], np.array([0.0, np.nan, 1e-9])]
    broken = history_of(history, 1, 2, gradient=gone)
    figure = health_figure(broken).checked()
    assert np.isnan(figure.data[3].y[1])
    assert figure.layout.yaxis.dtick >= 1


@pytest.mark.parametrize(("smallest", "decades"), [(0.5, 1), (1e-3, 1), (1e-4, 2), (1e-7, 3)])
def test_the_gradient_has_few_enough_ticks_for_a_small_panel(history, smallest, decades):
    spread = history_of(history, 1, 2, gradient=(np.ones(3), np.full(3, smallest)))
    assert health_figure(spread).checked().layout.yaxis.dtick == decades
