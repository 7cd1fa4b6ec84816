import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from anyloss_core.data.suites.references import open_reference
from anyloss_core.live.history import History, chosen_plane
from anyloss_core.live.scene import prepare
from anyloss_core.store import payload
from anyloss_core.store.records import StoredEvent
from anyloss_core.store.store import Store
from tests.live_runs import history_of, train_live


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return Store(tmp_path_factory.mktemp("history"))


@pytest.fixture(scope="module")
def history(store):
    return train_live(store, losses=("anyloss:f1@L=20", "bce"), epochs=30)[1]


def _by_hand(history, parameters, model, rows):
    """Predictions of an SLP from its weights, in numpy."""
    scene = prepare(history.settings, open_reference(history.settings.data))
    chosen = getattr(scene.rows, rows)
    weights = parameters["weight0"][model, 0].astype(float)
    logits = scene.study.features[chosen] @ weights + parameters["bias0"][model, 0]
    return scene.study.labels[chosen], logits


@pytest.mark.parametrize("rows", ["train", "valid"])
@pytest.mark.parametrize("epoch", [1, 17, 30])
def test_scores_of_an_epoch_are_those_of_its_own_parameters(history, epoch, rows):
    snapshot = history.snapshot(epoch)
    assert snapshot.epoch == epoch
    for model in (0, 1):
        labels, logits = _by_hand(history, snapshot.tensors, model, rows)
        assert snapshot.scores("f1", rows)[model] == pytest.approx(f1_score(labels, logits > 0))


def test_curves_and_snapshots_agree(history):
    curve = history.scores("gmean", "valid", soft=True)
    assert curve.shape == (30, 2)
    np.testing.assert_allclose(curve[16], history.snapshot(17).scores("gmean", "valid", soft=True))


def test_achievement_goes_from_nothing_to_everything(history):
    rates = history.achievement()
    assert rates[0].tolist() == [0, 0]
    assert rates[-1].tolist() == [1, 1]


def test_events_can_be_taken_in_bit_by_bit(history):
    grown = history_of(history, *history.epochs[:10])
    early = grown.column("losses")
    later = {**history.snapshot(11).values, "parameters": None}
    grown.extend([StoredEvent(11, 11, later)])
    assert (grown.epochs, grown.seen) == (history.epochs[:11], 11)
    np.testing.assert_array_equal(grown.column("losses")[:10], early)


def test_packed_it_takes_the_place_of_what_was_seen_and_more_can_follow(history):
    seen = history_of(history, *history.epochs[:5])
    packed = payload.from_bytes(payload.to_bytes(history.packed()))
    later = {**history.snapshot().values, "parameters": None}
    seen.extend([StoredEvent(40, 30, packed), StoredEvent(41, 31, later)])
    assert seen.epochs == [*history.epochs, 31]
    for name in history.snapshot().values:
        np.testing.assert_array_equal(seen.column(name)[:-1], history.column(name))
    for epoch in (1, 17, 30):
        for name, values in history.snapshot(epoch).tensors.items():
            np.testing.assert_array_equal(seen.snapshot(epoch).tensors[name], values)


def test_packed_it_keeps_first_and_last_parameters_of_too_many(history, monkeypatch):
    size = sum(values.nbytes for values in history.snapshot().tensors.values())
    monkeypatch.setattr("anyloss_core.live.history.KEPT_BYTES", 4 * size)
    thinned = History(history.settings, history.view)
    thinned.extend([StoredEvent(1, 30, history.packed())])
    assert thinned.epochs == history.epochs
    exact = [
        epoch
        for epoch in history.epochs
        if all(
            np.array_equal(values, thinned.snapshot(epoch).tensors[name])
            for name, values in history.snapshot(epoch).tensors.items()
        )
    ]
    assert (len(exact), exact[0], exact[-1]) == (4, 1, 30)


def test_an_epoch_that_was_not_kept_shows_the_one_before(history):
    thinned = history_of(history, 1, 4, 7)
    assert [thinned.snapshot(epoch).epoch for epoch in (1, 3, 4, 6, 99)] == [1, 1, 4, 4, 7]
    for name, values in history.snapshot(1).tensors.items():
        np.testing.assert_array_equal(thinned.snapshot(7).tensors[name], values)


def test_speed_is_that_of_the_last_seconds(history):
    assert History(history.settings, history.view).rate() is None
    clock = np.concatenate([np.arange(1, 11) * 1.0, 10 + np.arange(1, 21) * 0.1])
    timed = history_of(history, *range(1, 31), at=clock)
    assert timed.rate() == pytest.approx(10, rel=0.06)


def test_the_boundary_is_where_the_model_changes_its_mind(history):
    names = [str(name) for name in history.view["features"]]
    plane = chosen_plane(history.view, names[0], names[2])
    grid = plane.grid(plane.project(history.view["points"]))
    snapshot = history.snapshot()
    landscape = snapshot.landscape(plane, grid)
    assert landscape.margins.shape == (2, len(grid.y), len(grid.x))
    oracle = LogisticRegression()
    oracle.classes_ = np.array([0, 1])
    oracle.coef_ = snapshot.tensors["weight0"][1].astype(float)
    oracle.intercept_ = snapshot.tensors["bias0"][1].astype(float)
    expected = oracle.predict_proba(grid.points)[:, 1].reshape(landscape.chances[1].shape)
    np.testing.assert_allclose(landscape.chances[1], expected, atol=1e-5)
    np.testing.assert_array_equal(landscape.margins[1] > 0, landscape.chances[1] > 0.5)


def test_two_features_are_shown_by_themselves(store):
    data = "synthetic:rows=80,features=2,seed=1"
    _, history = train_live(store, data=data, losses=("bce",), epochs=2)
    plane = chosen_plane(history.view, None, None)
    assert list(plane.names) == [str(name) for name in history.view["features"]]
    np.testing.assert_allclose(plane.project(history.view["points"]), history.view["points"])
