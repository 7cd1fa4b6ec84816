"""The parts of Home: a first comparison, ways to go on, recent runs, sample files."""

from dataclasses import replace

import pytest

from anyloss_core.comparison.job import job_settings, load_comparison
from anyloss_core.comparison.protocols import plan_words
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.jobs.jobs import run_job
from pages.ui.base.navigation import PAGES
from pages.ui.data.chosen import open_dataset
from pages.ui.home import panels
from pages.ui.runs import kinds, runs
from tests.pages.conftest import all_text, drawn, shown

FIRST = ("bce", "anyloss:f1", "bce+threshold")


def test_every_built_in_data_set_can_be_saved(open_page):
    saved = [button.label for button in open_page().get("download_button")]
    assert "random.csv" in saved
    assert "digits.csv" in saved


def test_a_run_that_does_not_exist_is_said_not_to(open_page):
    page = open_page(run="0" * 32)
    assert not page.exception
    assert "no such run" in all_text(page)


@pytest.fixture
def home(open_page):
    """Home after seven runs."""
    for number in range(7):
        runs.store().create_run("sweep" if number % 2 else "", {}, f"run {number}", queue=False)
    return open_page()


def test_the_five_newest_runs_are_listed_newest_first(home):
    listed = [text.value for text in home.text if text.value.startswith("run ")]
    assert listed == [f"run {number}" for number in (6, 5, 4, 3, 2)]
    facts = [caption.value for caption in home.caption if "interrupted" in caption.value]
    assert len(facts) == 5
    assert all(fact.endswith(", 0.0 s") for fact in facts)


def test_every_page_with_something_to_say_is_linked(home):
    said = [link.proto.label for link in home.get("page_link")]
    assert [f"{info.title}: {info.about}" for info in PAGES if info.about] == [
        label for label in said if ": " in label
    ]


def test_a_finished_comparison_is_told_and_scored_here(open_page, two):
    page = open_page(run=two[0])
    table = page.dataframe[0].value.set_index("loss")
    means = load_comparison(runs.store(), two[0]).summary()
    assert list(table.columns) == ["F1", "accuracy", "recall", "precision"]
    assert table.loc["BCE"].tolist() == means.loc["bce", panels.FIRST_METRICS].round(3).tolist()
    said = shown(page)
    first = min(said.find(word) % len(said) for word in ("Use BCE", "Use AnyLoss", "Not decided"))
    assert 0 < first < said.index("On data set 1, ")
    assert "Everything about this comparison" in [e.proto.label for e in page.get("page_link")]


def test_the_table_says_what_a_tuned_threshold_is_tuned_for(open_page):
    job = job_settings("builtin:moons", ComparisonSettings(FIRST, folds=2, repeats=1, epochs=5))
    run = runs.store().create_run("compare", job, "first", queue=False)
    run_job(runs.store(), run)
    assert "tuned for the metric of each column" in all_text(open_page(run=run))


def outcome(run):
    from pages.ui.home import panels

    panels.show_outcome(run)


def test_a_run_at_work_or_of_another_kind_has_no_outcome_here(two):
    done = runs.store().run(two[0])
    for other in (replace(done, status="running"), replace(done, kind="sweep")):
        page = drawn(outcome, run=other)
        assert not page.dataframe
        assert not page.get("html")


def test_the_first_comparison_is_what_the_text_promises(home):
    promise = "10,000 rows, one in ten positive. A one-layer network is trained ten times"
    assert promise in all_text(home)
    dataset = open_dataset(kinds.FIRST_COMPARISON["data"])
    settings = ComparisonSettings.from_dict(kinds.FIRST_COMPARISON["comparison"])
    assert (dataset.rows, dataset.positives) == (10_000, pytest.approx(1000, rel=0.05))
    assert (settings.model, settings.folds) == ("slp", 10)
    assert settings.losses == FIRST
    planned = settings.for_rows(dataset.rows)
    assert plan_words(planned.plan, planned.training_rows) == panels.FIRST_PLAN
    assert f"Plan: {panels.FIRST_PLAN}." in all_text(home)
