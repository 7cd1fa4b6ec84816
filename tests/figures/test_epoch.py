"""The panels of one epoch; every figure is checked by plotly's own rules."""

import numpy as np
import pytest

from anyloss_core.figures.epoch import (
    boundary_figure,
    boundary_table,
    confusion_figure,
    confusion_table,
    histogram_figure,
    histogram_table,
)
from anyloss_core.live.history import chosen_plane
from anyloss_core.store.store import Store
from tests.live_runs import train_live


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("snapshot"))
    return train_live(store, losses=("anyloss:f1@L=10", "bce"))[1].snapshot(7)


@pytest.fixture(scope="module")
def landscape(snapshot):
    view = snapshot.history.view
    plane = chosen_plane(view, None, None)
    return snapshot.landscape(plane, plane.grid(plane.project(view["points"])))


def test_the_matrices_show_soft_hard_and_their_difference(snapshot):
    figure = confusion_figure(snapshot, 0, "train").checked()
    soft, hard, gap = (np.array(trace.z) for trace in figure.data)
    np.testing.assert_allclose(soft.sum(1), 1)  # shares of each actual class
    np.testing.assert_allclose(gap, soft - hard)
    tn, fn, fp, tp = snapshot.counts("train", soft=False)[0]
    assert list(figure.data[1].text) == [[f"{tn:.0f}", f"{fp:.0f}"], [f"{fn:.0f}", f"{tp:.0f}"]]


def test_the_table_of_counts_names_every_loss(snapshot):
    table = confusion_table(snapshot, "valid")
    assert len(table) == 8
    np.testing.assert_allclose(table["gap"], table["soft"] - table["hard"])
    assert table["hard"].sum() == 2 * sum(snapshot.history.view["valid"])


def test_histograms_are_shares_of_each_class(snapshot):
    figure = histogram_figure(snapshot, 1, "p itself").checked()
    assert [sum(trace.y) / 2 for trace in figure.data] == pytest.approx([1, 1, 1, 1])  # two corners
    np.testing.assert_array_equal(figure.data[0].y, figure.data[2].y)  # BCE counts p itself
    amplified = histogram_figure(snapshot, 0, "A(p)").checked()
    assert not np.array_equal(amplified.data[0].y, amplified.data[2].y)
    table = histogram_table(snapshot, 0)
    assert table["p, positive rows"].sum() == snapshot.history.view["train"][1]


def test_the_boundary_has_a_line_per_loss_over_the_rows(snapshot, landscape):
    figure = boundary_figure(snapshot, landscape, 1).checked()
    lines = [trace for trace in figure.data if trace.type == "contour"]
    assert [line.name for line in lines] == ["AnyLoss-F1 (L=10)", "BCE"]
    shown = sum(len(trace.x) for trace in figure.data if trace.type == "scatter")
    assert shown == sum(snapshot.history.view["train"])
    assert "principal component 1" in figure.layout.xaxis.title.text


def test_the_table_of_the_boundary_holds_every_point_of_the_grid(snapshot, landscape):
    table = boundary_table(snapshot, landscape)
    assert len(table) == len(landscape.grid.x) * len(landscape.grid.y)
    np.testing.assert_allclose(table["p of bce"], landscape.chances[1].ravel())


def test_counts_that_are_no_numbers_can_be_drawn(snapshot):
    values = dict(snapshot.values, train_soft=np.full((2, 4), np.nan))
    broken = type(snapshot)(snapshot.history, snapshot.epoch, values, snapshot.tensors)
    assert confusion_figure(broken, 0, "train").checked().data[0].text[0][0] == "?"
