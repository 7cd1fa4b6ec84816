"""Runs, events, results, units and uploads are kept, whole, for their user alone."""

import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from anyloss_core.jobs import queue
from anyloss_core.jobs.jobs import run_job
from anyloss_core.store.database import StoreUnavailable
from anyloss_core.store.store import NotOwner, Store, StoreError, UnknownRun, insert_run
from tests.sample_jobs import SAMPLE_KINDS, add_events

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "home", busy_seconds=0.3)
    yield store
    store.close()


def test_a_run_is_found_by_its_id_with_settings_as_they_were(store):
    settings = {"losses": ["bce", "anyloss:f1"], "seed": 7, "lr": 0.03, "note": "Δ\ud800<b>"}
    run = store.run(store.create_run("compare", settings, "First <i>run</i>", owner="anna"))
    assert (run.kind, run.title, run.owner) == ("compare", "First <i>run</i>", "anna")
    assert (run.status, run.settings, run.attempt) == ("queued", settings, 0)
    assert run.active
    assert run.share == 0


def test_ids_are_random_numbers_of_128_bits(store):
    ids = [store.create_run("train", {}) for _ in range(20)]
    assert len(set(ids)) == 20
    assert all(len(run_id) == 32 for run_id in ids)
    spread = [int(run_id[place], 16) for run_id in ids for place in range(32)]
    assert 6 < np.mean(spread) < 9  # all places vary: 7.5 on average


def test_an_unknown_id_is_named_whatever_is_asked(store):
    for call in (store.run, store.delete_run, store.requeue):
        with pytest.raises(UnknownRun, match="no run 'nope'"):
            call("nope")
    with pytest.raises(UnknownRun):
        store.put_result("nope", "key", 1)
    with pytest.raises(UnknownRun):
        store.put_unit("nope", "key", 1)
    assert store.events("nope") == []
    assert store.get_result("nope", "key") is None


def test_lists_are_newest_first_filtered_and_paged(store):
    ids = [store.create_run(kind, {}, owner=owner) for kind, owner in
           [("train", "a"), ("compare", "b"), ("train", "b"), ("train", "a")]]  # fmt: skip
    store.set_control(ids[2], "stop")
    listed = lambda **filters: [run.id for run in store.runs(**filters)]  # noqa: E731
    assert listed() == ids[::-1]
    assert listed(owner="a") == [ids[3], ids[0]]
    assert listed(kind="train", owner="b") == [ids[2]]
    assert listed(status="cancelled") == [ids[2]]
    assert listed(status=("queued", "cancelled"), limit=2, offset=1) == [ids[2], ids[1]]
    assert listed(owner="' OR 1=1 --") == []


def test_only_the_owner_steers_resumes_and_deletes(store):
    run_id = store.create_run("train", {}, owner="anna")
    calls = (
        lambda owners: store.set_control(run_id, "stop", owners),
        lambda owners: store.requeue(run_id, owners=owners),
        lambda owners: store.delete_run(run_id, owners),
    )
    for call in calls:
        for owners in ([], [""], ["ben", ""]):
            with pytest.raises(NotOwner, match="somebody else's"):
                call(owners)
    assert store.run(run_id).status == "queued"
    calls[0](["anna"])
    assert store.run(run_id).status == "cancelled"
    calls[1](["anna", ""])
    calls[2](["anna"])
    assert store.runs() == []


def test_all_runs_of_one_owner_can_be_deleted_but_those_at_work_are_stopped_first(store):
    ids = [store.create_run("train", {}, owner=owner) for owner in ("anna", "anna", "ben", "")]
    queue.claim(store, "w", ids[0])
    assert store.delete_runs("anna") == 1
    assert [run.id for run in store.runs()] == [ids[3], ids[2], ids[0]]
    assert queue.control(store, ids[0], "w").wanted == "stop"
    queue.finish(store, ids[0], "w", "cancelled")
    assert store.delete_runs("anna") == 0
    assert [run.owner for run in store.runs()] == ["", "ben"]


def test_more_runs_than_one_list_holds_are_reached_page_by_page(store):
    with store.database.write() as connection:
        for number in range(620):
            insert_run(connection, "train", "{}", str(number), "anna", status="done")
    assert store.count_runs("train", ["anna", ""]) == store.count_runs() == 620
    assert store.count_runs("compare") == store.count_runs(owner="ben") == 0
    seen = [run.title for at in (0, 500) for run in store.runs(limit=500, offset=at)]
    assert seen == [str(number) for number in range(619, -1, -1)]


def test_order_does_not_follow_the_clock(store, monkeypatch):
    first = store.create_run("train", {})
    monkeypatch.setattr(time, "time", lambda: 0.0)  # set back to 1970
    second = store.create_run("train", {})
    assert [run.id for run in store.runs()] == [second, first]
    assert queue.claim(store, "w").id == first


def test_events_arrive_in_order_and_only_the_new_ones(store):
    run_id, other = store.create_run("train", {}), store.create_run("train", {})
    add_events(store, run_id, (0, {"loss": 1.0}), (1, {"loss": np.array([0.5, 0.25])}))
    add_events(store, other, (None, {"loss": 9}))
    seen = store.events(run_id)
    assert [event.epoch for event in seen] == [0, 1]
    assert seen[1].payload["loss"].tolist() == [0.5, 0.25]
    add_events(store, run_id, (2, {"loss": 0.1}))
    fresh = store.events(run_id, since=seen[-1].seq)
    assert [(event.epoch, event.payload) for event in fresh] == [(2, {"loss": 0.1})]
    assert [event.epoch for event in store.events(run_id, limit=1)] == [0]


def test_results_and_units_replace_their_namesakes(store):
    run_id = store.create_run("benchmark", {})
    store.put_result(run_id, "scores", [1])
    store.put_result(run_id, "scores", [2])
    store.put_unit(run_id, "iris", status="failed", reason="one class")
    store.put_unit(run_id, "wine", {"f1": 0.5}, seconds=1.5)
    assert store.get_result(run_id, "scores") == [2]
    assert store.finished_unit_keys(run_id) == {"wine"}
    assert [unit.reason for unit in store.units(run_id, "failed")] == ["one class"]
    store.put_unit(run_id, "iris", {"f1": 0.9}, seconds=2)
    assert store.finished_unit_keys(run_id) == {"wine", "iris"}
    assert {unit.key: unit.payload for unit in store.units(run_id)} == {
        "wine": {"f1": 0.5},
        "iris": {"f1": 0.9},
    }


def test_deleting_takes_everything_along_but_not_from_others(store):
    gone, stays = store.create_run("train", {}), store.create_run("train", {})
    for run_id in (gone, stays):
        add_events(store, run_id, (None, {}))
        store.put_result(run_id, "r", 1)
        store.put_unit(run_id, "u", 1)
    store.delete_run(gone)
    with store.database.read() as connection:
        left = [
            {row[0] for row in connection.execute(f"SELECT run_id FROM {table}")}
            for table in ("events", "results", "units")
        ]
    assert left == [{stays}] * 3


def test_a_run_at_work_is_neither_deleted_nor_requeued(store):
    run_id = store.create_run("train", {})
    queue.claim(store, "w")
    for refused in (store.delete_run, store.requeue):
        with pytest.raises(StoreError, match="is running"):
            refused(run_id)


def test_requeue_keeps_finished_units_and_clears_the_rest(store):
    run_id = store.create_run("benchmark", {"a": 1})
    queue.claim(store, "w")
    add_events(store, run_id, (None, {}))
    store.put_result(run_id, "half", 1)
    store.put_unit(run_id, "good", 1)
    store.put_unit(run_id, "bad", status="failed", reason="x")
    queue.give_up(store, "w", "the lights went out")
    assert store.run(run_id).error == "the lights went out"
    assert store.run(run_id).resumable
    store.requeue(run_id)
    run = store.run(run_id)
    assert (run.status, run.error, run.settings) == ("queued", "", {"a": 1})
    assert store.finished_unit_keys(run_id) == {"good"}
    assert (store.events(run_id), store.get_result(run_id, "half")) == ([], None)
    assert [unit.key for unit in store.units(run_id)] == ["good"]


# Uploads


# Place and rights


# Faults


FILL = """
import sys, numpy, resource
from anyloss_core.store.database import StoreUnavailable
from anyloss_core.store.store import Store
store = Store(sys.argv[1], busy_seconds=0.3)
if sys.argv[3] == "limit":
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
noise = numpy.random.default_rng(0)
for number in range(1000):
    try:
        store.put_unit(sys.argv[2], str(number), noise.random(10_000))
    except StoreUnavailable as error:
        print(number, error)
        break
try:
    store.save_upload(noise.bytes(9_000_000), {})
except StoreUnavailable as error:
    print(error)
"""


@pytest.fixture(params=["small tmpfs", "limit"])
def small_disk(request, tmp_path):
    """A file system of 4 MB where we may mount one; a limit on file sizes anywhere."""
    mounted = request.param == "small tmpfs"
    if mounted:
        mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(tmp_path)]
        if subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("mounting is not allowed here")
    yield tmp_path, request.param
    if mounted:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_full_disk_is_named_and_harms_nothing_that_was_finished(small_disk):
    home, how = small_disk
    store = Store(home, busy_seconds=0.3)
    run_id = store.create_run("benchmark", {})
    command = [sys.executable, "-c", FILL, str(home), run_id, how]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    first, upload_fault = child.stdout.splitlines()
    stored, fault = first.split(" ", 1)
    assert "full" in fault
    assert "could not be kept" in upload_fault
    units = store.units(run_id)
    noise = np.random.default_rng(0)
    assert len(units) == int(stored) > 10
    for unit in units:
        np.testing.assert_array_equal(unit.payload, noise.random(10_000))
    with store.database.read() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert list((home / "uploads").iterdir()) == []
    store.close()


def test_a_job_on_a_full_disk_ends_and_its_run_says_so_at_the_latest_when_there_is_space(tmp_path):
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    store = Store(tmp_path, busy_seconds=0.2)
    try:
        ballast = tmp_path / "ballast"
        ballast.write_bytes(bytes(1_000_000))
        run_id = store.create_run("fill", {"blocks": 500, "size": 2000}, queue=False)
        with suppress(StoreUnavailable):  # even the few bytes of the end may find no room
            run_job(store, run_id, SAMPLE_KINDS, patience=0.2)
        kept = len(store.units(run_id))
        ballast.unlink()
        queue.mark_lost(store)
        run = store.run(run_id)
        assert run.status == "interrupted" or (run.status == "failed" and "full" in run.error)
        assert len(store.units(run_id)) == kept > 10
        store.delete_run(run_id)
        assert store.runs() == []
    finally:
        store.close()
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_killed_writer_loses_at_most_the_unit_in_progress(store):
    run_id = store.create_run("benchmark", {})
    code = (
        "import sys; from anyloss_core.store.store import Store; s = Store(sys.argv[1])\n"
        "for n in range(10**6): s.put_unit(sys.argv[2], str(n), [n] * 100); print(n, flush=True)"
    )
    command = [sys.executable, "-c", code, str(store.home), run_id]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    said = [int(child.stdout.readline()) for _ in range(50)]
    child.kill()
    said += [int(line) for line in child.communicate()[0].split()]
    units = store.units(run_id)
    assert len(said) <= len(units) <= len(said) + 1
    assert all(unit.payload == [int(unit.key)] * 100 for unit in units)


def test_many_threads_and_processes_write_at_once_and_nothing_is_lost(tmp_path):
    store = Store(tmp_path / "home", busy_seconds=20)
    run_id = store.create_run("train", {})
    code = (
        "import sys; from anyloss_core.store.store import Store; s = Store(sys.argv[1], 20)\n"
        "for n in range(50): s.put_unit(sys.argv[2], f'{sys.argv[3]} {n}', n)"
    )
    command = [sys.executable, "-c", code, str(store.home), run_id]
    children = [subprocess.Popen([*command, name], cwd=ROOT) for name in "ab"]

    def write(name):
        for number in range(50):
            store.put_unit(run_id, f"{name} {number}", number)

    threads = [threading.Thread(target=write, args=(name,)) for name in "cdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [child.wait() for child in children] == [0, 0]
    numbers = sorted(unit.payload for unit in store.units(run_id))
    assert numbers == sorted(list(range(50)) * 6)
    store.close()


def test_what_was_worked_out_elsewhere_is_kept_as_a_finished_run(store):
    run_id = store.keep_finished("compare", {"seed": 1}, {"scores": [1.5], "note": "x"}, "t", "me")
    run = store.run(run_id)
    assert (run.status, run.title, run.owner, run.settings) == ("done", "t", "me", {"seed": 1})
    assert store.get_result(run_id, "scores") == [1.5]
    assert store.get_result(run_id, "note") == "x"
    assert queue.claim(store, "w") is None  # nobody is to work on it
    assert not run.resumable
