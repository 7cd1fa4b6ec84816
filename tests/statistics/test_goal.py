"""Goals are spelled, read back, refused with a sentence, and read as money or as a floor."""

import numpy as np
import pytest
import torch

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.comparison.comparison import compare
from anyloss_core.data.suites.synthetic import SyntheticSettings, generate
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.losses import AnyLoss
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.statistics.goal import GoalError, cost_goal, floor_goal, formula_goal, parse_goal

COST = "cost: miss=50, alarm=1, hit=10, in=EUR"
FLOOR = "precision at recall >= 0.9"
GOALS = ["f1", "f0.5", "balanced_accuracy", COST, "cost: miss=5, alarm=1, hit=0", FLOOR]
GOALS += ["TP / (TP + FP + FN)", "(10 * TP - FP) / N"]


@pytest.mark.parametrize("text", GOALS)
def test_a_goal_is_read_back_from_its_text(text):
    goal = parse_goal(text)
    assert goal.text == text
    assert parse_goal(goal) is goal


@pytest.mark.parametrize("text", GOALS)
def test_every_goal_is_a_score_that_rises_and_a_loss_that_can_be_spelled(text):
    goal = parse_goal(text)
    assert not any("fall" in warning for warning in get_score(goal.metric).report.warnings)
    assert parse_loss(goal.loss).score.name == goal.metric
    assert goal.columns[0] == goal.metric
    assert all(get_score(each) for each in goal.columns)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Precision@recall>=0.9", FLOOR),
        ("recall at precision ≥ 80 %", "recall at precision >= 0.8"),
        ("cost: alarm=1,miss=50,hit=10,in=EUR", COST),
        (" F1 ", "f1"),
    ],
)
def test_spellings_are_tidied(typed, meant):
    assert parse_goal(typed).text == meant


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        ("", "f1, for example"),
        ("f1x", "did you mean"),
        ("cost: miss=50", "should raise an alarm"),
        ("cost: alarm=1", "give miss or hit a price"),
        ("cost: miss=-1, alarm=1", "from 0 to"),
        ("cost: miss=nan, alarm=1", "from 0 to"),
        ("cost: miss=many, alarm=1", "amount of money"),
        ("cost: mis=1", "no part of a cost"),
        ("cost: miss=5, alarm=1, in=1,2", "no part of a cost"),
        ("cost: miss=5, alarm=1, in=12", "short word"),
        ("precision at f1 >= 0.9", "a floor takes two of"),
        ("recall at recall >= 0.9", "hold another"),
        ("recall at precision >= 1.5", "between 0 and 1"),
        ("recall at precision >= 0.9.9", "amount"),
    ],
)
def test_a_bad_goal_gets_a_sentence(typed, advice):
    with pytest.raises(ValueError, match=advice):
        parse_goal(typed)


def test_the_formula_of_a_goal_is_that_goal_again():
    assert formula_goal(floor_goal("recall", "precision", 0.8).metric).text == (
        "recall at precision >= 0.8"
    )
    assert formula_goal(cost_goal(50, 1, 10).metric) == cost_goal(50, 1, 10)


def test_formulas_of_goals_have_names_in_tables_and_sentences():
    assert metric_words(parse_goal(FLOOR).metric) == "precision at recall ≥ 0.9"
    assert loss_words(parse_goal(COST).loss) == "AnyLoss-money (miss -50, alarm -1, hit +10)"
    assert parse_goal(COST).words == "money in EUR"


def test_the_score_of_a_cost_is_money_whatever_the_way_to_it():
    goal, counts = parse_goal(COST), Counts(tn=880.0, fn=4.0, fp=20.0, tp=96.0)
    assert goal.money(counts) == pytest.approx(96 * 10 - 4 * 50 - 20)  # of 1,000 rows
    score = float(get_score(goal.metric)(counts))
    assert goal.money_of(score, 0.1) == pytest.approx(goal.money(counts))


def test_a_cost_moves_by_one_between_nothing_and_everything():
    score = get_score(cost_goal(7, 2, 3).metric)
    nothing, perfect = Counts(90.0, 10.0, 0.0, 0.0), Counts(90.0, 0.0, 0.0, 10.0)
    assert float(score(perfect)) - float(score(nothing)) == pytest.approx(1)


def test_a_floor_is_its_metric_from_the_floor_on_and_falls_below_it():
    goal = parse_goal(FLOOR)
    met, missed = Counts(80.0, 1.0, 9.0, 10.0), Counts(85.0, 3.0, 4.0, 8.0)
    score = get_score(goal.metric)
    assert float(score(met)) == pytest.approx(10 / 19)
    assert float(score(missed)) == pytest.approx(8 / 12 - 5 * (0.9 - 8 / 11))


def test_the_probability_of_a_floor_follows_the_rows_it_rests_on():
    goal = parse_goal(FLOOR)
    few, many = Counts(0.0, 1.0, 0.0, 19.0), Counts(0.0, 50.0, 0.0, 950.0)
    assert 0.5 < goal.holds(few) < 0.95 < goal.holds(many)
    random = np.random.default_rng(0).beta(19.5, 1.5, 200_000)
    assert goal.holds(few) == pytest.approx((random >= 0.9).mean(), abs=0.005)
    assert parse_goal("f1").holds(few) == 1


@pytest.mark.parametrize("text", [COST, FLOOR])
def test_a_goal_can_be_trained_its_gradient_is_that_of_its_value(text):
    labels = torch.tensor([1, 0, 0, 1, 0, 1, 0, 0], dtype=torch.float64)
    logits = torch.linspace(-1, 1.3, 8, dtype=torch.float64).requires_grad_()
    loss = AnyLoss(parse_goal(text).metric, L=8)
    assert torch.autograd.gradcheck(lambda z: loss(z, labels), logits)


def test_anyloss_of_a_cost_earns_more_than_bce_cut_at_one_half():
    goal = parse_goal("cost: miss=20, alarm=1")
    data = generate(SyntheticSettings(rows=600, features=4, seed=1))
    found = compare(data, ["bce", goal.loss], folds=3, repeats=1, epochs=60)
    means = found.scores_of([goal.metric]).groupby("loss")["score"].mean()
    assert means[goal.loss] > means["bce"] + 0.02


def test_goals_are_errors_of_their_own():
    with pytest.raises(GoalError):
        parse_goal("cost: miss=5")
