import numpy as np
import pytest
from sklearn.decomposition import PCA

from anyloss_core.live.plane import feature_plane, principal_axes, principal_plane


@pytest.fixture
def rows():
    chance = np.random.default_rng(0)
    return chance.normal(size=(60, 4)) @ np.diag([3.0, 1.0, 0.3, 0.1]) + [5, 0, -2, 1]


def test_principal_axes_are_those_of_sklearn_up_to_the_sign(rows):
    axes, shares = principal_axes(rows)
    oracle = PCA(2).fit(rows)
    np.testing.assert_allclose(shares, oracle.explained_variance_ratio_)
    np.testing.assert_allclose(np.abs(axes @ oracle.components_.T), np.eye(2), atol=1e-9)
    assert (np.take_along_axis(axes, np.abs(axes).argmax(1)[:, None], 1) > 0).all()


def test_points_of_the_grid_are_shown_where_they_are(rows):
    axes, shares = principal_axes(rows)
    plane = principal_plane(rows.mean(0), axes, shares)
    grid = plane.grid(plane.project(rows), size=5)
    shown = plane.project(grid.points).reshape(5, 5, 2)
    np.testing.assert_allclose(shown[2, :, 0], grid.x)
    np.testing.assert_allclose(shown[:, 3, 1], grid.y)
    assert grid.x[0] < plane.project(rows)[:, 0].min()


def test_a_feature_plane_keeps_the_other_features_at_their_mean(rows):
    plane = feature_plane(rows.mean(0), list("abcd"), 2, 0)
    grid = plane.grid(plane.project(rows), size=3)
    assert plane.names == ("c", "a")
    np.testing.assert_allclose(grid.points[:, 1], rows[:, 1].mean())
    np.testing.assert_allclose(plane.project(rows), rows[:, [2, 0]])


def test_a_single_feature_still_has_a_plane():
    rows = np.array([[1.0], [2.0], [4.0]])
    axes, shares = principal_axes(rows)
    assert axes.tolist() == [[1.0], [0.0]]
    assert shares.tolist() == [1.0, 0.0]
    plane = feature_plane(rows.mean(0), ["only"], 0, 0)
    grid = plane.grid(plane.project(rows), size=4)
    assert grid.points.shape == (16, 1)
    assert len(set(grid.y)) == 4


def test_constant_rows_have_axes_without_nan():
    axes, shares = principal_axes(np.ones((5, 3)))
    assert np.isfinite(axes).all()
    assert shares.tolist() == [0, 0]
