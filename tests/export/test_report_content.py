"""What stands in a report: the sentence of the page, every section, every failure."""

import html

import pytest

from anyloss_core.benchmark.benchmark import run_benchmark
from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.promise import training_words
from anyloss_core.comparison.tables import all_scores
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.report_content import benchmark_report, comparison_report
from anyloss_core.statistics.suite_sentence import suite_headline
from anyloss_core.statistics.verdict_sentence import headline
from tests.small_suite import QUICK, write_suite
from tests.support.leaky_table import LEAK, leaky_frame


@pytest.fixture(scope="module")
def comparison():
    return compare(builtin("moons"), ["mse", "bce", "anyloss:gmean"], folds=3, epochs=5)


def headings(page):
    return [part.split("</h2>")[0] for part in page.split("<h2>")[1:]]


def test_a_comparison_is_about_the_first_aiming_loss_against_bce(comparison):
    page = comparison_report(comparison)
    sentence = headline(all_scores(comparison), "moons", comparison.settings)
    assert html.escape(sentence) in page
    assert headings(page)[:3] == [
        "Scores",
        "Difference to BCE on every fold",
        "Who wins on G-mean",
    ]


def test_plan_and_recipes_of_every_fold_are_told(comparison):
    page = comparison_report(comparison)
    assert html.escape(training_words(comparison, "gmean")) in page
    assert "all rows at once, 5 epochs. " in page
    assert "Recipe of every fold" in headings(page)
    plain = comparison_report(compare(builtin("moons"), ["mse", "bce"], folds=3, epochs=5))
    assert "Recipe of every fold" not in headings(plain)


def test_the_choices_of_the_reader_are_those_of_the_report(comparison):
    page = comparison_report(comparison, candidate="bce", baseline="mse", metric="f1")
    assert "Difference to MSE on every fold" in headings(page)
    assert "Who wins on F1" in headings(page)
    chosen = {"candidate": "bce", "baseline": "mse", "metric": "f1"}
    sentence = headline(all_scores(comparison), "moons", comparison.settings, **chosen)
    assert html.escape(sentence) in page


def test_a_lone_loss_is_held_against_nothing():
    page = comparison_report(compare(builtin("moons"), ["bce"], folds=2, epochs=3))
    assert "there is nothing to compare it with" in page
    assert not [title for title in headings(page) if title.startswith(("Difference", "Who wins"))]


def test_a_benchmark_tells_its_failures_and_every_contest(tmp_path, store):
    found = run_benchmark(write_suite(tmp_path / "suite", tables=3), store=store, **QUICK)
    page = benchmark_report(found)
    assert html.escape(suite_headline(found.scores)) in page
    for name in found.failed["dataset"]:
        assert f"{name} failed" in page
    contests = [title for title in headings(page) if title.endswith("sign test")]
    assert len(contests) == len(found.scores["loss"].unique()) - 1


def test_a_column_that_gives_the_answer_away_is_noted():
    data = dataset_from_frame(leaky_frame(), "late")
    found = compare(data, ["bce", "anyloss:f1"], folds=3, epochs=5)
    assert found.settings["leaks"] == {LEAK: 1.0}
    assert html.escape(f"'{LEAK}' alone reaches AUC 1.0000") in comparison_report(found)
