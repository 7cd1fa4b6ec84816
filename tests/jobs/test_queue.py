"""Who works on a run, and in which order: claims, turns, the dead."""

import threading
import time

import pytest

from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import Report, Stopped
from anyloss_core.jobs.liveness import alive
from anyloss_core.store.store import Store, StoreError


def test_a_waiting_run_is_stopped_at_once_and_a_wrong_wish_is_refused(store):
    run_id = store.create_run("count", {"epochs": 1})
    with pytest.raises(StoreError, match="one of run, pause, step, stop"):
        store.set_control(run_id, "explode")
    store.set_control(run_id, "stop")
    assert store.run(run_id).status == "cancelled"
    assert queue.claim(store, "w") is None


def test_a_worker_that_was_given_up_cannot_disturb_its_successor(store):
    run_id = store.create_run("count", {})
    queue.claim(store, "old")
    old = Report(store, run_id, "old")
    old.event({"from": "old"})
    queue.give_up(store, "old", "hung")
    store.requeue(run_id)
    queue.claim(store, "new")
    time.sleep(0.11)
    with pytest.raises(Stopped):
        old.checkpoint()
    old.close("failed", "too late")
    assert store.run(run_id).status == "running"
    assert store.events(run_id) == []


def test_owners_take_turns(store):
    ids = {store.create_run("count", {}, owner=owner): f"{owner}{number}" for owner, number in
           [("a", 1), ("a", 2), ("a", 3), ("b", 1), ("b", 2), ("c", 1)]}  # fmt: skip
    waiting = sorted(ids, key=lambda run_id: queue.queue_position(store, run_id))
    assert [ids[run_id] for run_id in waiting] == ["a1", "b1", "c1", "a2", "b2", "a3"]
    served = []
    while run := queue.claim(store, "w"):
        served.append(ids[run.id])
        queue.finish(store, run.id, "w", "done")
    assert served == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert queue.queue_position(store, waiting[0]) is None


def test_a_run_is_claimed_once_however_many_ask(store):
    for _ in range(20):
        store.create_run("count", {})
    claimed = []

    def ask(name):
        while run := queue.claim(Store(store.home, 10), name):
            claimed.append(run.id)

    threads = [threading.Thread(target=ask, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 20


def test_runs_of_the_dead_are_marked_and_those_of_the_living_are_not(store):
    dead, living = store.create_run("count", {}), store.create_run("count", {})
    queue.claim(store, "dead", dead)
    with alive(store.home, "living"):
        queue.claim(store, "living", living)
        assert queue.mark_lost(store) == 1
        assert store.run(living).status == "running"
    run = store.run(dead)
    assert run.status == "interrupted"
    assert "resume it or delete it" in run.error


def test_the_place_in_the_queue_is_counted_from_one(store):
    first, second = (store.create_run("count", {"epochs": 1}) for _ in range(2))
    assert [queue.queue_position(store, run_id) for run_id in (first, second)] == [1, 2]
    assert queue.claim(store, "w").id == first
    assert [queue.queue_position(store, run_id) for run_id in (first, second)] == [None, 1]


def test_waiting_runs_are_counted_by_their_owner(store):
    for owner in ("a", "a", "b"):
        store.create_run("count", {"epochs": 1}, owner=owner)
    counts = [queue.count_waiting(store, owner) for owner in (None, "a", "b", "c")]
    assert counts == [3, 2, 1, 0]
    queue.claim(store, "w")
    assert queue.count_waiting(store) == 2


def test_a_kind_to_be_avoided_is_left_to_others(store):
    long = store.create_run("benchmark", {})
    short = store.create_run("train", {})
    assert queue.claim(store, "quick", avoid=("benchmark",)).id == short
    assert queue.claim(store, "quick", avoid=("benchmark",)) is None
    assert queue.claim(store, "other").id == long
