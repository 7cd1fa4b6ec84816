"""When a waiting run starts: by the times of those at work and of those before it."""

import pytest

from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import Kind
from anyloss_core.jobs.queue import JobProgress
from anyloss_core.jobs.waiting import UNKNOWN_SECONDS, waiting_seconds

KINDS = {"short": Kind(""), "long": Kind("", long=True), "live": Kind("", shared=True)}


def at_work(store, kind, eta, owner=""):
    run_id = store.create_run(kind, {}, owner=owner)
    queue.claim(store, run_id, run_id)  # each by a worker of its own
    queue.record(store, run_id, run_id, JobProgress(eta=eta, seconds=3.0))
    return run_id


def ended(store, kind, seconds):
    run_id = at_work(store, kind, 0.0)
    queue.record(store, run_id, run_id, JobProgress(seconds=seconds))
    queue.finish(store, run_id, run_id, "done")


def waits(store, run_id, workers=2):
    return waiting_seconds(store, run_id, workers, KINDS)


def test_a_run_that_does_not_wait_has_no_time(store):
    assert waits(store, at_work(store, "short", 9.0)) is None
    assert waits(store, "f" * 32) is None


def test_the_first_free_worker_takes_the_next_run(store):
    first = store.create_run("short", {})
    assert waits(store, first) == 0.0
    at_work(store, "short", 9.0)
    assert waits(store, first) == 0.0
    at_work(store, "short", 4.0)
    assert waits(store, first) == 4.0
    store.set_control(first, "stop")
    third = store.create_run("short", {})
    assert waits(store, third) == 4.0


def test_those_ahead_take_as_long_as_their_kind_does(store):
    for seconds in (10.0, 12.0, 50.0):
        ended(store, "short", seconds)
    at_work(store, "short", 9.0)
    at_work(store, "short", 4.0)
    line = [store.create_run("short", {}, owner=f"o{n}") for n in range(4)]
    assert [waits(store, run_id) for run_id in line] == [4.0, 9.0, 16.0, 21.0]


def test_without_a_word_a_run_takes_what_its_kind_takes(store):
    at_work(store, "short", None)
    assert waits(store, store.create_run("short", {}), workers=1) == UNKNOWN_SECONDS - 3.0


def test_short_runs_need_not_wait_for_long_ones_that_wait(store):
    at_work(store, "long", 10_000.0)
    long = store.create_run("long", {})
    short = store.create_run("short", {}, owner="b")
    assert waits(store, long) == 10_000.0
    assert waits(store, short) == 0.0


def test_live_trainings_wait_for_their_owners_alone(store):
    for owner, eta in (("a", 30.0), ("a", 8.0), ("b", 99.0)):
        at_work(store, "live", eta, owner)
    for eta in (500.0, 500.0):
        at_work(store, "short", eta)
    mine, next_one, other = (store.create_run("live", {}, owner=owner) for owner in "aab")
    assert waits(store, mine) == 8.0
    assert waits(store, next_one) == pytest.approx(8.0 + UNKNOWN_SECONDS)
    assert waits(store, other) == 0.0
