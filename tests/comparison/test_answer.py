"""The answer of a comparison: advice, headline and contest are about the same two losses."""

import pytest

from anyloss_core.cli import main
from anyloss_core.common.wording import loss_words
from anyloss_core.comparison.answer import answer, goal_of
from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.synthetic import SyntheticSettings, generate
from anyloss_core.export.report_content import comparison_report
from anyloss_core.statistics.goal import parse_goal

COST = "cost: miss=10, alarm=1, hit=0, in=EUR"
DATA = generate(SyntheticSettings(rows=400, features=3, imbalance=4, seed=2))
BRIEF = {"folds": 3, "repeats": 1, "epochs": 20}


@pytest.fixture(scope="module")
def by_cost():
    losses = ["bce", "bce+threshold", parse_goal(COST).loss]
    return compare(DATA, losses, goal=COST, **BRIEF)


def test_the_goal_decides_what_the_answer_is_about(by_cost):
    found = answer(by_cost)
    assert found.goal == parse_goal(COST)
    assert found.contest.candidate == found.goal.loss
    assert found.contest.metric == found.goal.metric
    assert found.advice.verdict.candidate == found.contest.candidate
    assert found.contest.baseline == "bce"
    assert found.advice.verdict.baseline in ("bce", "bce+threshold")
    assert loss_words(found.contest.candidate) in found.headline


def test_the_advice_is_against_the_better_of_bce_and_its_tuned_form(by_cost):
    found = answer(by_cost)
    means = by_cost.scores_of([found.goal.metric]).groupby("loss")["score"].mean()
    assert found.advice.verdict.baseline == means[["bce", "bce+threshold"]].idxmax()
    chosen = answer(by_cost, baseline="bce+threshold")
    assert chosen.advice.verdict.baseline == chosen.contest.baseline == "bce+threshold"


def test_another_metric_can_be_looked_at(by_cost):
    found = answer(by_cost, metric="recall", baseline="bce")
    assert found.goal.text == "recall"
    assert found.contest.baseline == "bce"
    assert "on recall" in found.headline


def test_runs_of_before_goals_are_about_what_their_losses_aim_at():
    found = answer(compare(DATA, ["bce", "anyloss:gmean"], **BRIEF))
    assert found.goal.text == found.contest.metric == "gmean"


def test_a_run_without_a_goal_is_read_as_f1(by_cost):
    by_cost.settings.pop("goal", None)
    assert goal_of(by_cost).text == "f1"
    by_cost.settings["goal"] = COST
    assert goal_of(by_cost).text == COST


def test_the_report_and_the_command_line_say_the_same(tmp_path, capsys):
    table = tmp_path / "it.csv"
    DATA.frame.assign(target=DATA.labels).to_csv(table, index=False)
    asked = ["--goal", COST, "--folds", "3", "--repeats", "1", "--epochs", "20", "--yes"]
    report = tmp_path / "it.html"
    target = ["--target", DATA.target, "--report", str(report)]
    main(["compare", str(table), *target, *asked])
    said = capsys.readouterr().out
    advice = next(line for line in said.splitlines() if line.startswith(("Use", "Not decided")))
    assert advice.split(":")[0] in report.read_text(encoding="utf-8")


def test_a_report_opens_with_the_advice(by_cost):
    page = comparison_report(by_cost)
    assert answer(by_cost).advice.text.split(":")[0] in page
    assert "money" in page
