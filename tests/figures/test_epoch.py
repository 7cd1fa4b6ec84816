"""The panels of one epoch; every figure is checked by plotly's own rules."""

import numpy as np
import plotly.graph_objects as go
import pytest

from anyloss_core.figures.moment import (
    boundary_figure,
    boundary_table,
    confusion_figure,
    confusion_table,
    histogram_figure,
    histogram_table,
)
from anyloss_core.live_history import chosen_plane
from anyloss_core.store import Store
from tests.live_runs import train_live


@pytest.fixture(scope="module")
def moment(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("moment"))
    return train_live(store, losses=("anyloss:f1@L=10", "bce"))[1].moment(7)


@pytest.fixture(scope="module")
def landscape(moment):
    view = moment.history.view
    plane = chosen_plane(view, None, None)
    return moment.landscape(plane, plane.grid(plane.project(view["points"])))


def checked(figure):
    """The figure, after plotly has checked all its properties."""
    go.Figure(figure.to_plotly_json())
    return figure


def test_the_matrices_show_soft_hard_and_their_difference(moment):
    figure = checked(confusion_figure(moment, 0, "train"))
    soft, hard, gap = (np.array(trace.z) for trace in figure.data)
    np.testing.assert_allclose(soft.sum(1), 1)  # shares of each actual class
    np.testing.assert_allclose(gap, soft - hard)
    tn, fn, fp, tp = moment.counts("train", soft=False)[0]
    assert list(figure.data[1].text) == [[f"{tn:.0f}", f"{fp:.0f}"], [f"{fn:.0f}", f"{tp:.0f}"]]


def test_the_table_of_counts_names_every_loss(moment):
    table = confusion_table(moment, "valid")
    assert len(table) == 8
    np.testing.assert_allclose(table["gap"], table["soft"] - table["hard"])
    assert table["hard"].sum() == 2 * sum(moment.history.view["valid"])


def test_histograms_are_shares_of_each_class(moment):
    figure = checked(histogram_figure(moment, 1, "p itself"))
    assert [sum(trace.y) / 2 for trace in figure.data] == pytest.approx([1, 1, 1, 1])  # two corners
    np.testing.assert_array_equal(figure.data[0].y, figure.data[2].y)  # BCE counts p itself
    amplified = histogram_figure(moment, 0, "A(p)")
    assert not np.array_equal(amplified.data[0].y, amplified.data[2].y)
    table = histogram_table(moment, 0)
    assert table["p, positive rows"].sum() == moment.history.view["train"][1]


def test_the_boundary_has_a_line_per_loss_over_the_rows(moment, landscape):
    figure = checked(boundary_figure(moment, landscape, 1))
    lines = [trace for trace in figure.data if trace.type == "contour"]
    assert [line.name for line in lines] == ["AnyLoss-F1 (L=10)", "BCE"]
    shown = sum(len(trace.x) for trace in figure.data if trace.type == "scatter")
    assert shown == sum(moment.history.view["train"])
    assert "principal component 1" in figure.layout.xaxis.title.text


def test_the_table_of_the_boundary_holds_every_point_of_the_grid(moment, landscape):
    table = boundary_table(moment, landscape)
    assert len(table) == len(landscape.grid.x) * len(landscape.grid.y)
    np.testing.assert_allclose(table["p of bce"], landscape.chances[1].ravel())


def test_counts_that_are_no_numbers_can_be_drawn(moment):
    values = dict(moment.values, train_soft=np.full((2, 4), np.nan))
    broken = type(moment)(moment.history, moment.epoch, values, moment.tensors)
    assert checked(confusion_figure(broken, 0, "train")).data[0].text[0][0] == "?"
