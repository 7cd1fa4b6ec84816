import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from anyloss_core.common.memory import TooLarge
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.references import open_reference
from anyloss_core.live.scene import SNAPSHOT_BYTES, prepare, split
from tests.live_runs import DATA, live_settings


@pytest.fixture(scope="module")
def dataset():
    return open_reference(DATA)


def test_both_parts_hold_their_share_of_each_class(dataset):
    train, valid = split(dataset, 0.25, seed=3)
    assert len(valid) == 40
    assert sorted([*train, *valid]) == list(range(160))
    assert dataset.labels[train].mean() == pytest.approx(dataset.labels[valid].mean(), abs=0.02)
    assert split(dataset, 0.25, seed=3)[1].tolist() == valid.tolist()
    assert split(dataset, 0.25, seed=4)[1].tolist() != valid.tolist()


def test_preparation_is_fitted_on_the_training_rows_alone(dataset):
    scene = prepare(live_settings(), dataset)
    train = scene.rows.train
    oracle = StandardScaler().fit(dataset.frame.iloc[train]).transform(dataset.frame)
    np.testing.assert_allclose(scene.study.features, oracle)
    assert np.abs(scene.study.features.mean(0)).max() > 1e-3  # not fitted on all rows


def test_too_few_rows_of_a_class_are_refused(dataset):
    frame = dataset.frame.head(8).assign(answer=["a"] * 7 + ["b"])
    with pytest.raises(ValueError, match="row"):
        split(dataset_from_frame(frame, "answer", name="tiny"), 0.3, 0)


def test_the_view_describes_the_split_and_its_plane(dataset):
    view = prepare(live_settings(), dataset).view()
    assert sum(view["train"]) + sum(view["valid"]) == 160
    assert view["points"].shape == (112, 3)  # all training rows of so small a table
    assert view["labels"].tolist().count(1) == view["train"][1]
    np.testing.assert_allclose(view["axes"] @ view["axes"].T, np.eye(2), atol=1e-12)


def test_long_trainings_keep_every_few_epochs(dataset):
    watch = prepare(live_settings(epochs=2500), dataset).study.watch
    assert (watch.every, watch.snapshots) == (3, 3)


def test_large_networks_keep_fewer_snapshots_of_their_parameters(dataset):
    settings = live_settings(epochs=1000, hidden=(256, 256))
    watch = prepare(settings, dataset).study.watch
    size = 4 * settings.network.size(3) * 2
    assert watch.every == 1
    assert SNAPSHOT_BYTES / 2 < 1000 / watch.snapshots * size < SNAPSHOT_BYTES


def test_a_training_that_cannot_end_in_time_is_refused_before_it_begins(dataset):
    with pytest.raises(TooLarge, match=r"13\.9 hours of the 2 .* fewer epochs"):
        prepare(live_settings(epochs=5000, pace=0.1), dataset, 2 * 3600.0)
