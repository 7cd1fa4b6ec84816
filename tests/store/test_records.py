"""What the store hands out: runs with their state, texts that SQLite can hold."""

from dataclasses import replace

import pytest

from anyloss_core.store.records import clean_text


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
