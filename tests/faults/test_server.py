"""The real server is killed, its visitors leave, its disk fills up: nothing finished is lost.

A real Streamlit server with its job server and workers; the visitors speak its websocket.
"""

import signal
import subprocess
import time
from contextlib import ExitStack, suppress

import psutil
import pytest

from anyloss_core.comparison.job import load_comparison
from anyloss_core.jobs import queue
from anyloss_core.store.store import Store
from pages.ui.base.visitor import COOKIE
from tests.browser.server import running_process
from tests.load.session import Session
from tests.sample_jobs import wait_for

PATIENCE = 120.0
DATA = "synthetic:rows=400,features=4,imbalance=4,seed=2"
QUICK = {"data": DATA, "epochs": 20, "folds": 3, "losses": "anyloss:f1;bce"}
LONG = QUICK | {"epochs": 5000, "folds": 20, "repeats": 10}
SLOW = {"data": DATA, "epochs": 3000, "pace": "slow"}
SUITE = {"suite": "synthetic", "folds": 3, "epochs": 300, "losses": "bce;anyloss:f1", "workers": 2}


class Lab:
    """A server, its store and its visitors."""

    def __init__(self, home):
        self.home = home
        self.stack = ExitStack()
        self.process, self.address = self.stack.enter_context(running_process(home))
        self.store = Store(home)

    def start(self, page, button, **settings):
        """The id of a run that a visitor has started, and the visitor."""
        visitor = Session(self.address)
        self.stack.callback(visitor.leave)
        visitor.open(page, **settings).press(button)
        assert visitor.setting("run"), visitor.text()
        return visitor.setting("run"), visitor

    def family(self):
        return psutil.Process(self.process.pid).children(recursive=True)

    def kill(self):
        """kill -9, and wait until all that the server started has gone."""
        family = self.family()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        wait_for(lambda: not any(map(lives, family)), seconds=15)
        return family

    def close(self):
        self.stack.close()
        self.store.close()


def lives(process):
    with suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One server for the tests that leave it alive."""
    lab = Lab(tmp_path_factory.mktemp("shared"))
    yield lab
    family = lab.family()
    lab.close()
    wait_for(lambda: not any(map(lives, family)), seconds=15)


@pytest.fixture
def open_lab(tmp_path):
    labs = []

    def open_one(home=tmp_path):
        labs.append(Lab(home))
        return labs[-1]

    yield open_one
    for lab in labs:
        family = lab.family() if lab.process.poll() is None else []
        lab.close()
        wait_for(lambda family=family: not any(map(lives, family)), seconds=15)


def fill(path):
    """Write until nothing more fits on the disk."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1000)):
            pass


def wait_for_status(lab, run_id, *status):
    wait_for(lambda: lab.store.run(run_id).status in status, seconds=PATIENCE)


def test_kill_9_in_the_middle_of_a_benchmark_a_comparison_and_a_live_run(open_lab):
    lab = open_lab()
    finished, _ = lab.start("compare", "Compare", **QUICK)
    wait_for_status(lab, finished, "done")
    scores = load_comparison(lab.store, finished).scores
    benchmark, owner = lab.start("many", "Start", **SUITE)
    wait_for(lambda: len(lab.store.finished_unit_keys(benchmark)) >= 1, seconds=PATIENCE)
    live, visitor = lab.start("train", "Start", **SLOW)
    wait_for(lambda: len(lab.store.events(live)) > 3, seconds=PATIENCE)
    visitor.press("Pause")  # after a while its state is kept and its thread ends
    wait_for(lambda: live not in {beat.run_id for beat in queue.beats(lab.store)}, PATIENCE)
    comparison, _ = lab.start("compare", "Compare", **LONG)
    wait_for(lambda: lab.store.run(comparison).done > 0, seconds=PATIENCE)
    assert len(lab.kill()) >= 4  # three workers, and the processes of the benchmark
    told = len(lab.store.events(live))
    units = lab.store.finished_unit_keys(benchmark)

    again = open_lab(lab.home)
    Session(again.address).open("compare", run=comparison).leave()
    for run_id in (benchmark, comparison):
        wait_for_status(again, run_id, "interrupted")
    assert again.store.run(finished).status == "done"
    assert load_comparison(again.store, finished).scores.equals(scores)
    assert len(again.store.events(live)) == told
    assert again.store.events(live)[-1].epoch > 3
    again.store.set_control(live, "step")  # a pause outlives the server
    wait_for(lambda: len(again.store.events(live)) == told + 1, seconds=PATIENCE)
    again.store.set_control(live, "stop")
    wait_for_status(again, live, "cancelled")
    assert again.store.finished_unit_keys(benchmark) == units

    known = {COOKIE: owner.cookies[COOKIE]}  # the same browser comes back
    visitor = Session(again.address, **known).open("many", run=benchmark)
    assert "Interrupted" in visitor.text()
    visitor.press("Resume").leave()
    wait_for(lambda: again.store.finished_unit_keys(benchmark) > units, seconds=PATIENCE)
    again.store.set_control(benchmark, "stop")
    wait_for_status(again, benchmark, "cancelled")
    for run_id in (live, comparison):
        again.store.delete_run(run_id)
    assert {run.id for run in again.store.runs()} == {finished, benchmark}


def test_a_run_goes_on_when_every_browser_is_closed_and_is_found_again(shared):
    lab = shared
    run_id, visitor = lab.start("compare", "Compare", **QUICK | {"epochs": 2000})
    wait_for_status(lab, run_id, "running", "done")
    visitor.leave()
    wait_for_status(lab, run_id, "done")
    reader = Session(lab.address).open("compare", run=run_id)
    assert "Done after" in reader.text()
    assert "AnyLoss-F1" in reader.text()
    reader.leave()


def test_a_worker_killed_for_memory_costs_its_run_and_nothing_else(shared):
    lab = shared
    run_id, owner = lab.start("compare", "Compare", **LONG)
    wait_for(lambda: lab.store.run(run_id).done > 0, seconds=PATIENCE)
    name = next(beat.worker for beat in queue.beats(lab.store) if beat.run_id == run_id)
    worker = next(process for process in lab.family() if name in process.cmdline())
    worker.send_signal(signal.SIGKILL)  # as the system does when memory runs out
    wait_for_status(lab, run_id, "interrupted")
    assert "memory ran out" in lab.store.run(run_id).error
    reader = Session(lab.address).open("compare", run=run_id)
    assert "memory ran out" in reader.text()
    assert not reader.has("Resume")  # which is its owner's
    reader.leave()
    assert owner.open("compare", run=run_id).has("Resume")
    other, _ = lab.start("compare", "Compare", **QUICK)
    wait_for_status(lab, other, "done")


def test_a_full_disk_is_told_and_everything_finished_is_there_afterwards(open_lab, tmp_path):
    home = tmp_path / "disk"
    home.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(home)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    lab = None
    try:
        lab = open_lab(home)
        finished, _ = lab.start("compare", "Compare", **QUICK)
        wait_for_status(lab, finished, "done")
        ballast = home / "ballast"
        fill(ballast)
        visitor = Session(lab.address).open("compare", **QUICK | {"seed": 7})
        visitor.press("Compare")
        assert "full" in visitor.text()
        assert "wrong here" not in visitor.text()
        assert not visitor.setting("run")
        ballast.unlink()
        visitor.press("Compare")
        wait_for_status(lab, visitor.setting("run"), "done")
        visitor.leave()
        assert load_comparison(lab.store, finished) is not None
    finally:
        if lab is not None:
            lab.close()
        subprocess.run(["umount", "-l", str(home)], check=True)


def test_a_locked_store_is_waited_for(shared):
    lab = shared
    run_id, visitor = lab.start("compare", "Compare", **QUICK | {"epochs": 1000})
    with lab.store.database.write():
        time.sleep(3.0)
        assert "wrong here" not in visitor.open("compare", run=run_id).text()
    wait_for_status(lab, run_id, "done")
    wait_for(lambda: load_comparison(lab.store, run_id) is not None)
