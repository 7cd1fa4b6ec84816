"""The page Runs: lists, chooses two, imports, deletes, resumes."""

import pytest

from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.jobs import queue
from anyloss_core.jobs.liveness import alive
from anyloss_core.store.bundle import export_bundle, import_bundle
from anyloss_core.store.store import insert_run
from pages.ui.runs import runs
from tests.pages.conftest import DATA, all_text, shown


def test_no_run_is_said_to_be_none(open_page):
    page = open_page("runs")
    assert not page.exception
    assert "None yet" in all_text(page)


def test_runs_are_listed_with_their_sentence(open_page, two):
    page = open_page("runs")
    assert not page.exception
    assert shown(page).index("s1") < shown(page).index("s0")
    assert any("On breast_cancer_imbalanced" in text.value for text in page.text)


def test_a_run_shows_the_settings_that_it_was_made_with(open_page, two):
    page = open_page("runs")
    page.session_state[f"set:{two[0]}"] = True
    page.run()
    rows = page.dataframe[0].value
    assert dict(rows.values.tolist())["comparison.losses"] == "bce, anyloss:f1"


@pytest.mark.parametrize("place", ["first", "second"])
def test_one_chosen_run_waits_for_another(open_page, two, place):
    page = open_page("runs", **{place: two[0]})
    assert "One run is chosen" in page.info[0].value
    page.button(key=f"pick:{two[1]}").click().run()
    assert len(page.dataframe[1].value) == 2  # the scores of both losses, side by side


def test_a_run_is_deleted_only_after_a_second_word(open_page, two):
    page = open_page("runs")
    assert len(runs.store().runs()) == 2
    page.session_state[f"del:{two[0]}"] = True
    page.run()
    page.button(key=f"del.yes:{two[0]}").click().run()
    assert [run.id for run in runs.store().runs()] == [two[1]]
    assert not page.exception


def test_an_imported_run_shows_the_same_page(open_page, two):
    content = export_bundle(runs.store(), two[0])
    again = import_bundle(runs.store(), content, owner="")
    first, second = open_page("compare", run=two[0]), open_page("compare", run=again)
    assert shown(first) == shown(second)


def test_an_interrupted_run_can_be_resumed(open_page, two, finished):
    settings = ComparisonSettings(losses=("bce",), folds=2, epochs=5)
    left = runs.store().create_run("compare", job_settings(DATA, settings), "left", queue=False)
    page = open_page("runs")
    page.button(key=f"again:{left}").click().run()
    page.query_params["run"] = left
    finished(page)
    assert runs.store().run(left).status == "done"


def many_runs(count, owner=""):
    with runs.store().database.write() as connection:
        return [
            insert_run(connection, "train", "{}", f"number {n}.", owner, status="done")
            for n in range(count)
        ]


def test_every_run_is_reached_page_by_page(open_page):
    open_page("runs")
    many_runs(612)
    page = open_page("runs")
    assert "Page 1 of 62, 612 runs" in all_text(page)
    assert page.button(key="runs.newer").disabled
    page.button(key="runs.older").click().run()
    assert "number 601." in all_text(page)
    assert "number 602." not in all_text(page)
    page = open_page("runs", page=99)
    assert "number 0." in all_text(page)
    assert page.button(key="runs.older").disabled
    page.button(key="runs.newer").click().run()
    assert "number 11." in all_text(page)


def test_a_long_list_reads_one_page_of_it_and_polls_only_what_is_at_work(open_page, monkeypatch):
    open_page("runs")
    made = many_runs(505)
    asked = []
    read_list, read_one = runs.recent, runs.find

    def recent(limit, *more):
        asked.append(limit)
        return read_list(limit, *more)

    def find(run_id):
        asked.append(run_id)
        return read_one(run_id)

    monkeypatch.setattr(runs, "recent", recent)
    monkeypatch.setattr(runs, "find", find)
    page = open_page("runs")
    assert not page.exception
    assert asked == ["", "", 10]  # no run is chosen to be set beside another
    asked.clear()
    with runs.store().database.write() as connection:
        connection.execute(
            "UPDATE runs SET status = 'paused', worker = 'w' WHERE id = ?", (made[-1],)
        )
    with alive(runs.store().home, "w"):
        page = open_page("runs")
        assert asked == ["", "", 10, made[-1]]
        assert page.button(key=f"stop:{made[-1]}")
        queue.finish(runs.store(), made[-1], "w", "done")


def test_the_table_is_made_when_somebody_opens_it(open_page):
    open_page("runs")
    many_runs(30)
    page = open_page("runs")
    assert not page.dataframe
    page.session_state["runs.table"] = True
    page.run()
    assert len(page.dataframe[0].value) == 30


@pytest.mark.parametrize("text", ['{"lr":Infinity}', "{", "[]"])
def test_a_run_that_cannot_be_read_hides_no_other_and_can_be_deleted(open_page, two, text):
    bad = many_runs(1)[0]
    with runs.store().database.write() as connection:
        connection.execute("UPDATE runs SET settings = ? WHERE id = ?", (text, bad))
        connection.execute("UPDATE results SET payload = x'00' WHERE run_id = ?", (two[0],))
    for url in ("runs", "home", "paper", "many", "compare"):
        page = open_page(url)
        assert not page.exception
        assert not page.error
    page = open_page("runs")
    assert "cannot be read" in all_text(page)
    assert "What came out cannot be read." in all_text(page)
    assert any("On breast_cancer_imbalanced" in text.value for text in page.text)
    page.session_state[f"del:{bad}"] = True
    page.run()
    page.button(key=f"del.yes:{bad}").click().run()
    assert {run.id for run in runs.store().runs()} == set(two)


def test_a_bundle_with_a_number_beyond_all_numbers_is_refused(open_page, two):
    data = export_bundle(runs.store(), two[0]).replace(b'"folds":3', b'"folds":1e999')
    with pytest.raises(ValueError, match="too large for a number"):
        import_bundle(runs.store(), data)
    assert len(runs.store().runs()) == 2
