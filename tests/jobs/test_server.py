"""The supervisor replaces what dies, ends what hangs, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from anyloss_core.jobs import processes, queue
from anyloss_core.jobs.server import JobServer, Limits
from anyloss_core.store import rows
from anyloss_core.store.store import StoreError
from tests.sample_jobs import SAMPLE_KINDS, wait_for

ROOT = Path(__file__).parents[2]
FOREVER = {"epochs": 100_000, "nap": 0.01}


@pytest.fixture
def serve(store):
    """Start servers that end with the test."""
    servers = []

    def start(workers=1, kinds=SAMPLE_KINDS, **limits):
        servers.append(JobServer(store, workers, kinds, Limits(**limits)).start())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
        assert worker_ids(server) == []


def worker_ids(server):
    """Process ids of the workers that live."""
    return [worker.process.pid for worker in server._pool if worker.process.poll() is None]


def wait_for_status(store, run_id, status, seconds=10.0):
    wait_for(lambda: store.run(run_id).status == status, seconds)


def lives(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_what_names_a_file_is_neither_queued_nor_taken_up(store):
    server = JobServer(store, kinds=SAMPLE_KINDS)
    settings = {"units": 1, "data": "file:/etc/passwd"}
    with pytest.raises(StoreError, match="on the command line only"):
        server.submit("units", settings)
    run_id = store.create_run("units", settings, queue=False)
    with pytest.raises(StoreError, match="on the command line only"):
        server.resume(run_id)
    assert store.run(run_id).status == "interrupted"


def test_a_run_is_taken_up_for_its_owner_alone(store):
    server = JobServer(store, kinds=SAMPLE_KINDS)
    run_id = store.create_run("units", {"units": 1}, owner="anna", queue=False)
    with pytest.raises(StoreError, match="somebody else's"):
        server.resume(run_id, ["ben", ""])
    server.resume(run_id, ["anna"])
    assert store.run(run_id).status == "queued"


def test_a_submitted_run_is_done_by_a_process_of_the_server(store, serve):
    server = serve(workers=2)
    server.start()  # a second start changes nothing
    run_id = server.submit("units", {"units": 3}, title="three", owner="anna")
    wait_for_status(store, run_id, "done")
    assert store.units(run_id)[0].payload["pid"] in worker_ids(server)
    assert len(worker_ids(server)) == 2
    assert os.getpid() not in worker_ids(server)


def test_no_more_runs_work_at_once_than_there_are_workers(store, serve):
    server = serve(workers=2)
    ids = [server.submit("count", FOREVER, owner=f"o{n}") for n in range(4)]
    wait_for(lambda: len(queue.beats(store)) == 2)
    time.sleep(0.5)
    assert len(queue.beats(store)) == 2
    assert [server.queue_position(run_id) for run_id in ids] == [None, None, 1, 2]
    store.set_control(ids[0], "stop")
    wait_for_status(store, ids[2], "running")


def test_a_paused_run_does_not_keep_others_from_working(store, serve):
    server = serve(workers=1)
    paused = server.submit("count", FOREVER)
    wait_for_status(store, paused, "running")
    store.set_control(paused, "pause")
    wait_for_status(store, paused, "paused", 2)
    other = server.submit("count", {"epochs": 3})
    wait_for_status(store, other, "done")
    store.set_control(paused, "run")
    wait_for_status(store, paused, "running", 2)
    wait_for(lambda: len(worker_ids(server)) == 1)  # the spare one has left
    assert store.run(paused).status == "running"


def test_long_runs_leave_one_worker_to_the_short_ones(store, serve):
    kinds = SAMPLE_KINDS | {"units": replace(SAMPLE_KINDS["units"], long=True)}
    server = serve(workers=2, kinds=kinds)
    first, second = (server.submit("units", {"units": 1000, "nap": 0.05}) for _ in range(2))
    wait_for_status(store, first, "running")
    short = server.submit("count", {"epochs": 3})
    wait_for_status(store, short, "done")
    assert store.run(second).status == "queued"
    store.set_control(first, "stop")
    wait_for_status(store, second, "running")


def test_a_single_worker_takes_long_runs_too(store, serve):
    kinds = {"units": replace(SAMPLE_KINDS["units"], long=True)}
    run_id = serve(workers=1, kinds=kinds).submit("units", {"units": 1})
    wait_for_status(store, run_id, "done")


def test_a_pause_that_nobody_ends_is_ended(store, serve):
    server = serve(pause_seconds=0.5)
    run_id = server.submit("count", FOREVER)
    store.set_control(run_id, "pause")
    wait_for_status(store, run_id, "cancelled")


def test_a_killed_worker_is_replaced_and_its_run_can_be_resumed(store, serve):
    server = serve()
    run_id = server.submit("units", {"units": 12, "nap": 0.1})
    wait_for(lambda: len(store.finished_unit_keys(run_id)) >= 3)
    before = worker_ids(server)
    os.kill(before[0], signal.SIGKILL)
    wait_for_status(store, run_id, "interrupted", 3)
    assert "memory ran out" in store.run(run_id).error
    kept = {unit.key for unit in store.units(run_id)}
    store.requeue(run_id)
    wait_for_status(store, run_id, "done")
    assert worker_ids(server) != before
    assert store.get_result(run_id, "sum") == sum(n * n for n in range(12))
    first = {unit.key for unit in store.units(run_id) if unit.payload["pid"] == before[0]}
    assert first == kept  # none of the finished was done again


def test_what_a_killed_worker_had_started_ends_too(store, serve):
    server = serve()
    run_id = server.submit("children", {})
    wait_for(lambda: store.get_result(run_id, "pids"))
    worker, child = store.get_result(run_id, "pids")
    os.kill(worker, signal.SIGKILL)
    wait_for(lambda: not lives(child), seconds=3)


def test_without_process_groups_a_worker_ends_with_all_it_started(store, serve, monkeypatch):
    monkeypatch.setattr(processes, "GROUPS", False)  # what runs now is what Windows runs
    server = serve()
    run_id = server.submit("children", {})
    wait_for(lambda: store.get_result(run_id, "pids"))
    pids = store.get_result(run_id, "pids")
    server.stop()
    assert store.run(run_id).status == "interrupted"
    wait_for(lambda: not any(map(lives, pids)), seconds=3)


def test_a_run_over_its_time_limit_is_ended_with_the_reason(store, serve):
    kinds = SAMPLE_KINDS | {"count": replace(SAMPLE_KINDS["count"], limit_seconds=0.5)}
    server = serve(kinds=kinds)
    run_id = server.submit("count", FOREVER)
    wait_for_status(store, run_id, "failed")
    assert "limit of 0.5 seconds" in store.run(run_id).error
    assert store.events(run_id)
    wait_for_status(store, server.submit("units", {"units": 1}), "done")


def test_a_job_that_hangs_is_ended_with_the_reason(store, serve):
    server = serve(hang_seconds=0.5)
    run_id = server.submit("hang", {})
    wait_for_status(store, run_id, "interrupted")
    assert "no sign of life for 0.5 seconds" in store.run(run_id).error
    assert store.run(run_id).resumable


def test_a_paused_run_does_not_count_as_hanging(store, serve):
    server = serve(hang_seconds=1.8)
    run_id = server.submit("count", FOREVER)
    store.set_control(run_id, "pause")
    wait_for_status(store, run_id, "paused")
    time.sleep(2.5)
    assert store.run(run_id).status == "paused"


def test_a_job_that_ignores_a_stop_is_ended(store, serve):
    server = serve(stop_seconds=0.5)
    run_id = server.submit("hang", {})
    wait_for(lambda: store.run(run_id).message == "hanging")
    store.set_control(run_id, "stop")
    wait_for_status(store, run_id, "cancelled", 3)


def test_stopping_the_server_interrupts_what_is_at_work_and_keeps_the_queue(store, serve):
    server = serve()
    working = server.submit("count", FOREVER)
    waiting = server.submit("count", {"epochs": 1})
    wait_for_status(store, working, "running")
    pids = worker_ids(server)
    server.stop()
    assert store.run(working).status == "interrupted"
    assert store.run(waiting).status == "queued"
    assert not any(map(lives, pids))
    server.start()
    wait_for_status(store, waiting, "done")


def test_workers_use_one_thread(store, serve):
    server = serve()
    run_id = server.submit("threads", {})
    wait_for_status(store, run_id, "done", 60)
    assert store.get_result(run_id, "threads") == 1


def test_unknown_kinds_and_too_many_waiting_runs_are_refused(store):
    server = JobServer(store, 1, SAMPLE_KINDS, Limits(waiting_per_owner=2))  # not started
    with pytest.raises(StoreError, match="kind must be one of count"):
        server.submit("os:system", {})
    server.submit("count", {}, owner="anna")
    server.submit("count", {}, owner="anna")
    with pytest.raises(StoreError, match="2 of your runs are waiting"):
        server.submit("count", {}, owner="anna")
    server.submit("count", {}, owner="ben")


def test_resuming_is_refused_as_submitting_is(store):
    server = JobServer(store, 1, SAMPLE_KINDS, Limits(waiting_per_owner=1))  # not started
    stopped = server.submit("count", {}, owner="anna")
    store.set_control(stopped, "stop")
    server.submit("count", {}, owner="anna")
    with pytest.raises(StoreError, match="1 of your runs are waiting"):
        server.resume(stopped)


def test_an_owner_whose_runs_take_all_the_room_begins_no_other(store, monkeypatch):
    server = JobServer(store, 1, SAMPLE_KINDS)  # not started
    store.keep_finished("count", {}, {"x": "y" * 500}, "t", "anna")
    monkeypatch.setattr(rows, "QUOTA_BYTES", 1)
    with pytest.raises(StoreError, match="delete some"):
        server.submit("count", {}, owner="anna")
    server.submit("count", {}, owner="ben")


def test_paused_trainings_of_an_owner_do_not_pile_up(store):
    server = JobServer(store, 1, SAMPLE_KINDS, Limits(put_away_per_owner=2))  # not started
    for _ in range(2):
        run_id = server.submit("count", {}, owner="anna")
        queue.claim(store, "w")
        store.set_control(run_id, "pause")
        queue.put_away(store, run_id, "w")
        assert store.run(run_id).status == "paused"
    with pytest.raises(StoreError, match="2 of your trainings are paused; stop some"):
        server.submit("count", {}, owner="anna")
    server.submit("count", {}, owner="ben")
    store.set_control(run_id, "stop")
    server.submit("count", {}, owner="anna")


def test_workers_that_cannot_start_are_not_started_in_a_rush(store, serve, monkeypatch):
    started = []
    original = JobServer._start_worker

    def broken(self, quick):
        started.append(time.monotonic())
        worker = original(self, quick)
        worker.process.kill()
        return worker

    monkeypatch.setattr(JobServer, "_start_worker", broken)
    serve()
    time.sleep(2.5)
    assert 1 < len(started) <= 4  # after 1 s, then 2 s, ...; not ten a second


SERVER = """
import sys, time
from anyloss_core.jobs.server import JobServer
from anyloss_core.store.store import Store
from tests.sample_jobs import SAMPLE_KINDS
server = JobServer(Store(sys.argv[1]), 2, SAMPLE_KINDS).start()
print("ready", flush=True)
time.sleep(600)
"""


def test_after_kill_9_of_the_server_nothing_runs_on_and_everything_can_go_on(store, serve):
    command = [sys.executable, "-c", SERVER, str(store.home)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    process.stdout.readline()
    finished = store.create_run("count", {"epochs": 3})
    wait_for_status(store, finished, "done")
    child_run = store.create_run("children", {})
    wait_for(lambda: store.get_result(child_run, "pids"))
    units = store.create_run("units", {"units": 10, "nap": 0.1})
    wait_for(lambda: len(store.finished_unit_keys(units)) >= 2)
    family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 3  # two workers, and what one of them started
    process.kill()
    process.communicate()
    wait_for(lambda: not any(map(lives, [member.pid for member in family])), seconds=3)

    assert store.run(units).status == "running"  # nobody was left to say otherwise
    serve()
    wait_for_status(store, units, "interrupted")
    assert store.run(child_run).status == "interrupted"
    assert store.run(finished).status == "done"
    assert len(store.events(finished)) == 3
    store.delete_run(child_run)
    kept = store.finished_unit_keys(units)
    store.requeue(units)
    wait_for_status(store, units, "done")
    assert len(kept) >= 2
    assert store.get_result(units, "sum") == sum(n * n for n in range(10))


def test_two_servers_on_one_store_leave_each_others_runs_alone(store, serve):
    server = serve()
    run_id = server.submit("count", FOREVER)
    wait_for_status(store, run_id, "running")
    serve(workers=0)
    time.sleep(0.6)
    assert store.run(run_id).status == "running"


def test_the_log_and_locks_are_for_the_user_alone(store, serve):
    server = serve()
    wait_for_status(store, server.submit("fail", {"error": "ours"}), "failed")
    log = store.home / "workers.log"
    assert "secret detail" in log.read_text()
    for path in store.home.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
