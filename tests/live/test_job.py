"""The job behind the page Train, run for real in a store of its own."""

import threading

import numpy as np
import pytest
import torch

from anyloss_core.data.suites.references import open_reference
from anyloss_core.engine.loop import train
from anyloss_core.jobs.jobs import run_job
from anyloss_core.jobs.report import Report
from anyloss_core.live import job
from anyloss_core.live.history import History
from anyloss_core.live.job import BINS, NAP_SECONDS, Pace, histogram
from anyloss_core.live.scene import prepare
from anyloss_core.losses.confusion import soft_counts
from anyloss_core.store.bundle import export_bundle, import_bundle
from anyloss_core.store.records import STATE
from anyloss_core.store.store import NotOwner, Store
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
    ours, theirs = history.snapshot(12).scores("gmean", "valid")
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
        history.snapshot().scores("gmean", "valid"), last.scores("gmean").numpy()
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"losses": ("anyloss:f1@L=20", "sol:f1", "soft:gmean", "sigmoid_f1@beta=2", "bce")},
        {"losses": ("anyloss:f1", "anyloss:accuracy@L=30", "sol:f1"), "ramp": True, "warm_up": 0.5},
    ],
)
def test_shown_soft_labels_sum_to_the_counts_of_the_engine(changes):
    """The page shows A(p) with the L of the epoch: warm-up and ramp must agree with the loss."""
    settings = live_settings(**changes)
    scene = prepare(settings, open_reference(settings.data))
    assert len(scene.sample) == len(scene.rows.train)  # a small table is sampled as a whole
    for event in train(scene.study):
        ours = soft_counts(scene.sample_labels, event.sample_soft)
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
    (event,) = store.events(run_id)  # packed, as it is over
    history = History(live_settings(epochs=5000), {})
    history.extend([event])
    assert (len(history.epochs) > before + 2, history.epochs[-1]) == (True, event.epoch)
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


class ClockedReport:
    """A report whose clock moves when somebody sleeps or trains."""

    def __init__(self):
        self.seconds, self.checkpoints = 0.0, 0

    def sleep(self, seconds):
        self.seconds += seconds

    def checkpoint(self, step_end):
        self.checkpoints += 1


@pytest.fixture
def clocked(monkeypatch):
    report = ClockedReport()
    monkeypatch.setattr("anyloss_core.live.job.time.sleep", report.sleep)
    return report


def test_a_pace_spreads_the_epochs_over_time_and_keeps_listening(clocked):
    pace = Pace(4.0, clocked)
    for epoch in range(1, 9):
        clocked.seconds += 0.01  # of training
        pace.hold(epoch)
        assert clocked.seconds == pytest.approx(epoch / 4)
    assert clocked.checkpoints >= 8 * (0.24 // NAP_SECONDS)


def test_a_training_slower_than_its_pace_does_not_wait(clocked):
    pace = Pace(4.0, clocked)
    for epoch in range(1, 4):
        clocked.seconds += 0.5
        pace.hold(epoch)
    assert clocked.seconds == pytest.approx(1.5)
    clocked.seconds += 0.01  # quick again: it must not catch up on what it is behind
    pace.hold(4)
    pace.hold(5)
    assert clocked.seconds > 1.5 + 2 / 4 - 2 * NAP_SECONDS


def test_full_speed_never_waits(clocked):
    pace = Pace(0.0, clocked)
    for epoch in range(1, 100):
        pace.hold(epoch)
    assert clocked.seconds == clocked.checkpoints == 0


def test_a_wrong_data_set_fails_with_its_own_words(store):
    run_id = store.create_run("train", live_settings(data="builtin:nothing").to_dict(), queue=False)
    run = run_job(store, run_id)
    assert run.status == "failed"
    assert "nothing" in run.error


@pytest.mark.parametrize(
    "changes",
    [{"batch": 16, "hidden": (4,), "batch_norm": True}, {"ramp": True, "warm_up": 0.5}],
    ids=["mini-batches", "ramp"],
)
def test_a_training_that_was_put_away_ends_with_the_same_bits(store, monkeypatch, changes):
    _, expected = train_live(store, **changes)
    monkeypatch.setattr("anyloss_core.jobs.report.LINGER_SECONDS", 0.0)
    settings = live_settings(**changes)
    run_id = store.create_run("train", settings.to_dict())
    for wanted in ("step", "step", "step", "run"):  # put away after each step
        store.set_control(run_id, wanted)
        run = run_job(store, run_id)
    assert (run.status, run.attempt) == ("done", 1)
    assert store.get_result(run_id, STATE) is None
    history = History(settings, store.get_result(run_id, "view"))
    history.extend(store.events(run_id))
    assert history.epochs == expected.epochs
    for name in ("losses", "train_soft", "valid_hard", "gradient", "dead", "soft_histogram"):
        np.testing.assert_array_equal(history.column(name), expected.column(name), name)
    for name, tensor in history.snapshot().tensors.items():
        np.testing.assert_array_equal(tensor, expected.snapshot().tensors[name], name)
    assert (np.diff(history.column("at")) > 0).all()  # its clock goes on, too


def test_a_large_training_takes_little_room_while_it_runs(store, monkeypatch):
    _, expected = train_live(store)
    monkeypatch.setattr(job, "MOST_EVENT_BYTES", 3_000)
    monkeypatch.setattr("anyloss_core.live.history.KEPT_BYTES", 1)
    pack, packs = Report.pack_events, []
    monkeypatch.setattr(
        Report, "pack_events", lambda self, how: (packs.append(self.event_bytes), pack(self, how))
    )
    watching = History(live_settings(), {})  # as a page does, from event to event
    flush = Report.flush

    def seen(self):
        flush(self)
        watching.extend(store.events(self.run_id, since=watching.seen))

    monkeypatch.setattr(Report, "flush", seen)
    run, history = train_live(store)
    assert len(packs) >= 3  # twice while it runs, and at its end
    assert max(packs) < 10_000
    assert len(store.events(run.id)) == 1
    watching.extend(store.events(run.id, since=watching.seen))
    for found in (history, watching):
        assert found.epochs == expected.epochs
        for name in ("losses", "valid_hard", "dead", "p_histogram"):
            np.testing.assert_array_equal(found.column(name), expected.column(name), name)
        assert len(found._kept) < 10 < len(expected._kept)


def test_a_training_that_is_stopped_while_put_away_keeps_its_history(store, monkeypatch):
    monkeypatch.setattr("anyloss_core.jobs.report.LINGER_SECONDS", 0.0)
    run_id = store.create_run("train", live_settings().to_dict(), owner="ada")
    for _ in range(3):
        store.set_control(run_id, "step", owners=("ada",))
        assert run_job(store, run_id).status == "paused"
    for wanted in ("run", "step", "stop"):
        with pytest.raises(NotOwner):
            store.set_control(run_id, wanted, owners=("bob",))
    copied = import_bundle(store, export_bundle(store, run_id))
    assert store.get_result(copied, STATE) is None  # nobody could go on from it
    store.set_control(run_id, "stop", owners=("ada",))
    assert store.run(run_id).status == "cancelled"
    for stored in (run_id, copied):
        (event,) = store.events(stored)  # in little room, as of any training that is over
        history = History(live_settings(), {})
        history.extend([event])
        assert history.epochs == [1, 2, 3]
        assert "after epoch 3" in store.get_result(stored, "headline")
    store.delete_run(run_id, owners=("ada",))
