"""Verdicts drawn: bars that add up to one, the triangle, Student's posterior."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.figures import verdicts
from anyloss_core.figures.style import GOOD
from anyloss_core.figures.verdicts import outcome_bars
from anyloss_core.statistics.bayes import correlated_t_test, sign_test
from anyloss_core.statistics.verdict_sentence import fold_verdict
from tests.figures.test_comparison import SCORES


def test_the_three_outcomes_add_up_to_one():
    verdict = fold_verdict(SCORES, "anyloss:f1", "bce", "f1")
    figure = outcome_bars([verdict])
    assert figure.layout.uniformtext.mode == "hide"  # no number too small to be read
    bars = figure.data
    assert sum(bar.x[0] for bar in bars) == pytest.approx(1)
    assert [bar.name for bar in bars] == ["loses", "draws", "wins"]


def test_outcome_bars_stack_losing_drawing_winning_to_one(scores):
    figure = verdicts.outcome_bars(sign_test(scores))
    assert [bar.name for bar in figure.data] == ["loses", "draws", "wins"]
    assert figure.layout.barmode == "stack"
    assert np.sum([bar.x for bar in figure.data], axis=0) == pytest.approx([1, 1])
    contests = dict(zip(figure.data[2].y, figure.data[2].x, strict=True))
    assert contests["AnyLoss-F1"] > 0.9 > 0.1 > contests["MSE"]


def test_wins_ties_and_losses_stand_at_the_bars_of_many_data_sets(scores):
    found = sign_test(scores)
    figure = verdicts.outcome_bars(found)
    assert [note.text for note in figure.layout.annotations] == [v.votes for v in found]
    assert found[0].votes == f"{found[0].wins} / {found[0].ties} / {found[0].losses}"


def test_the_simplex_puts_the_candidate_at_the_right(scores):
    verdict = next(v for v in sign_test(scores) if v.candidate == "anyloss:f1")
    cloud = verdicts.posterior_simplex(verdict).data[0]
    assert np.mean(cloud.x) > 0.8
    assert (np.asarray(cloud.marker.color) == GOOD).all()
    assert np.asarray(cloud.y) == pytest.approx(
        verdict.posterior[: verdicts.SHOWN_DRAWS, 1] * np.sqrt(3) / 2
    )


def test_the_corners_of_the_simplex_say_how_many_data_sets_voted_for_them(scores):
    verdict = next(v for v in sign_test(scores) if v.candidate == "anyloss:f1")
    corners = [note.text for note in verdicts.posterior_simplex(verdict).layout.annotations]
    votes = (verdict.losses, verdict.ties, verdict.wins)
    for text, count in zip(corners, votes, strict=True):
        assert text.endswith(f" · {count} of {verdict.n_datasets}")


def test_a_fold_posterior_peaks_at_the_difference():
    rng = np.random.default_rng(0)
    rows = [
        (loss, fold, "f1", 0.5 + gain + rng.normal(0, 0.01))
        for loss, gain in (("bce", 0), ("anyloss:f1", 0.1))
        for fold in range(10)
    ]
    scores = pd.DataFrame(rows, columns=["loss", "fold", "metric", "score"])
    verdict = correlated_t_test(scores)
    figure = verdicts.fold_posterior(verdict)
    assert figure.layout.xaxis.title.text == "F1: AnyLoss-F1 − BCE"
    curve = figure.data[0]
    step = curve.x[1] - curve.x[0]
    assert curve.x[np.argmax(curve.y)] == pytest.approx(verdict.difference, abs=step)


def test_a_fold_posterior_without_spread_is_a_line():
    rows = [
        (loss, fold, "f1", score) for loss, score in (("bce", 0.5), ("mse", 0.5)) for fold in "ab"
    ]
    verdict = correlated_t_test(pd.DataFrame(rows, columns=["loss", "fold", "metric", "score"]))
    figure = verdicts.fold_posterior(verdict)
    assert not figure.data
    assert any(shape.x0 == 0 == shape.x1 for shape in figure.layout.shapes)
