"""What the store hands out: runs with their state, texts that SQLite can hold."""

from dataclasses import replace

import pytest

from anyloss_core.store.records import clean_text
from anyloss_core.store.store import StoreError
from tests.sample_jobs import add_events


def test_titles_and_messages_of_any_text_are_kept_short_and_storable(store):
    run_id = store.create_run("train", {}, "x" * 5000)
    assert len(store.run(run_id).title) == 200
    run_id = store.create_run("train", {}, "a\0b\ud800'); DROP TABLE runs; --\u202e")
    assert store.run(run_id).title == "ab?'); DROP TABLE runs; --\u202e"


@pytest.fixture
def queued(store):
    return store.run(store.create_run("train", {"lr": 0.1}))


@pytest.mark.parametrize(
    ("status", "active", "resumable"),
    [
        ("queued", True, False), ("running", True, False), ("paused", True, False),
        ("done", False, False), ("cancelled", False, True), ("failed", False, True),
        ("interrupted", False, True),
    ],
)  # fmt: skip
def test_a_state_says_what_can_be_done_with_a_run(queued, status, active, resumable):
    run = replace(queued, status=status)
    assert (run.active, run.resumable) == (active, resumable)
    assert not replace(run, imported=True).resumable  # its data may not be here


@pytest.mark.parametrize(
    ("status", "done", "total", "share"),
    [
        ("running", 3.0, 4.0, 0.75), ("running", 0.0, 0.0, 0.0), ("running", 9.0, 4.0, 1.0),
        ("running", -1.0, 4.0, 0.0), ("done", 0.0, 0.0, 1.0), ("failed", 1.0, 4.0, 0.25),
    ],
)  # fmt: skip
def test_progress_lies_between_nothing_and_all(queued, status, done, total, share):
    assert replace(queued, status=status, done=done, total=total).share == share


def test_long_texts_are_cut_and_impossible_letters_replaced():
    assert clean_text("ab\0c") == "abc"
    assert clean_text("x" * 3000) == "x" * 2000
    assert clean_text("x\udc80y", 2) == "x?"
    assert clean_text(ValueError("why")) == "why"


@pytest.mark.parametrize(
    "text", ['{"lr":Infinity}', '{"lr":1e999}', "{", "[1]", '{"$array":1}', ""]
)
def test_a_run_whose_settings_cannot_be_read_says_so_and_hides_no_other(store, text):
    good, bad = store.create_run("train", {"seed": 1}), store.create_run("train", {"seed": 2})
    with store.database.write() as connection:
        connection.execute("UPDATE runs SET settings = ? WHERE id = ?", (text, bad))
    first, second = store.runs()
    assert (first.id, first.damaged, first.settings) == (bad, True, {})
    assert (second.id, second.damaged, second.settings) == (good, False, {"seed": 1})
    assert not replace(first, status="failed").resumable
    store.set_control(bad, "stop")
    with pytest.raises(StoreError, match="is damaged and cannot go on"):
        store.requeue(bad)
    store.delete_run(bad)
    assert [run.id for run in store.runs()] == [good]


def test_a_damaged_unit_is_a_failed_one_and_a_damaged_event_is_left_out(store):
    run_id = store.create_run("benchmark", {})
    add_events(store, run_id, (1, {"a": 1}), (2, {"a": 2}), (3, {"a": 3}))
    for key in ("x", "y"):
        store.put_unit(run_id, key, 5)
    with store.database.write() as connection:
        connection.execute("UPDATE units SET payload = x'00' WHERE key = 'x'")
        connection.execute("UPDATE events SET payload = x'00' WHERE epoch = 2")
    assert [event.epoch for event in store.events(run_id)] == [1, 3]
    assert [unit.key for unit in store.units(run_id, "done")] == ["y"]
    (failed,) = store.units(run_id, "failed")
    assert (failed.key, failed.payload) == ("x", None)
    assert "damaged" in failed.reason
