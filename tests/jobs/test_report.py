"""A job tells, its run remembers, and the user's wishes arrive: pause, step, stop."""

import logging
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from anyloss_core import job_queue
from anyloss_core.jobs import KINDS, Report, Stopped, run_job
from anyloss_core.liveness import alive, is_alive
from anyloss_core.store import Store, StoreError, StoreUnavailable
from tests.sample_jobs import SAMPLE_KINDS, wait_for


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "home", busy_seconds=0.2)
    yield store
    store.close()


def run_here(store, kind, settings, **options):
    run_id = store.create_run(kind, settings, queue=False)
    return run_job(store, run_id, SAMPLE_KINDS, **options)


@contextmanager
def running(store, kind, settings):
    """The id of a run that works in a thread."""
    run_id = store.create_run(kind, settings, queue=False)
    thread = threading.Thread(target=run_job, args=(store, run_id, SAMPLE_KINDS))
    thread.start()
    wait_for(lambda: store.run(run_id).status == "running")
    yield run_id
    store.set_control(run_id, "stop")
    thread.join(5)
    assert not thread.is_alive()


def test_a_job_leaves_events_progress_and_results(store):
    run = run_here(store, "count", {"epochs": 5})
    assert (run.status, run.done, run.total, run.message) == ("done", 5, 5, "epoch 5")
    assert run.attempt == 1
    assert run.share == 1
    assert [event.epoch for event in store.events(run.id)] == list(range(5))
    assert store.events(run.id)[2].payload["curve"].tolist() == [0, 2, 4]
    assert store.get_result(run.id, "last") == {"epoch": 4}


def test_a_run_made_for_this_process_is_not_taken_by_a_worker(store):
    run_id = store.create_run("count", {"epochs": 1}, queue=False)
    assert job_queue.claim(store, "some worker") is None
    assert run_job(store, run_id, SAMPLE_KINDS).status == "done"
    with pytest.raises(StoreError, match="is done"):
        run_job(store, run_id, SAMPLE_KINDS)


def test_a_users_mistake_is_told_and_a_fault_of_ours_is_not_shown(store, caplog):
    mistake = run_here(store, "fail", {"error": "user"})
    assert mistake.status == "failed"
    assert mistake.error.startswith("lr must be positive, got -1")
    with caplog.at_level(logging.ERROR):
        fault = run_here(store, "fail", {"error": "ours"})
    assert "secret detail" not in fault.error
    number = fault.error.rstrip(".").split()[-1]
    assert number in caplog.text  # the id of the message leads to the traceback
    assert "secret detail" in caplog.text
    assert len(store.events(fault.id)) == 1  # what it had told is kept


def test_an_unknown_kind_fails_and_names_the_known_ones(store):
    run = run_here(store, "os:system", {})
    assert run.status == "failed"
    assert "count" in run.error
    assert all(target.target.startswith("anyloss_core.") for target in KINDS.values())


def test_stop_ends_within_a_second_and_keeps_what_was_told(store):
    with running(store, "count", {"epochs": 10_000, "nap": 0.01}) as run_id:
        wait_for(lambda: store.run(run_id).done > 0)
        store.set_control(run_id, "stop")
        wait_for(lambda: store.run(run_id).status == "cancelled", seconds=1)
        told = len(store.events(run_id))
        assert 0 < told < 10_000
        assert store.run(run_id).done == told
        store.set_control(run_id, "run")  # too late: nothing happens
        assert store.run(run_id).status == "cancelled"


def test_a_job_may_round_off_what_it_has_when_stopped(store):
    with running(store, "keep", {}) as run_id:
        time.sleep(0.2)
        store.set_control(run_id, "stop")
        wait_for(lambda: store.run(run_id).status == "cancelled", seconds=1)
        assert 0 < store.get_result(run_id, "done") < 1000


def test_pause_holds_the_work_and_its_clock_and_run_goes_on(store):
    with running(store, "count", {"epochs": 10_000, "nap": 0.01}) as run_id:
        store.set_control(run_id, "pause")
        wait_for(lambda: store.run(run_id).status == "paused", seconds=1)
        before, told = store.run(run_id), len(store.events(run_id))
        time.sleep(1.3)  # long enough for a sign of life
        after = store.run(run_id)
        assert len(store.events(run_id)) == told
        assert after.seconds == pytest.approx(before.seconds, abs=0.05)
        assert job_queue.beats(store)[0].count > 0
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


def test_a_waiting_run_is_stopped_at_once_and_a_wrong_wish_is_refused(store):
    run_id = store.create_run("count", {"epochs": 1})
    with pytest.raises(StoreError, match="one of run, pause, step, stop"):
        store.set_control(run_id, "explode")
    store.set_control(run_id, "stop")
    assert store.run(run_id).status == "cancelled"
    assert job_queue.claim(store, "w") is None


def test_time_left_follows_the_pace_and_ignores_units_done_before(store):
    run_id = store.create_run("count", {})
    job_queue.claim(store, "w")
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
    job_queue.claim(store, "w")
    report = Report(store, run_id, "w")
    for epoch in range(500):
        report.event({"loss": epoch}, epoch)
        report.checkpoint()
    assert job_queue.beats(store)[0].count <= 4  # not 500 transactions
    report.flush()
    assert len(store.events(run_id)) == 500


def test_a_worker_that_was_given_up_cannot_disturb_its_successor(store):
    run_id = store.create_run("count", {})
    job_queue.claim(store, "old")
    old = Report(store, run_id, "old")
    old.event({"from": "old"})
    job_queue.give_up(store, "old", "hung")
    store.requeue(run_id)
    job_queue.claim(store, "new")
    time.sleep(0.11)
    with pytest.raises(Stopped):
        old.checkpoint()
    old.close("failed", "too late")
    assert store.run(run_id).status == "running"
    assert store.events(run_id) == []


def test_a_deleted_run_stops_its_job(store):
    run_id = store.create_run("count", {})
    job_queue.claim(store, "w")
    report = Report(store, run_id, "w")
    job_queue.give_up(store, "w", "gone")
    store.delete_run(run_id)
    time.sleep(0.11)
    with pytest.raises(Stopped):
        report.checkpoint()


def test_stop_passes_through_code_that_records_every_exception(store):
    run_id = store.create_run("count", {})
    job_queue.claim(store, "w")
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


def test_units_of_an_earlier_attempt_are_not_done_again_and_the_result_is_the_same(store):
    whole = run_here(store, "units", {"units": 8})
    run_id = store.create_run("units", {"units": 8}, queue=False)
    for number in (0, 1, 5):
        store.put_unit(run_id, str(number), {"square": number**2, "pid": -1})
    resumed = run_job(store, run_id, SAMPLE_KINDS)
    assert resumed.status == "done"
    assert store.get_result(run_id, "sum") == store.get_result(whole.id, "sum") == 140
    old = {unit.key for unit in store.units(run_id) if unit.payload["pid"] == -1}
    assert old == {"0", "1", "5"}


def test_a_failed_unit_is_kept_with_its_reason_and_does_not_stop_the_rest(store):
    run = run_here(store, "units", {"units": 4, "bad": 2})
    assert [(unit.key, unit.reason) for unit in store.units(run.id, "failed")] == [
        ("2", "one class only")
    ]
    assert store.get_result(run.id, "sum") == 0 + 1 + 9


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
    job_queue.claim(store, "w")
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


def test_owners_take_turns(store):
    ids = {store.create_run("count", {}, owner=owner): f"{owner}{number}" for owner, number in
           [("a", 1), ("a", 2), ("a", 3), ("b", 1), ("b", 2), ("c", 1)]}  # fmt: skip
    waiting = sorted(ids, key=lambda run_id: job_queue.queue_position(store, run_id))
    assert [ids[run_id] for run_id in waiting] == ["a1", "b1", "c1", "a2", "b2", "a3"]
    served = []
    while run := job_queue.claim(store, "w"):
        served.append(ids[run.id])
        job_queue.finish(store, run.id, "w", "done")
    assert served == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert job_queue.queue_position(store, waiting[0]) is None


def test_a_run_is_claimed_once_however_many_ask(store):
    for _ in range(20):
        store.create_run("count", {})
    claimed = []

    def ask(name):
        while run := job_queue.claim(Store(store.home, 10), name):
            claimed.append(run.id)

    threads = [threading.Thread(target=ask, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 20


def test_a_lock_dies_with_its_process(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from anyloss_core.liveness import alive\n"
        "with alive(Path(sys.argv[1]), 'x'): print('held', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "held\n"
    assert is_alive(tmp_path, "x")
    assert is_alive(tmp_path, "x")  # looking does not break it
    child.kill()
    child.communicate()
    assert not is_alive(tmp_path, "x")
    with alive(tmp_path, "x"):
        assert is_alive(tmp_path, "x")  # also seen from the same process
    assert not is_alive(tmp_path, "x")


def test_runs_of_the_dead_are_marked_and_those_of_the_living_are_not(store):
    dead, living = store.create_run("count", {}), store.create_run("count", {})
    job_queue.claim(store, "dead", dead)
    with alive(store.home, "living"):
        job_queue.claim(store, "living", living)
        assert job_queue.mark_lost(store) == 1
        assert store.run(living).status == "running"
    run = store.run(dead)
    assert run.status == "interrupted"
    assert "resume it or delete it" in run.error


def test_an_interrupt_at_the_keyboard_leaves_the_run_to_be_resumed(store, monkeypatch):
    run_id = store.create_run("units", {"units": 5}, queue=False)
    put = store.put_unit

    def interrupted(*arguments, **options):
        put(*arguments, **options)
        if arguments[1] == "2":
            raise KeyboardInterrupt

    monkeypatch.setattr(store, "put_unit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_job(store, run_id, SAMPLE_KINDS)
    assert store.run(run_id).status == "interrupted"
    monkeypatch.undo()
    store.requeue(run_id, queue=False)
    assert run_job(store, run_id, SAMPLE_KINDS).status == "done"
    assert store.get_result(run_id, "sum") == 30
