"""Generated data: exact sizes, sliders that do what they say, the same rows every time."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.references import open_reference
from anyloss_core.data.suites.synthetic import SyntheticSettings, generate, parse_settings
from tests.support.generated import synthetic


@pytest.mark.parametrize(
    ("rows", "features", "imbalance"), [(20, 1, 1.0), (301, 2, 2.5), (5000, 40, 99.0)]
)
def test_sizes_are_exact(rows, features, imbalance):
    dataset = synthetic(rows=rows, features=features, imbalance=imbalance)
    assert (dataset.rows, dataset.frame.shape[1]) == (rows, features)
    assert dataset.positives == round(rows / (1 + imbalance))


def accuracy(**settings):
    dataset = synthetic(rows=2000, imbalance=1.0, **settings)
    points = dataset.frame.to_numpy()
    return LogisticRegression().fit(points, dataset.labels).score(points, dataset.labels)


def test_separation_makes_it_easier_and_noise_harder():
    assert accuracy(separation=0.3) + 0.1 < accuracy(separation=2.0)
    assert accuracy(separation=2.0, noise=0.4) + 0.1 < accuracy(separation=2.0, noise=0.0)


def test_without_separation_the_classes_coincide():
    assert accuracy(separation=0, features=1) < 0.6


def test_noise_keeps_the_balance():
    quiet, noisy = (synthetic(noise=noise) for noise in (0.0, 0.5))
    assert quiet.positives == noisy.positives
    assert (quiet.labels != noisy.labels).sum() == 100  # half of 100 positives, swapped in pairs


def test_the_seed_decides_everything():
    assert synthetic(seed=3).fingerprint == synthetic(seed=3).fingerprint
    assert synthetic(seed=3).fingerprint != synthetic(seed=4).fingerprint


def test_a_recipe_is_opened_by_its_reference():
    settings = SyntheticSettings(rows=77, imbalance=1 / 0.3, noise=0.125, clusters=2, seed=9)
    assert parse_settings(settings.reference.removeprefix("synthetic:")) == settings
    assert open_reference(settings.reference).fingerprint == generate(settings).fingerprint


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rows": 5}, "rows must lie between 20"),
        ({"features": 0}, "features must lie"),
        ({"noise": 0.6}, "noise must lie"),
        ({"separation": np.nan}, "separation must lie"),
        ({"rows": 50, "imbalance": 500.0}, "leave 0 positives"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(DataError, match=message):
        synthetic(**settings)


def test_too_many_cells_are_refused_before_they_are_made():
    with pytest.raises(DataError, match="cells; at most"):
        synthetic(rows=2_000_000, features=500)
