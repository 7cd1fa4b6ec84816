"""Scores that several figures are drawn of."""

import numpy as np
import pytest

from tests.statistics.test_analysis import table


@pytest.fixture
def scores():
    rng = np.random.default_rng(0)
    base = rng.random(12) / 2
    return table({"bce": base, "mse": base - 0.05, "anyloss:f1": base + 0.1})
