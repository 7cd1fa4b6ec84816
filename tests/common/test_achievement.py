"""Achievement rates: the paper's own example, and the corners."""

import numpy as np
import pytest

from anyloss_core.common.achievement import achievement_rate


def test_the_paper_s_example_is_half_way():
    assert achievement_rate(np.array([1.0, 0.7, 0.4])) == pytest.approx([0, 0.5, 1])


def test_curves_are_rated_row_by_row_and_flat_ones_are_done():
    rates = achievement_rate(np.array([[2.0, 1.0, 0.0], [0.3, 0.3, 0.3], [1.0, 2.0, 3.0]]))
    assert rates == pytest.approx(np.array([[0, 0.5, 1], [1, 1, 1], [0, 0.5, 1]]))


def test_a_curve_without_epochs_is_refused():
    with pytest.raises(ValueError, match="at least one epoch"):
        achievement_rate(np.empty((3, 0)))
