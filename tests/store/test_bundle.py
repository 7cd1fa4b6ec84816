"""A run travels as JSON and opens the same; hostile files write nothing."""

import copy
import json
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anyloss_core.jobs import queue
from anyloss_core.store import bundle, uploads
from anyloss_core.store.bundle import BundleError, export_bundle, import_bundle, import_file
from anyloss_core.store.store import NotOwner, Store, StoreError
from tests.sample_jobs import add_events

SCORES = pd.DataFrame({"loss": ["bce", "f1"], "fold": [0, 1], "score": [0.25, np.nan]})


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "here")
    yield store
    store.close()


@pytest.fixture
def elsewhere(tmp_path):
    store = Store(tmp_path / "there")
    yield store
    store.close()


def finished_run(store, **settings):
    run_id = store.create_run("compare", {"seed": 3, **settings}, "A <b>title</b>", "anna")
    queue.claim(store, "w")
    add_events(store, run_id, (0, {"loss": np.array([1.0, 0.5])}), (None, {"end": True}))
    store.put_result(run_id, "scores", SCORES)
    store.put_unit(run_id, "wine", {"f1": 0.5}, seconds=1.25)
    store.put_unit(run_id, "iris", status="failed", reason="one class")
    queue.finish(store, run_id, "w", "done")
    return run_id


def test_a_run_opens_the_same_on_another_machine(store, elsewhere):
    old = store.run(finished_run(store))
    new = elsewhere.run(import_bundle(elsewhere, export_bundle(store, old.id), owner="ben"))
    for name in ("kind", "title", "settings", "status", "seconds", "created", "error"):
        assert getattr(new, name) == getattr(old, name), name
    assert new.id != old.id
    assert new.owner == "ben"
    pd.testing.assert_frame_equal(elsewhere.get_result(new.id, "scores"), SCORES)
    assert elsewhere.units(new.id) == store.units(old.id)
    first, second = elsewhere.events(new.id)
    assert (first.epoch, first.payload["loss"].tolist()) == (0, [1.0, 0.5])
    assert (second.epoch, second.payload) == (None, {"end": True})


def test_an_export_of_an_import_is_the_same_file(store, elsewhere):
    data = export_bundle(store, finished_run(store))
    assert export_bundle(elsewhere, import_bundle(elsewhere, data)) == data


def test_the_data_and_their_id_stay_at_home_unless_asked_for(store, elsewhere):
    upload = store.save_upload(b"y,x\nyes,secret\n", {"name": "s.csv", "target": "y"})
    run_id = finished_run(store, data=f"upload:{upload}")
    data = export_bundle(store, run_id)
    assert upload.encode() not in data
    assert elsewhere.run(import_bundle(elsewhere, data)).settings["data"] == "upload:left-out"

    new = elsewhere.run(import_bundle(elsewhere, export_bundle(store, run_id, with_data=True)))
    kind, _, new_upload = new.settings["data"].partition(":")
    assert kind == "upload"
    assert new_upload != upload
    kept = elsewhere.open_upload(new_upload)
    assert (kept.read(), kept.meta["target"]) == (b"y,x\nyes,secret\n", "y")


def test_a_bundle_cannot_point_at_uploads_of_its_reader(store):
    upload = store.save_upload(b"private", {})
    content = json.loads(export_bundle(store, finished_run(store)))
    content["settings"]["data"] = f"upload:{upload}"
    new = store.run(import_bundle(store, json.dumps(content).encode()))
    assert new.settings["data"] == "upload:left-out"


def test_a_run_at_work_travels_as_interrupted_and_an_imported_one_does_not_resume(store):
    run_id = store.create_run("train", {})
    queue.claim(store, "w")
    new = store.run(import_bundle(store, export_bundle(store, run_id)))
    assert new.status == "interrupted"
    assert not new.resumable
    with pytest.raises(StoreError, match="imported"):
        store.requeue(new.id)
    assert queue.claim(store, "v", new.id) is None
    store.delete_run(new.id)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("shared"))
    yield store, json.loads(export_bundle(store, finished_run(store)))
    store.close()


def changes():
    """One wrong thing each, with the place where it sits."""
    wrong = [None, 5, -1, "x" * 50, [], [[]], {}, {"$pickle": "x"}, {"$array": ["|O", [1], ""]},
             True, 1e300, "done'; DROP TABLE runs"]  # fmt: skip
    places = [["kind"], ["title"], ["status"], ["seconds"], ["created"], ["error"], ["settings"],
              ["results"], ["results", 0], ["results", 0, 0], ["results", 0, 1], ["units"],
              ["units", 0, 1], ["units", 0, 2], ["units", 0, 3], ["units", 0, 4], ["events"],
              ["events", 0, 0], ["events", 0, 1], ["uploads"], ["format"], ["version"]]  # fmt: skip
    return st.lists(
        st.tuples(st.sampled_from(places), st.sampled_from(wrong)), min_size=1, max_size=3
    )


@given(changes())
@settings(max_examples=300, deadline=None)
def test_a_changed_bundle_is_refused_or_gives_a_readable_run(exported, changes):
    store, content = exported[0], copy.deepcopy(exported[1])
    for place, value in changes:
        _put(content, place, value)
    before = len(store.runs(limit=500))
    try:
        run_id = import_bundle(store, json.dumps(content).encode())
    except StoreError:
        assert len(store.runs(limit=500)) == before
        return
    run = store.run(run_id)
    assert isinstance(run.settings, dict)
    assert run.status in ("done", "cancelled", "failed", "interrupted")
    store.events(run_id), store.units(run_id)
    export_bundle(store, run_id)  # reads every result too
    store.delete_run(run_id)


def _put(content, place, value):
    *path, last = place
    try:
        for step in path:
            content = content[step]
        content[last] = value
    except (LookupError, TypeError):
        pass  # an earlier change took the place away


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04\x95\x10\x00",
        b"\xff\xfe{",
        b"null",
        b"[]",
        b"{}",
        b'{"format": "anyloss-run"}',
        b'{"format": "anyloss-run", "version": NaN}',
        b"[" * 200_000,
        b'{"format": "anyloss-run", "version": 1, "settings": ' + b'{"a":' * 50_000,
        b"PK\x03\x04",
    ],
    ids=lambda data: repr(data[:30]),
)
def test_what_is_no_bundle_is_refused(store, data):
    with pytest.raises(BundleError):
        import_bundle(store, data)
    assert store.runs() == []


def test_a_bundle_that_is_too_large_is_refused_before_it_is_read(store, monkeypatch):
    data = export_bundle(store, finished_run(store))
    monkeypatch.setattr(bundle, "MAX_BYTES", len(data) - 1)
    with pytest.raises(BundleError, match="MB"):
        import_bundle(store, data)


def test_damaged_data_inside_write_nothing(store, elsewhere):
    upload = store.save_upload(b"abc", {"name": "s.csv"})
    data = export_bundle(store, finished_run(store, data=f"upload:{upload}"), with_data=True)
    content = json.loads(data)
    content["uploads"][upload]["data"] = "not base64!"
    with pytest.raises(BundleError, match="damaged"):
        import_bundle(elsewhere, json.dumps(content).encode())
    assert elsewhere.runs() == []
    assert not (elsewhere.home / "uploads").exists()


def test_a_bundle_of_many_small_values_is_refused_before_it_is_read(store):
    began = time.perf_counter()
    with pytest.raises(BundleError, match=r"10,000,00\d values"):
        import_bundle(store, b'{"format":[' + b"{}," * 5_000_000 + b"{}]}")
    assert time.perf_counter() - began < 5


def test_a_bundle_is_imported_from_a_file_by_another_process(store, tmp_path):
    run_id = store.create_run("count", {"epochs": 1}, "made elsewhere", queue=False)
    path = tmp_path / "run.json"
    path.write_bytes(export_bundle(store, run_id))
    imported = import_file(str(store.home), str(path), "me")
    assert (store.run(imported).title, store.run(imported).owner) == ("made elsewhere", "me")


def test_data_in_a_bundle_belong_to_who_imports_it_and_name_no_owner(store):
    upload = store.save_upload(b"a,b", {"name": "x"}, "first owner")
    run_id = store.create_run("count", {"data": f"upload:{upload}"}, queue=False)
    content = export_bundle(store, run_id, with_data=True)
    assert b"first owner" not in content
    imported = store.run(import_bundle(store, content, owner="second"))
    kept = imported.settings["data"].removeprefix("upload:")
    assert store.open_upload(kept).meta == {"name": "x", "owner": "second"}


@pytest.mark.parametrize("number", ["1e999", "-1e999", "[[1e400]]"])
def test_a_number_that_no_store_could_read_again_is_refused(store, elsewhere, number):
    data = export_bundle(store, finished_run(store))
    for old in (b'"seed":3', b'"seconds":', b'{"f1":0.5}'):
        name, _, _ = old.partition(b":")
        hostile = data.replace(old, name + b":" + number.encode() + b',"b":', 1)
        assert hostile != data
        with pytest.raises(BundleError):
            import_bundle(elsewhere, hostile)
    assert elsewhere.runs() == []


def test_a_run_that_cannot_be_read_does_not_leave(store):
    run_id, other = finished_run(store), finished_run(store)
    with store.database.write() as connection:
        connection.execute("UPDATE runs SET settings = '{' WHERE id = ?", (run_id,))
        connection.execute("UPDATE units SET payload = x'00' WHERE run_id = ?", (other,))
    for one, words in ((run_id, "cannot be read; delete it"), (other, "is damaged")):
        with pytest.raises(BundleError, match=words):
            export_bundle(store, one)


def test_the_data_goes_only_to_those_who_brought_it(store, elsewhere):
    upload = store.save_upload(b"age,ill", {"name": "s.csv"}, "anna")
    run_id = finished_run(store, data=f"upload:{upload}")
    brought = export_bundle(store, run_id, with_data=True, owners=["anna", ""])
    assert b"uploads" in brought
    for owners in (["ben"], [""], []):
        with pytest.raises(NotOwner, match="without the data"):
            export_bundle(store, run_id, with_data=True, owners=owners)
        assert upload.encode() not in export_bundle(store, run_id, owners=owners)
    import_bundle(elsewhere, brought, owner="ben")
    assert [upload.meta["name"] for upload in elsewhere.owned_uploads("ben")] == ["s.csv"]


def test_imported_runs_of_an_owner_stay_below_a_quota(store, elsewhere, monkeypatch):
    data = export_bundle(store, finished_run(store))
    first = import_bundle(elsewhere, data, "ben")
    taken = sum(len(text) for text in stored_texts(elsewhere, first))
    monkeypatch.setattr(bundle, "QUOTA_BYTES", 2 * taken - 1)
    with pytest.raises(BundleError, match=r"imported runs would take .* delete some"):
        import_bundle(elsewhere, data, "ben")
    assert elsewhere.count_runs(owner="ben") == 1
    import_bundle(elsewhere, data, "anna")  # she has none yet
    import_bundle(elsewhere, data)  # nor has the command line a quota
    elsewhere.delete_run(first)
    import_bundle(elsewhere, data, "ben")


def test_a_refused_import_leaves_no_files(store, elsewhere, monkeypatch):
    files = [store.save_upload(text, {"name": "s.csv"}) for text in (b"abc", b"defg")]
    run_id = finished_run(store, data=[f"upload:{file}" for file in files])
    data = export_bundle(store, run_id, with_data=True)
    monkeypatch.setattr(uploads, "QUOTA_BYTES", 5)  # the second does not fit
    with pytest.raises(StoreError, match="delete some of your uploads"):
        import_bundle(elsewhere, data, "ben")
    monkeypatch.setattr(uploads, "QUOTA_BYTES", 500)
    monkeypatch.setattr(bundle, "QUOTA_BYTES", 5)
    with pytest.raises(BundleError, match="imported runs"):
        import_bundle(elsewhere, data, "ben")
    assert (elsewhere.runs(), elsewhere.owned_uploads("ben")) == ([], [])


def test_of_a_file_in_a_bundle_only_what_names_it_is_believed(store, elsewhere):
    upload = store.save_upload(b"a,b", {"name": "x", "reference": "file:/etc/passwd"}, "anna")
    data = export_bundle(store, finished_run(store, data=f"upload:{upload}"), with_data=True)
    import_bundle(elsewhere, data, "ben")
    assert [file.meta for file in elsewhere.owned_uploads("ben")] == [{"name": "x", "owner": "ben"}]


def test_settings_that_every_list_would_have_to_read_are_bounded(store, elsewhere):
    content = json.loads(export_bundle(store, finished_run(store)))
    content["settings"]["note"] = "x" * bundle.MAX_SETTINGS
    with pytest.raises(BundleError, match="characters"):
        import_bundle(elsewhere, json.dumps(content).encode())


def stored_texts(store, run_id):
    """The settings and all payloads of a run, as they are kept."""
    with store.database.read() as connection:
        yield connection.execute("SELECT settings FROM runs WHERE id = ?", (run_id,)).fetchone()[0]
        for name in bundle.TABLES:
            query = f"SELECT payload FROM {name} WHERE run_id = ?"
            yield from (row[0] for row in connection.execute(query, (run_id,)))
