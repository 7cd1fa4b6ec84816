"""On a full disk the store opens and deletes, and gives back what it deleted."""

import shutil
import stat
import subprocess

import numpy as np
import pytest

from anyloss_core.store import reserve
from anyloss_core.store.database import StoreUnavailable
from anyloss_core.store.store import Store

MB = 1_000_000


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 120 MB."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=120m", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def fill(folder):
    """Write until not one more byte fits."""
    size = 8 * MB
    with (folder / "ballast").open("ab", buffering=0) as file:
        while size:
            try:
                size = size if file.write(bytes(size)) == size else size // 2
            except OSError:
                size //= 2
    assert shutil.disk_usage(folder).free == 0


def large_run(store, owner=""):
    """A run of 20 MB, as a large training has it."""
    run_id = store.create_run("train", {}, owner=owner, queue=False)
    noise = np.random.default_rng(0)
    for number in range(20):
        store.put_unit(run_id, str(number), noise.bytes(MB))
    return run_id


def test_the_reserve_is_there_for_its_user_alone(tmp_path):
    Store(tmp_path).close()
    path = tmp_path / reserve.FILE_NAME
    assert path.stat().st_size == reserve.BYTES
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert reserve.release(tmp_path)
    assert not reserve.release(tmp_path)
    reserve.keep(tmp_path)
    assert path.exists()


def test_a_disk_without_plenty_of_space_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(reserve, "PLENTY", 10**18)
    Store(tmp_path).close()
    assert not (tmp_path / reserve.FILE_NAME).exists()


@pytest.mark.parametrize("again", [False, True], ids=["at work", "started anew"])
def test_a_run_can_be_deleted_on_a_full_disk_and_its_space_comes_back(small_disk, again):
    store = Store(small_disk, busy_seconds=0.3)
    kept, gone = store.create_run("train", {"seed": 1}), large_run(store)
    store.close()
    if again:
        fill(small_disk)
        store = Store(small_disk, busy_seconds=0.3)
    else:
        store = Store(small_disk, busy_seconds=0.3)
        assert store.run(kept)
        fill(small_disk)
    before = store.database.path.stat().st_size
    store.delete_run(gone)
    assert before > 20 * MB
    assert store.database.path.stat().st_size < MB
    assert shutil.disk_usage(small_disk).free > 15 * MB
    assert [run.id for run in store.runs()] == [kept]
    store.close()


def test_all_runs_of_an_owner_go_and_those_of_others_stay(small_disk):
    store = Store(small_disk, busy_seconds=0.3)
    large_run(store, "anna"), large_run(store, "anna")
    other = store.create_run("train", {}, owner="ben")
    store.close()
    fill(small_disk)
    store = Store(small_disk, busy_seconds=0.3)
    assert store.delete_runs("anna") == 0
    assert [run.id for run in store.runs()] == [other]
    assert store.database.path.stat().st_size < MB
    (small_disk / "ballast").unlink()
    store.give_back()
    assert (small_disk / reserve.FILE_NAME).exists()  # for the next time
    store.close()


def test_without_a_reserve_the_fault_is_named(tmp_path):
    def refuse():
        raise StoreUnavailable("the disk is full")

    with pytest.raises(StoreUnavailable, match="full"):
        reserve.despite_full_disk(tmp_path, refuse)
