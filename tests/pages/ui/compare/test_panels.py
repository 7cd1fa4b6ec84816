"""The result of a comparison: the sentence, the table of means, who beats whom how surely."""

from dataclasses import replace

import pytest

from anyloss_core.comparison.promise import training_words
from anyloss_core.comparison.tables import unbeaten
from anyloss_core.losses.confusion import Counts
from anyloss_core.statistics.goal import parse_goal
from anyloss_core.statistics.verdict_sentence import fold_verdict
from pages.ui.compare.panels import ComparisonView, _candidate
from pages.ui.runs import runs
from tests.pages.conftest import all_text, charts, drawn, shown


def test_baseline_and_rope_change_the_sentence(open_page, made):
    page = open_page("compare", run=made)
    page.selectbox(key="compare.baseline").select("bce").run()
    assert "BCE on F1" in shown(page)
    before = shown(page)
    page.selectbox(key="compare.baseline").select("bce+threshold").run()
    assert "with threshold for F1 on F1" in shown(page)
    assert "BCE with a threshold of 0." in shown(page)  # the advice speaks of the same loss
    assert shown(page) != before
    page.slider(key="compare.rope").set_value(0.2).run()
    assert "within the rope of 0.2" in all_text(page)


def test_plan_promise_and_recipes_stand_below_the_table(open_page, made, comparison):
    words = training_words(comparison)
    assert words.startswith(f"Plan: {comparison.settings['plan']}. ")
    assert "Recipe of AnyLoss-F1: " in words
    page = open_page("compare", run=made)
    assert words.partition("Recipe")[2] in all_text(page)
    (table,) = [t.value for t in page.dataframe if "Recipe" in t.value]
    assert len(table) == len(comparison.recipes)
    assert set(table["Loss"]) == {"AnyLoss-F1"}
    assert set(table["Over"]) == {"BCE with a tuned threshold"}


def test_a_formula_can_be_the_metric(open_page, made):
    page = open_page("compare", run=made, metric="TP / (TP + FP + FN)", view="predictions")
    assert not page.exception
    assert page.dataframe[0].value.columns[1] == "TP / (TP + FP + FN)"


def test_a_stopped_run_shows_what_was_trained(open_page, made):
    stored = runs.store().get_result(made, "comparison")
    stored["settings"] = stored["settings"] | {"epochs": 500}
    runs.store().put_result(made, "comparison", stored)
    assert "Stopped after 20 of 500 epochs" in all_text(open_page("compare", run=made))


@pytest.mark.parametrize(
    ("losses", "metric", "candidate"),
    [
        (["bce", "anyloss:f1", "anyloss:gmean"], "gmean", "anyloss:gmean"),
        (["bce", "anyloss:f1", "anyloss:gmean@L=9"], "gmean", "anyloss:gmean@L=9"),
        (["bce", "anyloss:f1"], "recall", "anyloss:f1"),  # nothing aims at it
        (["mse", "bce"], "f1", "mse"),
    ],
)
def test_the_candidate_aims_at_the_metric_if_any_loss_does(losses, metric, candidate):
    assert _candidate(losses, metric) == candidate


def view_of(comparison, baseline="bce"):
    metrics = ("f1", "recall")
    return ComparisonView(
        "f1", "anyloss:f1", baseline, 0.01, comparison, f"panels.{baseline}", metrics
    )


def test_every_other_loss_is_judged_against_the_baseline(comparison):
    view = view_of(comparison)
    assert set(view.scores["metric"]) == {"f1", "recall"}
    verdicts = view.verdicts("recall")
    assert [verdict.candidate for verdict in verdicts] == ["anyloss:f1", "bce+threshold"]
    scores = comparison.scores
    asked = ("anyloss:f1", "bce", "recall", comparison.settings, 0.01)
    assert verdicts[0].candidate_wins == fold_verdict(scores, *asked).candidate_wins
    assert verdicts[1].difference != view.verdicts("f1")[1].difference


def differing(view):
    from pages.ui.compare import panels

    panels.difference(view)


def test_the_difference_is_told_in_words_beside_each_chart(comparison):
    page = drawn(differing, view=view_of(comparison))
    means = comparison.summary()["f1"]
    gap = means["anyloss:f1"] - means["bce"]
    alts = {key: chart["alt"] for key, chart in charts(page).items()}
    assert f"Means: AnyLoss-F1 {gap:+.4f}, BCE with a tuned" in alts["difference_per_fold"]
    assert alts["win_draw_lose"].startswith("Probabilities of winning, drawing and losing on F1. ")
    assert f"Mean difference {gap:+.4f}; with 95 % probability" in page.caption[0].value
    assert [title.value for title in page.header][1] == "Against BCE"


def test_one_loss_has_nothing_to_be_compared_with(comparison):
    page = drawn(differing, view=view_of(comparison, baseline=None))
    assert "Add another and compare again" in page.info[0].value
    assert not charts(page)


def means(view):
    from pages.ui.base.state import Board
    from pages.ui.compare import controls, panels

    panels.mean_table(view, Board("compare", *controls.VIEW).open())


def test_means_stand_with_their_spread_and_the_best_is_marked(comparison):
    table = drawn(means, view=view_of(comparison)).dataframe[0].value
    assert list(table.columns) == ["Loss", "F1", "Recall"]
    mean, spread = comparison.summary()["f1"], comparison.summary("std")["f1"]
    for cell, loss in zip(table["F1"], comparison.seconds, strict=True):
        assert cell.startswith(f"{mean[loss]:.3f} ± {spread[loss]:.3f}")
        best = unbeaten(comparison.scores, "f1", 0.01, comparison.settings)
        alone = len(best) == 1
        assert ("★" in cell, "≈" in cell) == (loss in best and alone, loss in best and not alone)


def test_money_and_the_chance_of_a_floor_stand_beside_their_score(comparison):
    goals = {
        "cost: miss=10, alarm=1, hit=0, in=EUR": "EUR per 1,000 rows",
        "precision at recall >= 0.5": "The floor holds",
    }
    for text, column in goals.items():
        goal = parse_goal(text)
        told = replace(comparison, settings=comparison.settings | {"goal": goal.text})
        view = replace(view_of(told), metric=goal.metric, metrics=(goal.metric,), key=goal.text)
        table = drawn(means, view=view).dataframe[0].value
        assert column in table.columns
        rows = comparison.confusion_for(goal.metric)
        rows = rows[rows["loss"] == "bce"]
        counts = Counts(*(float(rows[name].sum()) for name in Counts._fields))
        shown = table.set_index("Loss").loc["BCE", column]
        if goal.kind == "cost":
            assert shown == round(goal.money(counts))
        else:
            assert float(shown) == pytest.approx(
                goal.holds(counts), abs=0.2
            )  # repeats counted once
