"""Runs as pages see them: who owns them, what an id is, what the progress line says."""

import pytest

from anyloss_core.jobs import queue
from anyloss_core.jobs.queue import JobProgress
from pages.ui.runs import runs
from pages.ui.runs.runs import RUN
from tests.pages.conftest import all_text, serve_at


@pytest.mark.parametrize("text", ["", "0123456789abcdef" * 2, "0" * 31, "../" + "0" * 29])
def test_a_short_text_is_looked_for_and_an_endless_one_is_not(text):
    assert RUN.read(text) == text
    assert RUN.read(3 * f"{text:40}") == ""


PAGES = ("home", "compare", "sweep", "train", "many", "paper", "runs")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("text", ["0" * 32, "abc"])
def test_every_page_says_that_a_run_is_not_there(open_page, page, text):
    app = open_page(page, run=text)
    assert not app.exception
    said = [box.value for box in app.info if "no such run" in box.value]
    assert len(said) == 1
    assert f"`{text}`" in said[0]


def test_a_waiting_run_says_its_position_and_a_finished_one_how_long_it_took(open_page):
    open_page("runs")
    store = runs.store()
    run = store.run(store.create_run("compare", {}, "t", queue=False))
    assert not run.active
    assert runs.find(run.id).id == run.id
    assert runs.find("0" * 32) is None
    assert runs.find("") is None


def test_a_third_training_of_a_visitor_says_when_it_starts(open_page):
    open_page("runs")
    store = runs.server().store
    for eta in (42.0, 300.0):
        first = store.create_run("train", {}, owner="a", queue=False)
        queue.claim(store, "w", first)
        queue.record(store, first, "w", JobProgress(eta=eta))
    third = store.create_run("train", {}, owner="a")
    told = runs.progress_text(store.run(third))
    assert told == "waiting, place 1 in the queue, starts in about 40 s"
    queue.record(store, first, "w", JobProgress(eta=2.0))
    assert runs.progress_text(store.run(third)) == "starting"


def test_the_newest_runs_come_first(open_page):
    open_page("runs")
    made = [runs.store().create_run("compare", {}, str(n), queue=False) for n in range(3)]
    assert [run.id for run in runs.store().runs("compare", 2)] == made[:0:-1]


@pytest.fixture
def left(visit):
    """An interrupted run of anna."""
    visit("anna", "runs")
    settings = {"data": "builtin:moons", "comparison": {"losses": ["bce"], "folds": 2}}
    return runs.store().create_run("compare", settings, "of anna", "anna", queue=False)


@pytest.mark.parametrize("address", ["localhost", "0.0.0.0"])
def test_a_stranger_with_the_link_sees_a_run_and_cannot_change_it(visit, left, address):
    serve_at(address)
    page = visit("ben", "compare", run=left)
    assert "Interrupted." in all_text(page)
    assert runs.NOT_YOURS in all_text(page)
    assert not [button for button in page.button if button.label in ("Resume", "Stop", "Pause")]
    for act in (runs.resume, runs.delete, lambda run_id: runs.ask(run_id, "stop")):
        act(left)  # as a click that was forged would
        assert runs.store().run(left).status == "interrupted"
    page = visit("anna", "compare", run=left)
    assert runs.NOT_YOURS not in all_text(page)
    assert [button.label for button in page.button if button.label == "Resume"]


def test_a_run_of_the_command_line_exists_on_a_local_server_only(visit, left):
    path = "/home/teacher/exam.csv"
    settings = {"data": f"file:{path}", "comparison": {"losses": ["bce"]}}
    run_id = runs.store().create_run("compare", settings, f"{path}: BCE", "", queue=False)
    page = visit("anna", "runs")
    assert path in all_text(page)
    page.session_state[f"del:{run_id}"] = True
    assert page.run().button(key=f"del.yes:{run_id}")
    serve_at("0.0.0.0")
    assert runs.find(run_id) is None
    for url, query in (("runs", {}), ("home", {}), ("compare", {"run": run_id})):
        page = visit("anna", url, **query)
        assert not page.exception
        assert path not in all_text(page)
    page = visit("anna", "runs", first=run_id, second=left)
    assert path not in all_text(page)
    for act in (runs.resume, runs.delete):
        act(run_id)
        assert runs.store().run(run_id).status == "interrupted"


def test_a_page_resumes_no_run_that_opens_files(visit):
    visit("anna", "runs")
    run_id = runs.store().create_run("compare", {"data": "file:/a.csv"}, "t", "", queue=False)
    runs.resume(run_id)
    assert runs.store().run(run_id).status == "interrupted"
    assert runs.start("compare", {"data": "file:/etc/passwd"}, "t") is None
