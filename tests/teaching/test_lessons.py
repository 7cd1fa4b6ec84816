"""The lessons as data: every answer and every figure in them is what the core computes."""

import re

import numpy as np
import pytest

from anyloss_core.comparison.protocols import FRESH, LARGE
from anyloss_core.data.suites.references import open_reference
from anyloss_core.data.suites.synthetic import SyntheticSettings
from anyloss_core.engine.loop import train
from anyloss_core.live.scene import prepare
from anyloss_core.live.settings import LiveSettings
from anyloss_core.losses.approximation import approximate, valid_range
from anyloss_core.losses.scores import get_score
from anyloss_core.teaching import metric
from anyloss_core.teaching.guesses import ChoiceGuess, NumberGuess
from anyloss_core.teaching.lessons import LESSONS
from anyloss_core.teaching.when_it_helps import kept, summary

BY_NAME = {lesson.name: lesson for lesson in LESSONS}


def test_lessons_have_names_of_their_own_that_can_be_kept():
    assert len(BY_NAME) == len(LESSONS)
    assert all(re.fullmatch("[a-z_]{1,40}", name) for name in BY_NAME)


@pytest.mark.parametrize("name", BY_NAME)
def test_the_answer_is_among_the_guesses_that_can_be_made(name):
    guess = BY_NAME[name].guess
    assert guess.read(guess.answer) is not None
    assert guess.question
    assert guess.because


def test_the_honest_classifier_is_right_less_often_than_the_lazy_one():
    answer = BY_NAME["accuracy"].guess.answer
    assert answer == pytest.approx(100 * (0.05 * 0.7 + 0.95 * 0.95))
    assert answer < 95


def test_the_sketched_curve_is_the_amplifier():
    guess = BY_NAME["amplifier"].guess
    np.testing.assert_allclose(guess.answer, [approximate(p, 20.0) for p in guess.x])


def test_a_small_L_pulls_towards_the_middle():
    guess = BY_NAME["too_small"].guess
    assert isinstance(guess, ChoiceGuess)
    assert guess.options[guess.answer].startswith(f"{approximate(0.1, 5.0):.2f}:")
    assert f"= {approximate(0.1, 5.0):.3f}" in guess.because


def test_lesson_3_tells_the_papers_limit_and_where_a_training_begins():
    said = BY_NAME["too_small"].see
    plans = [FRESH.plans["mlp"], FRESH.plans["slp"], FRESH.large["mlp"]]
    (mlp, slp, large), ends = zip(*((plan.L.start, plan.L.end) for plan in plans), strict=True)
    assert FRESH.large["slp"].L == FRESH.large["mlp"].L
    rows = f"{large:g} (more than {LARGE:,} rows)"
    assert f"begins at L = {mlp:g} (MLP), {slp:g} (single layer) or {rows}" in said
    assert "rise to {:g}, {:g} or {:g}".format(*ends) in said
    assert all(plan.search for plan in plans)  # others beside it
    smallest, _ = valid_range(0.1).as_published()
    assert f"at least {smallest:g} (t = 0.1)" in said


def test_float32_learns_up_to_less_than_half_the_L():
    guess = BY_NAME["too_large"].guess
    assert guess.answer == np.floor(valid_range(0.001, "float32").maximum)
    assert valid_range(0.001, "float64").maximum > 73


def test_the_soft_f1_is_that_of_data_set_1():
    sample = metric.reference_sample(open_reference("builtin:random"))
    table = metric.soft_against_hard(get_score("f1"), sample, np.array([5.0]))
    guess = BY_NAME["soft_matrix"].guess
    assert isinstance(guess, NumberGuess)
    assert guess.answer == round(float(table["soft"].iloc[0]), 2)
    assert f"F1 = {table['hard'].iloc[0]:.2f}" in guess.question


def test_the_losses_find_as_many_of_the_rare_rows_as_the_lesson_says():
    """The training of the lesson itself, 4 s."""
    data = SyntheticSettings(4_000, 5, 19.0, 1.0, 0.02).reference
    losses = ("bce", "mse", "sol:f1", "anyloss:f1")
    scene = prepare(LiveSettings(data=data, losses=losses, epochs=200), open_reference(data))
    *_, last = train(scene.study)
    bce, mse, sol, anyloss = (round(float(count)) for count in last.valid_hard.tp)
    guess = BY_NAME["side_by_side"].guess
    assert round(float((last.valid_hard.tp + last.valid_hard.fn)[0])) == guess.high == 60
    assert bce == guess.answer
    assert sol == anyloss
    assert f"With MSE it finds {mse}, with SOL or AnyLoss for F1 {sol}." in guess.because


def test_lesson_8_names_the_figures_of_its_study():
    mean = summary(kept()).set_index(["data", "method"])["mean"]["far"]
    guess = BY_NAME["helps"].guess
    assert f"reaches F1 = {mean['BCE + threshold']:.2f}." in guess.question
    best, longer = mean["BCE + the best threshold there is"], mean.filter(like="five times")
    assert f"gives {best:.2f}, five times as many epochs {longer.item():.2f};" in guess.because
    assert f"reaches {mean['AnyLoss-F1']:.2f}." in guess.because
