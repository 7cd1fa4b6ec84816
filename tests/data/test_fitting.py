"""The fit of each column: scikit-learn's numbers, in bounded memory."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.data import fitting
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.fitting import fit_columns, size_exponents
from anyloss_core.data.preparation import (
    paper_features,
    prepare_fresh,
)


def test_extreme_numbers_are_standardised_like_ordinary_ones():
    values = np.random.default_rng(5).normal(size=50)
    plain, huge, tiny = (
        dataset_from_frame(pd.DataFrame({"x": values * scale, "y": [0, 1] * 25}), "y")
        for scale in (1.0, 1e300, 1e-300)
    )
    train = np.arange(30)
    expected = prepare_fresh(plain, train).transform(plain.frame)
    for dataset in (huge, tiny):
        features = prepare_fresh(dataset, train).transform(dataset.frame)
        np.testing.assert_allclose(features, expected, rtol=1e-9)
        np.testing.assert_allclose(paper_features(dataset), paper_features(plain), rtol=1e-9)


def raw_matrix(rows=500, seed=3):
    """Two numbers with gaps, a category with rare levels and gaps, one of two levels."""
    random = np.random.default_rng(seed)
    number = np.where(random.random(rows) < 0.2, np.nan, random.gamma(2, 30, rows))
    levels = np.resize([-1, 0, 0, 1], rows)
    levels[[5, 7, 11]] = 2, 3, 3  # rare: together fewer than one in a hundred
    return np.column_stack([number, random.normal(size=rows), levels, random.integers(0, 2, rows)])


IS_CATEGORY = np.array([False, False, True, True])


def test_a_number_is_fitted_by_its_median_mean_and_deviation():
    raw = raw_matrix()
    first = fit_columns(raw, IS_CATEGORY)[0]
    filled = np.where(np.isnan(raw[:, 0]), np.nanmedian(raw[:, 0]), raw[:, 0])
    assert first.exponent == 0
    assert first.fill == np.nanmedian(raw[:, 0])
    assert first.mean == pytest.approx(filled.mean(), rel=1e-12)
    assert first.scale == pytest.approx(filled.std(), rel=1e-12)  # ddof 0, as StandardScaler


def test_rare_levels_share_a_slot_and_two_levels_share_a_column():
    several, two = fit_columns(raw_matrix(), IS_CATEGORY)[2:]
    assert several.slots == ((-1,), (0,), (1,), (2, 3))
    assert (several.rare, several.base) == (3, None)
    assert (two.slots, two.rare, two.base) == (((1,),), None, 0)


def test_columns_fitted_a_few_at_a_time_are_fitted_the_same(monkeypatch):
    raw = raw_matrix()
    before = raw.copy()
    whole = fit_columns(raw, IS_CATEGORY)
    monkeypatch.setattr(fitting, "CELLS_AT_ONCE", 500)
    assert fit_columns(raw, IS_CATEGORY) == whole
    np.testing.assert_array_equal(raw, before)


def test_only_extreme_sizes_are_scaled_by_a_power_of_two():
    values = np.array([[1e300, 1e-300, 5.0, 0.0, np.nan], [1e299, 0.0, -7.0, 0.0, np.nan]])
    exponents = size_exponents(values)
    np.testing.assert_array_equal(exponents[2:], [0, 0, 0])
    scaled = np.ldexp([1e300, 1e-300], -exponents[:2])
    assert ((scaled >= 0.5) & (scaled < 1)).all()
