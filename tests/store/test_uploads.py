"""Uploads: whole or not at all, found by their ids alone, forgotten when nobody names them."""

import os
from pathlib import Path

import pytest

from anyloss_core.store import uploads
from anyloss_core.store.database import StoreUnavailable
from anyloss_core.store.store import StoreError


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


def test_a_file_that_could_not_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(self, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StoreUnavailable, match="could not be kept: No space left"):
        uploads.save(tmp_path, b"x", {})
    assert list((tmp_path / "uploads").iterdir()) == []


def test_only_old_files_that_nobody_uses_are_cleared(tmp_path):
    used, old, young = (uploads.save(tmp_path, b"x", {"n": n}) for n in range(3))
    for upload_id in (used, old):
        os.utime(tmp_path / "uploads" / upload_id, (0, 0))
    assert uploads.clear(tmp_path, {used}, older_than=3600) == 1
    assert uploads.find(tmp_path, used).meta == {"n": 0}
    assert uploads.find(tmp_path, young).meta == {"n": 2}
    uploads.delete(tmp_path, young)
    uploads.delete(tmp_path, young)  # twice is no error


def test_the_files_of_an_owner_stay_below_a_quota(store, monkeypatch):
    monkeypatch.setattr(uploads, "QUOTA_BYTES", 1_000)
    first = store.save_upload(b"x" * 600, {"name": "a", "owner": "other"}, "me")
    assert store.open_upload(first).meta == {"name": "a", "owner": "me"}  # not what the file says
    with pytest.raises(StoreError, match=r"your files would take 0 MB.*delete some"):
        store.save_upload(b"x" * 600, {"name": "b"}, "me")
    store.save_upload(b"x" * 600, {"name": "b"}, "you")
    store.save_upload(b"x" * 6_000, {"name": "of the command line"})
    store.delete_upload(first)
    store.save_upload(b"x" * 600, {"name": "b"}, "me")
    assert uploads.owned_bytes(store.home, "me") == 600


def test_damaged_and_earlier_files_count_for_nobody(store, monkeypatch):
    monkeypatch.setattr(uploads, "QUOTA_BYTES", 1_000)
    for name, text in (("a" * 32, "[1]"), ("b" * 32, "{"), ("c" * 32, '{"name": "earlier"}')):
        folder = store.home / "uploads" / name
        folder.mkdir(parents=True)
        (folder / "meta.json").write_text(text)
        (folder / "data").write_bytes(b"x" * 900)
    store.save_upload(b"x" * 900, {"name": "a"}, "me")


def test_an_owner_finds_his_own_files_and_a_damaged_one_hides_no_other(store):
    mine = [store.save_upload(b"x", {"name": n}, "anna") for n in ("a.csv", "b.csv")]
    store.save_upload(b"x", {"name": "c.csv"}, "ben")
    early = store.save_upload(b"x", {"name": "of an earlier version.csv"})
    (store.home / "uploads" / "not an id").mkdir()
    (store.home / "uploads" / mine[1] / "meta.json").write_text("{")
    assert [upload.id for upload in store.owned_uploads("anna")] == mine[:1]
    assert [upload.id for upload in store.owned_uploads("")] == [early]
    assert uploads.owned(store.home / "nowhere", "anna") == []
