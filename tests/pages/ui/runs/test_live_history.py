"""All epochs of a live training so far, read bit by bit."""

from dataclasses import replace

import pytest

from tests.live_runs import live_settings, train_live
from tests.pages.conftest import drawn
from tests.sample_jobs import add_events


def reading(run):
    import streamlit as st

    from pages.ui.runs.live_history import HISTORY, history_of

    history = history_of(run)
    kept = st.session_state[HISTORY][1] if HISTORY in st.session_state else None
    st.text("none" if history is None else " ".join(map(str, history.epochs)))
    st.text(id(kept))


def read(page):
    epochs, kept = (text.value for text in page.run().text)
    assert not page.exception
    return epochs, kept


@pytest.fixture
def trained(store):
    return train_live(store, epochs=4, losses=("bce",))[0]


def test_a_finished_run_has_all_its_epochs_and_is_read_once(trained):
    page = drawn(reading, run=trained)
    first = read(page)
    assert first[0] == "1 2 3 4"
    assert read(page) == first  # the same history, with nothing twice


def test_new_epochs_are_added_until_all_come_packed(store):
    run, history = train_live(store, epochs=4, losses=("bce",))
    (packed,) = store.events(run.id)
    forget(store, run)
    add_events(store, run.id, event(history, 1))
    page = drawn(reading, run=run)
    epochs, kept = read(page)
    assert epochs == "1"
    add_events(store, run.id, event(history, 2))
    assert read(page) == ("1 2", kept)
    forget(store, run)
    add_events(store, run.id, (4, packed.payload))  # the training is over
    assert read(page) == ("1 2 3 4", kept)


def event(history, epoch):
    snapshot = history.snapshot(epoch)
    return epoch, {**snapshot.values, "parameters": dict(snapshot.tensors)}


def forget(store, run):
    with store.database.write() as connection:
        connection.execute("DELETE FROM events WHERE run_id = ?", (run.id,))


def test_another_attempt_is_read_anew(trained):
    page = drawn(reading, run=trained)
    _, kept = read(page)
    page.kwargs = {"run": replace(trained, attempt=trained.attempt + 1)}
    epochs, other = read(page)
    assert epochs == "1 2 3 4"
    assert other != kept


def test_a_run_whose_data_is_not_prepared_has_no_history(store):
    run_id = store.create_run("train", live_settings().to_dict(), queue=False)
    assert read(drawn(reading, run=store.run(run_id)))[0] == "none"
