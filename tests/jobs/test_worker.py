"""A worker process takes runs, stays warm, and ends with its server."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from anyloss_core.store.store import Store
from tests.sample_jobs import SAMPLE_KINDS, wait_for

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "home")
    yield store
    store.close()


@contextmanager
def worker(store, kinds=SAMPLE_KINDS):
    """A worker whose pipe we hold."""
    command = [sys.executable, "-m", "anyloss_core.jobs.worker", "--home", str(store.home)]
    command += [f"--kind={name}={kind.target}" for name, kind in kinds.items()]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, start_new_session=True)
    yield process
    process.kill()
    process.communicate()


def test_it_takes_one_run_after_another_in_the_same_process(store):
    ids = [store.create_run("units", {"units": 2}) for _ in range(3)]
    with worker(store) as process:
        wait_for(lambda: not any(store.run(run_id).active for run_id in ids))
        assert {store.run(run_id).status for run_id in ids} == {"done"}
        pids = {unit.payload["pid"] for run_id in ids for unit in store.units(run_id)}
        assert pids == {process.pid}


def test_it_stands_behind_the_server_that_visitors_wait_for(store):
    with worker(store) as process:
        wait_for(lambda: psutil.Process(process.pid).nice() != psutil.Process().nice())


def test_it_survives_a_job_that_raises(store):
    bad, good = (
        store.create_run("fail", {"error": "ours"}),
        store.create_run("count", {"epochs": 1}),
    )
    with worker(store) as process:
        wait_for(lambda: not store.run(good).active)
        assert store.run(bad).status == "failed"
        assert store.run(good).status == "done"
        assert process.poll() is None


def test_it_ends_at_once_with_all_it_started_when_the_pipe_closes(store):
    run_id = store.create_run("children", {})
    with worker(store) as process:
        wait_for(lambda: store.get_result(run_id, "pids"))
        pids = store.get_result(run_id, "pids")
        assert pids[0] == process.pid
        process.stdin.close()
        process.wait(2)
        wait_for(lambda: not _lives(pids[1]), seconds=2)
    assert list((store.home / "workers").iterdir()) == []


def test_asked_to_leave_it_finishes_the_run_at_hand(store):
    run_id = store.create_run("count", {"epochs": 30, "nap": 0.02})
    with worker(store) as process:
        wait_for(lambda: store.run(run_id).status == "running")
        process.stdin.write(b"q")
        process.stdin.flush()
        assert process.wait(5) == 0
    assert store.run(run_id).status == "done"
    assert list((store.home / "workers").iterdir()) == []


def test_linux_would_choose_it_when_memory_runs_out(store):
    score = Path("/proc/self/oom_score_adj")
    if not score.exists():
        pytest.skip("only Linux has it")
    with worker(store) as process:
        own = Path(f"/proc/{process.pid}/oom_score_adj")
        wait_for(lambda: int(own.read_text()) > int(score.read_text()))


def _lives(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_importing_it_needs_no_torch():
    code = "import sys, anyloss_core.jobs.worker, anyloss_core.jobs.server\n"
    code += "print('torch' in sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
