"""A worker process as its supervisor sees it."""

import signal

from anyloss_core.jobs import worker_process
from anyloss_core.jobs.queue import Beat
from anyloss_core.jobs.worker_process import LONGEST_LOOK, RunTimes, WorkerProcess, describe_death


def test_the_reason_of_a_death_is_told_in_words():
    assert "memory" in describe_death(-signal.SIGKILL)
    assert "disk was full" in describe_death(74)
    assert "code 3" in describe_death(3)


def beat(run_id="r", status="running", wanted="run", count=1):
    return Beat(run_id, "train", "w", status, wanted, count)


def test_time_is_counted_for_what_a_run_does():
    times = RunTimes()
    times.see(beat(count=1), 1.0)
    times.see(beat(count=2), 2.0)
    assert (times.active, times.silent, times.paused, times.stopping) == (3.0, 0.0, 0.0, 0.0)
    times.see(beat(count=2), 1.5)  # no sign of life since
    times.see(beat(count=2, wanted="stop"), 0.5)
    assert (times.active, times.silent, times.stopping) == (5.0, 2.0, 0.5)


def test_a_pause_counts_on_its_own_and_ends_with_the_work_that_goes_on():
    times = RunTimes()
    times.see(beat(count=1), 1.0)
    times.see(beat(count=2, status="paused"), 1.5)
    assert (times.active, times.paused) == (1.0, 1.5)
    times.see(beat(count=3), 2.0)
    assert (times.active, times.paused) == (3.0, 0.0)


def test_each_run_of_a_worker_has_times_of_its_own_and_another_begins_at_nothing():
    worker = WorkerProcess("w", process=None, born=0.0)
    worker.see([beat("first", wanted="stop"), beat("second")], 1.0)
    worker.see([beat("second", count=2), beat("third")], 1.5)
    assert set(worker.times) == {"second", "third"}
    assert (worker.times["second"].active, worker.times["second"].stopping) == (2.5, 0.0)
    assert worker.times["third"].active == 1.5


def test_a_look_that_comes_late_counts_as_a_short_one():
    times = RunTimes()
    times.see(beat(count=1), 0.2)
    times.see(beat(count=1, wanted="stop"), 300.0)  # the machine was asleep
    assert max(times.active, times.silent, times.stopping) <= 0.2 + LONGEST_LOOK


def test_a_log_that_has_grown_too_long_is_begun_anew(store, monkeypatch):
    monkeypatch.setattr(worker_process, "MAX_LOG_BYTES", 10)
    for text in (b"old" * 10, b"new"):
        with worker_process.open_log(store.home) as log:
            log.write(text)
    assert (store.home / "workers.log").read_bytes() == b"new"
    assert (store.home / "workers.old.log").read_bytes() == b"old" * 10
