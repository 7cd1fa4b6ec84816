"""A job tells, its run remembers, and the user's wishes arrive: pause, step, stop."""

import logging
import time

import pytest

from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import KINDS, Kind, check_no_files, perform, run_job
from anyloss_core.store.store import StoreError
from tests.sample_jobs import SAMPLE_KINDS, run_here, running, wait_for


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
    assert queue.claim(store, "some worker") is None
    assert run_job(store, run_id, SAMPLE_KINDS).status == "done"
    with pytest.raises(StoreError, match="is done"):
        run_job(store, run_id, SAMPLE_KINDS)


@pytest.mark.parametrize(
    "settings",
    [
        {"data": "file:/etc/passwd"},
        {"data": {"ref": " file:/etc/passwd?target=x"}},
        {"data": [{"name": "a", "reference": "file:/etc/passwd"}], "files": False},
        {"comparison": {"data": ["builtin:random", {"data": "file:a"}]}},
        {"files": True},
        {"files": {"titanic": "/etc/passwd"}},
    ],
)
def test_settings_that_name_files_of_the_machine_are_refused(settings):
    with pytest.raises(StoreError, match="on the command line only"):
        check_no_files(settings)


def test_settings_that_only_look_like_it_are_not_refused():
    name = "file:of mine.csv"  # what a visitor called a table
    check_no_files({"data": [{"name": name, "reference": f"upload:{'0' * 32}"}], "files": False})
    check_no_files({"data": "builtin:random", "csv": {"4": "0" * 32}, "title": name})


def test_only_this_process_may_open_files_and_no_worker(store):
    kinds = {"allowed": Kind(f"{__name__}:_allowed")}
    here = run_job(store, store.create_run("allowed", {"files": True}, queue=False), kinds)
    there = store.create_run("allowed", {"files": True})
    perform(store, queue.claim(store, "w", there), "w", kinds)
    assert store.get_result(here.id, "files") is True
    assert store.get_result(there, "files") is False


def _allowed(settings, report):
    report.result("files", report.files)


def test_a_run_whose_settings_cannot_be_read_fails_in_words(store):
    run_id = store.create_run("count", {"epochs": 1}, queue=False)
    with store.database.write() as connection:
        connection.execute("UPDATE runs SET settings = '{' WHERE id = ?", (run_id,))
    run = run_job(store, run_id, SAMPLE_KINDS)
    assert run.status == "failed"
    assert run.error.startswith("its settings cannot be read")


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
