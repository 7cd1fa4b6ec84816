"""Runs, events, results, units and uploads are kept, whole, for their user alone."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from anyloss_core import job_queue
from anyloss_core.database import Database, home_folder
from anyloss_core.jobs import run_job
from anyloss_core.store import Store, StoreError, StoreUnavailable, UnknownRun
from tests.sample_jobs import SAMPLE_KINDS

ROOT = Path(__file__).parents[1]


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
    for call in (store.run, store.delete_run, store.requeue, lambda i: store.rename(i, "x")):
        with pytest.raises(UnknownRun, match="no run 'nope'"):
            call("nope")
    with pytest.raises(UnknownRun):
        store.put_result("nope", "key", 1)
    with pytest.raises(UnknownRun):
        store.append_event("nope", {})
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


def test_order_does_not_follow_the_clock(store, monkeypatch):
    first = store.create_run("train", {})
    monkeypatch.setattr(time, "time", lambda: 0.0)  # set back to 1970
    second = store.create_run("train", {})
    assert [run.id for run in store.runs()] == [second, first]
    assert job_queue.claim(store, "w").id == first


def test_events_arrive_in_order_and_only_the_new_ones(store):
    run_id, other = store.create_run("train", {}), store.create_run("train", {})
    store.append_events(run_id, [(0, {"loss": 1.0}), (1, {"loss": np.array([0.5, 0.25])})])
    store.append_event(other, {"loss": 9})
    seen = store.events(run_id)
    assert [event.epoch for event in seen] == [0, 1]
    assert seen[1].payload["loss"].tolist() == [0.5, 0.25]
    store.append_event(run_id, {"loss": 0.1}, epoch=2)
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
    assert store.result_keys(run_id) == ["scores"]
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
        store.append_event(run_id, {})
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
    job_queue.claim(store, "w")
    for refused in (store.delete_run, store.requeue):
        with pytest.raises(StoreError, match="is running"):
            refused(run_id)


def test_requeue_keeps_finished_units_and_clears_the_rest(store):
    run_id = store.create_run("benchmark", {"a": 1})
    job_queue.claim(store, "w")
    store.append_event(run_id, {})
    store.put_result(run_id, "half", 1)
    store.put_unit(run_id, "good", 1)
    store.put_unit(run_id, "bad", status="failed", reason="x")
    job_queue.give_up(store, "w", "the lights went out")
    assert store.run(run_id).error == "the lights went out"
    assert store.run(run_id).resumable
    store.requeue(run_id)
    run = store.run(run_id)
    assert (run.status, run.error, run.settings) == ("queued", "", {"a": 1})
    assert store.finished_unit_keys(run_id) == {"good"}
    assert (store.events(run_id), store.result_keys(run_id)) == ([], [])
    assert [unit.key for unit in store.units(run_id)] == ["good"]


def test_titles_and_messages_of_any_text_are_kept_short_and_storable(store):
    run_id = store.create_run("train", {}, "x" * 5000)
    assert len(store.run(run_id).title) == 200
    store.rename(run_id, "a\0b\ud800'); DROP TABLE runs; --\u202e")
    assert store.run(run_id).title == "ab?'); DROP TABLE runs; --\u202e"


# Uploads


def test_uploads_come_back_whole_and_names_never_become_paths(store):
    data = bytes(range(256)) * 10
    meta = {"name": "../../etc/passwd", "target": "y", "positive": "yes"}
    upload_id = store.save_upload(data, meta)
    upload = store.open_upload(upload_id)
    assert (upload.read(), upload.meta) == (data, meta)
    assert upload.path.is_relative_to(store.home / "uploads" / upload_id)
    store.delete_upload(upload_id)
    with pytest.raises(StoreError, match="upload the file again"):
        store.open_upload(upload_id)


@pytest.mark.parametrize("name", ["../x", "", "0" * 31, "0" * 33, "0" * 31 + "/", "A" * 32, None])
def test_only_ids_open_uploads(store, name):
    with pytest.raises(StoreError, match="no upload"):
        store.open_upload(name)


def test_old_uploads_are_forgotten_unless_a_run_names_them(store):
    used, unused, fresh = (store.save_upload(b"x", {}) for _ in range(3))
    store.create_run("compare", {"data": {"source": f"upload:{used}"}})
    for upload_id in (used, unused):
        os.utime(store.home / "uploads" / upload_id, (0, 0))
    assert store.clear_uploads() == 1
    assert store.open_upload(used).read() == store.open_upload(fresh).read() == b"x"
    with pytest.raises(StoreError):
        store.open_upload(unused)


# Place and rights


def test_the_place_comes_from_one_setting(tmp_path, monkeypatch):
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path / "here"))
    assert home_folder() == tmp_path / "here"
    monkeypatch.delenv("ANYLOSS_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert home_folder().name == "anyloss-lab"


def test_everything_is_for_the_user_alone(tmp_path):
    previous = os.umask(0)
    try:
        store = Store(tmp_path / "home")
        store.create_run("train", {})
        store.save_upload(b"x", {})
    finally:
        os.umask(previous)
    modes = {
        path: stat.S_IMODE(path.stat().st_mode) for path in [store.home, *store.home.rglob("*")]
    }
    assert len(modes) >= 6  # home, database, wal, shm, uploads/id/data...
    for path, mode in modes.items():
        assert mode == (0o700 if path.is_dir() else 0o600), path
    store.close()


def test_rights_of_an_existing_folder_are_tightened(tmp_path):
    (tmp_path / "home").mkdir(mode=0o755)
    Store(tmp_path / "home").close()
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


# Faults


def test_a_locked_store_can_be_read_and_says_that_it_is_busy(store):
    run_id = store.create_run("train", {})
    other = sqlite3.connect(store.database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="busy"):
        store.put_result(run_id, "r", 1)
    assert store.run(run_id).status == "queued"
    other.execute("ROLLBACK")
    other.close()
    store.put_result(run_id, "r", 1)
    assert store.get_result(run_id, "r") == 1


def test_a_file_that_is_no_store_is_left_alone(tmp_path):
    (tmp_path / "lab.sqlite3").write_bytes(b"my diary, not a database" * 100)
    with pytest.raises(StoreError, match="is not a store; move it away"):
        Store(tmp_path, busy_seconds=0.2)
    assert (tmp_path / "lab.sqlite3").read_bytes().startswith(b"my diary")


def test_a_store_of_a_newer_version_is_left_alone(store):
    with store.database.write() as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer version"):
        Database(store.database.path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="ANYLOSS_HOME"):
        Store(tmp_path / "file" / "home")


def test_a_failed_transaction_leaves_nothing_behind(store):
    run_id = store.create_run("train", {})

    def half():
        with store.database.write() as connection:
            connection.execute("UPDATE runs SET title = 'half'")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert store.run(run_id).title == ""


FILL = """
import sys, numpy, resource
from anyloss_core.store import Store, StoreUnavailable
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
        job_queue.mark_lost(store)
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
        "import sys; from anyloss_core.store import Store; s = Store(sys.argv[1])\n"
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
        "import sys; from anyloss_core.store import Store; s = Store(sys.argv[1], 20)\n"
        "for n in range(50): s.append_event(sys.argv[2], n)"
    )
    command = [sys.executable, "-c", code, str(store.home), run_id]
    children = [subprocess.Popen(command, cwd=ROOT) for _ in range(2)]

    def write():
        for number in range(50):
            store.append_event(run_id, number)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [child.wait() for child in children] == [0, 0]
    numbers = sorted(event.payload for event in store.events(run_id))
    assert numbers == sorted(list(range(50)) * 6)
    store.close()
