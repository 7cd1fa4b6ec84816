"""The job behind the page Train, run for real in a store of its own."""

import threading

import numpy as np
import pytest
import torch

from anyloss_core.confusion import soft_counts
from anyloss_core.datasets.references import open_reference
from anyloss_core.engine import train
from anyloss_core.jobs import run_job
from anyloss_core.live import BINS, histogram, outlooks
from anyloss_core.live_scene import prepare
from anyloss_core.store import Store
from tests.live_runs import live_settings, train_live
from tests.sample_jobs import wait_for


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def test_every_epoch_is_told_with_all_that_its_panels_show(store):
    run, history = train_live(store, losses=("anyloss:f1", "bce", "mse"))
    assert history.epochs == list(range(1, 13))
    assert (run.done, run.total, run.message) == (12, 12, "epoch 12 of 12")
    for name, shape in {
        "losses": (12, 3),
        "train_hard": (12, 3, 4),
        "valid_soft": (12, 3, 4),
        "gradient": (12, 3),
        "dead": (12, 3),
        "p_histogram": (12, 3, 2, BINS),
        "soft_histogram": (12, 3, 2, BINS),
    }.items():
        assert history.column(name).shape == shape, name
    assert (np.diff(history.column("at")) > 0).all()


def test_the_list_of_runs_is_told_what_came_out(store):
    run, history = train_live(store, losses=("anyloss:f1", "bce"), metric="gmean")
    ours, theirs = history.moment(12).scores("gmean", "valid")
    assert store.get_result(run.id, "headline") == (
        f"G-mean on the validation rows after epoch 12: AnyLoss-F1 {ours:.3f}, BCE {theirs:.3f}."
    )


def test_the_numbers_are_those_of_the_engine(store):
    changes = {"losses": ("anyloss:f1", "bce"), "hidden": (4,), "batch": 16}
    _, history = train_live(store, **changes)
    settings = live_settings(**changes)
    *_, last = train(prepare(settings, open_reference(settings.data)).study)
    np.testing.assert_allclose(history.column("losses")[-1], last.losses.numpy())
    np.testing.assert_allclose(
        history.moment().scores("gmean", "valid"), last.scores("gmean").numpy()
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"losses": ("anyloss:f1@L=20", "sol:f1", "soft:gmean", "sigmoid_f1@beta=2", "bce")},
        {"losses": ("anyloss:f1", "anyloss:accuracy@L=30"), "ramp": True, "warm_up": 0.5},
    ],
)
def test_shown_soft_labels_sum_to_the_counts_of_the_engine(changes):
    """The page shows A(p) with the L of the epoch: warm-up and ramp must agree with the loss."""
    settings = live_settings(**changes)
    scene = prepare(settings, open_reference(settings.data))
    labels = scene.sight[1]
    assert len(labels) == len(scene.rows.train)  # a small table is looked at as a whole
    training = train(scene.study)
    for event in training:
        _, soft = outlooks(training.parameters(), event.epoch, scene)
        ours = soft_counts(labels, soft)
        for own, engine in zip(ours, event.train_soft, strict=True):
            torch.testing.assert_close(own, engine)


def test_a_histogram_counts_like_numpy_and_leaves_nan_out():
    values = torch.rand(3, 50, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    values[0, 7], values[1, 3], values[2, 4] = torch.nan, 1.0, 0.0
    labels = torch.arange(50) % 3 // 2
    counted = histogram(values, labels)
    for model in range(3):
        for kind in (0, 1):
            own = values[model][labels == kind].numpy()
            expected, _ = np.histogram(own[np.isfinite(own)], BINS, (0, 1))
            assert counted[model, kind].tolist() == expected.tolist()


def test_a_run_goes_step_by_step_on_and_stops(store):
    run_id = store.create_run("train", live_settings(epochs=5000).to_dict(), queue=False)
    store.set_control(run_id, "step")  # too early: nobody works on it yet
    thread = threading.Thread(target=run_job, args=(store, run_id))
    thread.start()
    wait_for(lambda: store.run(run_id).status == "running")
    store.set_control(run_id, "pause")
    wait_for(lambda: store.run(run_id).status == "paused")
    before = len(store.events(run_id))
    for more in (1, 2):
        store.set_control(run_id, "step")
        wait_for(lambda more=more: len(store.events(run_id)) == before + more)
        wait_for(lambda: store.run(run_id).status == "paused")
    store.set_control(run_id, "run")
    wait_for(lambda: len(store.events(run_id)) > before + 2)
    store.set_control(run_id, "stop")
    thread.join(10)
    assert store.run(run_id).status == "cancelled"
    assert 0 < len(store.events(run_id)) < 5000
    assert "after epoch" in store.get_result(run_id, "headline")  # what is done is kept


def test_the_first_epoch_can_be_a_single_step(store):
    run_id = store.create_run("train", live_settings(epochs=5000).to_dict())
    store.set_control(run_id, "step")
    thread = threading.Thread(target=run_job, args=(store, run_id))
    thread.start()
    wait_for(lambda: store.run(run_id).status == "paused" and store.events(run_id))
    assert [event.epoch for event in store.events(run_id)] == [1]
    store.set_control(run_id, "stop")
    thread.join(10)


def test_a_pace_spreads_the_epochs_over_time(store):
    run, history = train_live(store, epochs=6, pace=40.0)
    gaps = np.diff(history.column("at"))
    assert gaps.sum() >= 0.8 * 5 / 40
    assert run.seconds >= 0.8 * 6 / 40


def test_a_wrong_data_set_fails_with_its_own_words(store):
    run_id = store.create_run("train", live_settings(data="builtin:nothing").to_dict(), queue=False)
    run = run_job(store, run_id)
    assert run.status == "failed"
    assert "nothing" in run.error
