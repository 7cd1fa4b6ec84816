"""All runs, or all files, of one visitor deleted at once: after a question, and nobody else's."""

import pytest

from pages.ui.runs import runs
from tests.pages.conftest import all_text


@pytest.fixture
def kept(visit):
    """Runs and files of two visitors and of the command line."""
    visit("anna", "runs")
    store = runs.store()
    for owner in ("anna", "anna", "ben", ""):
        store.create_run("train", {}, f"of {owner}", owner, queue=False)
        store.save_upload(b"x,y\n1,0\n", {"name": "t.csv"}, owner)
    return store


def press(page, name):
    """Open the question, then say yes."""
    page.session_state[name] = True
    page.run()
    said = all_text(page)
    page.button(key=f"{name}.yes").click().run()
    assert not page.exception
    return said


def test_all_runs_of_a_visitor_are_deleted_after_a_second_word(visit, kept):
    page = visit("anna", "runs")
    assert len(kept.runs()) == 4
    assert "2 runs of this browser" in press(page, "clean.runs")
    assert {run.owner for run in kept.runs()} == {"ben", ""}
    assert len(kept.owned_uploads("anna")) == 2
    assert "Your runs are deleted." in all_text(page)


def test_all_files_of_a_visitor_are_deleted_after_a_second_word(visit, kept):
    page = visit("anna", "runs")
    assert "2 files that you brought" in press(page, "clean.uploads")
    assert [len(kept.owned_uploads(owner)) for owner in ("anna", "ben", "")] == [0, 1, 1]
    assert len(kept.runs()) == 4


def test_a_run_at_work_is_stopped_and_said_to_be(visit, kept):
    from anyloss_core.jobs import queue
    from anyloss_core.jobs.liveness import alive

    run_id = kept.create_run("train", {}, "busy", "anna", queue=False)
    with alive(kept.home, "w"):
        queue.claim(kept, "w", run_id)
        page = visit("anna", "runs")
        press(page, "clean.runs")
        assert "1 at work are being stopped" in all_text(page)
        assert kept.run(run_id).wanted == "stop"
        queue.finish(kept, run_id, "w", "cancelled")


def test_who_has_nothing_cannot_press(visit, kept):
    page = visit("clara", "runs")
    for name in ("clean.runs", "clean.uploads"):
        page.session_state[name] = True
        page.run()
        assert page.button(key=f"{name}.yes").disabled
