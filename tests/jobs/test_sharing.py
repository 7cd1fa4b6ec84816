"""Many runs side by side in one process: turns, owners, pauses, hangs, kills, frozen time."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from anyloss_core.jobs import queue
from anyloss_core.jobs.report import LINGER_SECONDS
from anyloss_core.jobs.server import JobServer, Limits
from tests.sample_jobs import SAMPLE_KINDS, SHARED_KINDS, wait_for

ROOT = Path(__file__).parents[2]
KINDS = SHARED_KINDS | {"units": SAMPLE_KINDS["units"]}
LONG = {"steps": 100_000, "nap": 0.01}


@pytest.fixture
def serve(store):
    servers = []

    def start(workers=2, kinds=KINDS, **limits):
        servers.append(JobServer(store, workers, kinds, Limits(**limits)).start())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def processes_of(store, *ids):
    return {event.payload["pid"] for run_id in ids for event in store.events(run_id)}


def statuses(store, ids):
    return [store.run(run_id).status for run_id in ids]


def test_ten_trainings_go_on_side_by_side_in_one_process_and_leave_the_workers_free(store, serve):
    server = serve()
    ids = [server.submit("tally", LONG, owner=f"o{n}") for n in range(10)]
    wait_for(lambda: all(store.run(run_id).done > 3 for run_id in ids), 20)
    assert set(statuses(store, ids)) == {"running"}
    assert len(processes_of(store, *ids)) == 1
    others = [server.submit("units", {"units": 2}, owner=f"o{n}") for n in range(2)]
    wait_for(lambda: statuses(store, others) == ["done", "done"])
    for run_id in ids:
        store.set_control(run_id, "stop")
    wait_for(lambda: set(statuses(store, ids)) == {"cancelled"})


def test_an_owner_has_two_at_once_and_the_third_says_when_it_starts(store, serve):
    server = serve()
    mine = [server.submit("tally", LONG | {"steps": 5000}, owner="a") for _ in range(3)]
    wait_for(lambda: statuses(store, mine) == ["running", "running", "queued"])
    other = server.submit("tally", LONG, owner="b")
    wait_for(lambda: store.run(other).status == "running")
    time.sleep(0.5)
    assert statuses(store, mine) == ["running", "running", "queued"]
    assert 5 < server.waiting_seconds(mine[2]) < 500
    store.set_control(mine[1], "stop")
    wait_for(lambda: store.run(mine[2]).status == "running")


def test_ten_paused_runs_hold_nothing_and_each_is_stepped_within_a_second(store, serve):
    server = serve()
    ids = [server.submit("tally", LONG, owner=f"o{n}") for n in range(10)]
    wait_for(lambda: all(store.run(run_id).done > 3 for run_id in ids), 20)
    for run_id in ids:
        store.set_control(run_id, "pause")
    wait_for(lambda: not queue.beats(store), LINGER_SECONDS + 10)
    assert set(statuses(store, ids)) == {"paused"}
    assert len(server._pool) == 3  # no spare worker was ever needed
    before = store.run(ids[0]).done
    store.set_control(ids[0], "step")
    wait_for(lambda: store.run(ids[0]).done == before + 1, 2)
    server.stop()  # a pause outlives the server
    serve()
    store.set_control(ids[1], "run")
    wait_for(lambda: store.run(ids[1]).status == "running")


def test_a_run_that_hangs_is_ended_and_its_neighbours_go_on(store, serve):
    server = serve(hang_seconds=1.5)
    neighbour = server.submit("tally", LONG, owner="a")
    wait_for(lambda: store.run(neighbour).done > 3)
    hanging = server.submit("hang", {}, owner="b")
    wait_for(lambda: store.run(hanging).status == "interrupted")
    assert "no sign of life" in store.run(hanging).error
    assert store.run(neighbour).status == "running"
    later = server.submit("tally", LONG, owner="c")  # the old process takes no more
    wait_for(lambda: store.run(later).done > 3)
    old, new = processes_of(store, neighbour), processes_of(store, later)
    assert old != new
    store.set_control(neighbour, "stop")
    wait_for(lambda: not _lives(*old))  # though a thread of it still hangs
    assert store.run(later).status == "running"


def test_a_run_over_its_limit_costs_its_neighbours_nothing(store, serve):
    limited = KINDS | {"count": replace(KINDS["count"], limit_seconds=0.8)}
    server = serve(kinds=limited)
    neighbour = server.submit("tally", LONG, owner="a")
    over = server.submit("count", {"epochs": 10_000, "nap": 0.01}, owner="b")
    wait_for(lambda: store.run(over).status == "failed")
    assert "limit of 0.8 seconds" in store.run(over).error
    told = store.run(neighbour).done
    wait_for(lambda: store.run(neighbour).done > told)


def test_a_killed_worker_interrupts_all_its_runs_and_they_can_be_resumed(store, serve):
    server = serve()
    ids = [server.submit("tally", LONG | {"steps": 300}, owner=f"o{n}") for n in range(3)]
    wait_for(lambda: all(store.run(run_id).done > 3 for run_id in ids), 20)
    os.kill(processes_of(store, *ids).pop(), signal.SIGKILL)
    wait_for(lambda: set(statuses(store, ids)) == {"interrupted"})
    for run_id in ids:
        store.requeue(run_id)
    wait_for(lambda: set(statuses(store, ids)) == {"done"}, 30)
    assert [event.epoch for event in store.events(ids[0])] == list(range(1, 301))


def _lives(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


SERVER = """
import sys, time
from dataclasses import replace
from anyloss_core.jobs.server import JobServer, Limits
from anyloss_core.store.store import Store
from tests.sample_jobs import SAMPLE_KINDS
kinds = {name: replace(kind, limit_seconds=6.0) for name, kind in SAMPLE_KINDS.items()}
limits = Limits(hang_seconds=6.0, stop_seconds=6.0, pause_seconds=6.0)
server = JobServer(Store(sys.argv[1]), 2, kinds, limits).start()
time.sleep(600)
"""


def test_a_frozen_machine_costs_no_run(store):
    """All processes are stopped for longer than any limit, as a sleep or `docker pause` does."""
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(store.home)], cwd=ROOT)
    try:
        working = store.create_run("count", {"epochs": 200, "nap": 0.01}, owner="a")
        paused = store.create_run("count", {"epochs": 200, "nap": 0.01}, owner="b")
        wait_for(lambda: store.run(working).done > 3 and store.run(paused).done > 3, 30)
        store.set_control(paused, "pause")
        wait_for(lambda: store.run(paused).status == "paused")
        family = psutil.Process(server.pid).children(recursive=True)
        everybody = [psutil.Process(server.pid), *family]
        for process in everybody:
            process.suspend()
        time.sleep(8.0)
        for process in everybody:
            process.resume()
        wait_for(lambda: store.run(working).status == "done", 20)
        assert store.run(paused).status == "paused"
        store.set_control(paused, "run")
        wait_for(lambda: store.run(paused).status == "done", 20)
    finally:
        server.kill()
        server.wait()
