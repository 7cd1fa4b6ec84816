"""What a job tells its run, and the wishes that come back: pause, step, stop."""

import sqlite3
import threading
import time

import pytest

from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import Report, Stopped, run_job
from anyloss_core.store.database import StoreUnavailable
from anyloss_core.store.records import STATE
from tests.sample_jobs import SAMPLE_KINDS, running, wait_for


def test_pause_holds_the_work_and_its_clock_and_run_goes_on(store):
    with running(store, "count", {"epochs": 10_000, "nap": 0.01}) as run_id:
        store.set_control(run_id, "pause")
        wait_for(lambda: store.run(run_id).status == "paused", seconds=1)
        before, told = store.run(run_id), len(store.events(run_id))
        time.sleep(1.3)  # long enough for a sign of life
        after = store.run(run_id)
        assert len(store.events(run_id)) == told
        assert after.seconds == pytest.approx(before.seconds, abs=0.05)
        assert queue.beats(store)[0].count > 0
        store.set_control(run_id, "run")
        wait_for(lambda: len(store.events(run_id)) > told, seconds=1)
        assert store.run(run_id).status == "running"


def test_each_step_lets_exactly_one_epoch_through(store):
    with running(store, "batches", {"epochs": 1000}) as run_id:
        store.set_control(run_id, "pause")
        wait_for(lambda: store.run(run_id).status == "paused", seconds=1)
        time.sleep(0.2)
        epochs = len(store.events(run_id))
        store.set_control(run_id, "step")
        wait_for(lambda: len(store.events(run_id)) == epochs + 1, seconds=1)
        store.set_control(run_id, "step")  # two clicks in a hurry are two steps
        store.set_control(run_id, "step")
        wait_for(lambda: len(store.events(run_id)) == epochs + 3, seconds=2)
        wait_for(lambda: store.run(run_id).status == "paused", seconds=1)
        time.sleep(0.3)
        assert len(store.events(run_id)) == epochs + 3


def test_stop_wins_over_a_pause_and_over_a_later_run(store):
    with running(store, "count", {"epochs": 10_000, "nap": 0.01}) as run_id:
        store.set_control(run_id, "pause")
        wait_for(lambda: store.run(run_id).status == "paused", seconds=1)
        store.set_control(run_id, "stop")
        store.set_control(run_id, "run")
        wait_for(lambda: store.run(run_id).status == "cancelled", seconds=1)


def test_time_left_follows_the_pace_and_ignores_units_done_before(store):
    run_id = store.create_run("count", {})
    queue.claim(store, "w")
    report = Report(store, run_id, "w")
    report.progress(60, 100)  # sixty were done by an earlier attempt
    assert store.run(run_id).eta is None
    time.sleep(0.3)
    report.progress(70, 100)
    assert store.run(run_id).eta == pytest.approx(0.9, rel=0.3)  # 30 left, ten in 0.3 s
    time.sleep(0.3)
    report.progress(80, 100, eta=42.0)
    assert store.run(run_id).eta == 42.0


def test_writes_are_gathered(store):
    run_id = store.create_run("count", {})
    queue.claim(store, "w")
    report = Report(store, run_id, "w")
    for epoch in range(500):
        report.event({"loss": epoch}, epoch)
        report.checkpoint()
    assert queue.beats(store)[0].count <= 4  # not 500 transactions
    report.flush()
    assert len(store.events(run_id)) == 500


def test_a_deleted_run_stops_its_job(store):
    run_id = store.create_run("count", {})
    queue.claim(store, "w")
    report = Report(store, run_id, "w")
    queue.give_up(store, "w", "gone")
    store.delete_run(run_id)
    time.sleep(0.11)
    with pytest.raises(Stopped):
        report.checkpoint()


def test_stop_passes_through_code_that_records_every_exception(store):
    run_id = store.create_run("count", {})
    queue.claim(store, "w")
    store.set_control(run_id, "stop")
    report = Report(store, run_id, "w")
    report.flush()
    reasons = []

    def record_failures():
        try:
            report.checkpoint()
        except Exception as error:
            reasons.append(error)

    with pytest.raises(Stopped):
        record_failures()
    assert reasons == []


def test_a_store_that_is_locked_for_a_while_costs_time_and_nothing_else(store):
    with running(store, "count", {"epochs": 60, "nap": 0.01}) as run_id:
        other = sqlite3.connect(store.database.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        time.sleep(1.0)
        other.execute("ROLLBACK")
        other.close()
        wait_for(lambda: store.run(run_id).status == "done")
        assert [event.epoch for event in store.events(run_id)] == list(range(60))


def test_a_job_of_slow_steps_is_as_patient_as_one_of_fast_ones(store):
    run_id = store.create_run("count", {})
    queue.claim(store, "w")
    report = Report(store, run_id, "w", patience=0.5)
    report.event({"epoch": 0})
    time.sleep(0.8)  # one long step, longer than its patience
    other = sqlite3.connect(store.database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    report.checkpoint()  # the store is locked for the first time: no reason to give up
    time.sleep(0.6)
    with pytest.raises(StoreUnavailable, match="busy"):
        report.checkpoint()
    other.execute("ROLLBACK")
    other.close()
    report.checkpoint()
    assert len(store.events(run_id)) == 1


def test_the_clock_may_be_set_back_in_the_middle(store, monkeypatch):
    with running(store, "count", {"epochs": 30, "nap": 0.02}) as run_id:
        monkeypatch.setattr(time, "time", lambda: 0.0)
        wait_for(lambda: not store.run(run_id).active)
    run = store.run(run_id)
    assert run.status == "done"
    assert 0.6 < run.seconds < 10
    assert run.finished < run.started  # only for display, and shown as it was


def test_a_long_pause_keeps_the_state_and_frees_the_worker(store, monkeypatch):
    monkeypatch.setattr("anyloss_core.jobs.report.LINGER_SECONDS", 0.3)
    run_id = store.create_run("tally", {"steps": 1000, "nap": 0.01}, queue=False)
    thread = threading.Thread(target=run_job, args=(store, run_id, SAMPLE_KINDS))
    thread.start()
    wait_for(lambda: store.run(run_id).done > 3)
    store.set_control(run_id, "pause")
    thread.join(5)
    assert not thread.is_alive()
    run = store.run(run_id)
    assert (run.status, run.finished) == ("paused", None)
    assert queue.beats(store) == []
    numbers = [event.epoch for event in store.events(run_id)]
    assert store.get_result(run_id, STATE) == numbers[-1] == run.done
    assert queue.claim(store, "w") is None  # it is to stay paused


def put_away(store, monkeypatch, **settings):
    """A run that was put away after its first steps."""
    monkeypatch.setattr("anyloss_core.jobs.report.LINGER_SECONDS", 0.0)
    run_id = store.create_run("tally", {"steps": 1000, "nap": 0.01} | settings)
    store.set_control(run_id, "step")
    run_job(store, run_id, SAMPLE_KINDS)
    assert store.run(run_id).status == "paused"
    return run_id


def test_a_run_that_was_put_away_goes_on_where_it_was(store, monkeypatch):
    run_id = put_away(store, monkeypatch, steps=8)
    before = store.run(run_id)
    store.set_control(run_id, "run")
    assert store.run(run_id).status == "queued"
    after = run_job(store, run_id, SAMPLE_KINDS)
    assert (after.status, after.attempt) == ("done", before.attempt)
    assert after.seconds > before.seconds > 0
    assert [event.epoch for event in store.events(run_id)] == list(range(1, 9))
    assert store.get_result(run_id, STATE) is None  # nothing goes on from here


def test_a_run_that_was_put_away_can_be_stepped_and_stopped(store, monkeypatch):
    run_id = put_away(store, monkeypatch)
    steps = len(store.events(run_id))
    store.set_control(run_id, "step")
    run_job(store, run_id, SAMPLE_KINDS)
    assert store.run(run_id).status == "paused"
    assert len(store.events(run_id)) == steps + 1
    store.set_control(run_id, "stop")
    assert store.run(run_id).status == "cancelled"
    assert store.get_result(run_id, STATE) is None
    store.delete_run(run_id)


def test_a_wish_that_crosses_the_putting_away_is_not_lost(store):
    run_id = store.create_run("tally", {"steps": 5})
    queue.claim(store, "w")
    store.set_control(run_id, "step")
    queue.put_away(store, run_id, "w")
    assert store.run(run_id).status == "queued"


def test_time_away_is_no_time_at_work(store, monkeypatch):
    run_id = put_away(store, monkeypatch, steps=2)
    before = store.run(run_id).seconds
    time.sleep(1.0)
    store.set_control(run_id, "run")
    assert run_job(store, run_id, SAMPLE_KINDS).seconds < before + 0.9
