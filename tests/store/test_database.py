"""The SQLite file: its folder and rights, its transactions, its faults in words."""

import os
import sqlite3
import stat
from contextlib import ExitStack

import pytest

from anyloss_core.store.database import (
    MOST_IDLE,
    SCHEMA,
    Database,
    StoreUnavailable,
    describe_fault,
    home_folder,
)
from anyloss_core.store.store import Store, StoreError


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "home", busy_seconds=0.3)
    yield store
    store.close()


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


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device"), "cannot be used: No space left on device"),
        (sqlite3.OperationalError("odd"), "cannot be used: odd"),
    ],
)
def test_a_fault_is_told_with_its_place(error, words, tmp_path):
    assert words in describe_fault(error, tmp_path / "lab.sqlite3")
    assert str(tmp_path) in describe_fault(error, tmp_path / "lab.sqlite3")


def test_connections_are_used_again_and_not_after_a_fault(store):
    with store.database.read() as first:
        pass
    with store.database.read() as second:
        assert second is first
    with pytest.raises(StoreUnavailable), store.database.read() as third:
        third.execute("SELECT nothing FROM nowhere")
    with store.database.read() as fourth:
        assert fourth is not first
        assert fourth.execute("SELECT 1").fetchone()[0] == 1


def test_a_crowd_leaves_few_connections_behind(store):
    with ExitStack() as crowd:
        for _ in range(10):
            crowd.enter_context(store.database.read()).execute("SELECT count(*) FROM runs")
    assert store.database._idle.qsize() == MOST_IDLE


def test_an_entry_that_the_tables_do_not_allow_is_refused_and_not_called_a_fault(store):
    run_id = store.create_run("train", {})
    refusal = pytest.raises(StoreError, match="refused the entry")
    with refusal as refused, store.database.write() as connection:
        connection.execute("UPDATE runs SET status = 'lazy' WHERE id = ?", (run_id,))
    assert not isinstance(refused.value, StoreUnavailable)
    assert store.run(run_id).status == "queued"


def pages(store):
    with store.database.read() as connection:
        return connection.execute("PRAGMA auto_vacuum").fetchone()[0], connection.execute(
            "PRAGMA freelist_count"
        ).fetchone()[0]


def test_what_is_deleted_goes_back_to_the_disk(store):
    run_id = store.create_run("train", {}, queue=False)
    kept = store.create_run("train", {}, queue=False)
    for number in range(20):
        store.put_unit(run_id, str(number), os.urandom(200_000))
        store.put_unit(kept, str(number), number)
    assert store.database.path.stat().st_size + _log(store) > 4_000_000
    store.delete_run(run_id)
    assert store.database.path.stat().st_size + _log(store) < 200_000
    assert pages(store) == (2, 0)
    assert [unit.payload for unit in store.units(kept)] == list(range(20))


def _log(store):
    return store.database.path.with_name(f"{store.database.path.name}-wal").stat().st_size


def test_a_file_of_an_earlier_version_learns_to_shrink(tmp_path):
    path = tmp_path / "lab.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.executescript("PRAGMA journal_mode = WAL;" + SCHEMA + "PRAGMA user_version = 1;")
        assert connection.execute("PRAGMA auto_vacuum").fetchone()[0] == 0
        for number in range(3):
            values = (f"{number}" * 32, "train", "", "", "{}", "done", number, 0.0)
            names = "id, kind, title, owner, settings, status, place, created"
            connection.execute(f"INSERT INTO runs ({names}) VALUES (?,?,?,?,?,?,?,?)", values)
    connection.close()
    for _ in range(2):
        store = Store(tmp_path)
        assert pages(store) == (2, 0)
        assert [run.id[0] for run in store.runs()] == ["2", "1", "0"]
        store.close()


def test_while_somebody_writes_the_space_waits(store):
    run_id = store.create_run("train", {}, queue=False)
    store.put_unit(run_id, "a", os.urandom(500_000))
    other = Database(store.database.path, busy_seconds=0.3)
    store._delete(run_id)
    with other.write():
        store.give_back()  # no fault
        assert pages(store)[1] > 50
    store.give_back()
    assert pages(store)[1] == 0
    other.close()
