"""A worker process as its supervisor sees it."""

import signal

from anyloss_core.jobs import worker_process
from anyloss_core.jobs.queue import Beat
from anyloss_core.jobs.worker_process import RunTimes, describe_death


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
    times.see(beat(count=2), 4.0)  # no sign of life since
    times.see(beat(count=2, wanted="stop"), 8.0)
    assert (times.active, times.silent, times.stopping) == (15.0, 12.0, 8.0)


def test_a_pause_counts_on_its_own_and_ends_with_the_work_that_goes_on():
    times = RunTimes()
    times.see(beat(count=1), 1.0)
    times.see(beat(count=2, status="paused"), 5.0)
    assert (times.active, times.paused) == (1.0, 5.0)
    times.see(beat(count=3), 2.0)
    assert (times.active, times.paused) == (3.0, 0.0)


def test_another_run_begins_at_nothing():
    times = RunTimes()
    times.see(beat("first", wanted="stop"), 9.0)
    times.see(beat("second"), 1.0)
    assert (times.run_id, times.active, times.stopping) == ("second", 1.0, 0.0)


def test_a_log_that_has_grown_too_long_is_begun_anew(store, monkeypatch):
    monkeypatch.setattr(worker_process, "MAX_LOG_BYTES", 10)
    for text in (b"old" * 10, b"new"):
        with worker_process.open_log(store.home) as log:
            log.write(text)
    assert (store.home / "workers.log").read_bytes() == b"new"
    assert (store.home / "workers.old.log").read_bytes() == b"old" * 10
