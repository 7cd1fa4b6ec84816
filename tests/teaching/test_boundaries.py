"""Two losses on drawn points: lines as scikit-learn draws them, ends on the edge of the plane."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from anyloss_core.losses.confusion import Counts
from anyloss_core.teaching.boundaries import Line, best_cut, edge, learn
from anyloss_core.teaching.drawing import REACH, example

NOTHING = Counts(0.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def drawing():
    return example("far")


@pytest.fixture(scope="module")
def frames(drawing):
    return learn(drawing, frames=20)


def test_bce_ends_where_scikit_learn_does(drawing, frames):
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(drawing.points, drawing.labels)
    bce = frames[-1].lines[0]
    np.testing.assert_allclose(bce.weights, model.coef_[0], rtol=0.02)
    assert bce.bias == pytest.approx(model.intercept_[0], rel=0.02)


def test_scores_are_those_of_the_lines(drawing, frames):
    for line in frames[-1].lines:
        answers = drawing.points @ line.weights + line.bias > 0
        assert line.f1 == pytest.approx(f1_score(drawing.labels, answers))
        assert line.counts.fp == (answers & (drawing.labels == 0)).sum()


def test_a_threshold_moves_the_line_and_the_loss_turns_it(frames):
    bce, tuned, ours = frames[-1].lines
    assert tuned.weights.tolist() == bce.weights.tolist()
    assert tuned.bias != bce.bias
    towards = [line.weights[0] / np.linalg.norm(line.weights) for line in (bce, ours)]
    assert towards[0] < 0.7 < 0.95 < towards[1]  # the rest of the positives lies to the right
    assert ours.f1 > tuned.f1 + 0.15 > bce.f1


def test_both_go_together_until_the_warm_up_ends(frames):
    halfway = next(frame for frame in frames if frame.epoch >= 300)
    np.testing.assert_allclose(halfway.lines[0].weights, halfway.lines[2].weights)
    assert [frame.epoch for frame in frames][-1] == 600


def test_the_best_cut_is_the_best_of_all():
    random = np.random.default_rng(3)
    labels = (random.random(60) < 0.3).astype(float)
    logits = random.normal(size=60) + labels
    scores = [f1_score(labels, logits > cut) for cut in (*logits, -99, *(logits - 1e-9))]
    assert f1_score(labels, logits > best_cut(labels, logits)) == pytest.approx(max(scores))


def test_the_ends_of_a_line_lie_on_the_edge_with_the_positive_side_at_the_left():
    right = Line(np.array([1.0, 0.0]), -2.0, NOTHING)  # positive where x > 2
    assert edge(right) == [(2.0, REACH), (2.0, -REACH)]  # downwards: the left hand is at x > 2
    left = Line(np.array([-1.0, 0.0]), 2.0, NOTHING)
    assert edge(left) == [(2.0, -REACH), (2.0, REACH)]


@pytest.mark.parametrize("bias", [-99.0, 99.0])
def test_a_line_outside_of_the_plane_has_no_ends(bias):
    assert edge(Line(np.array([1.0, 1.0]), bias, NOTHING)) == []
    assert edge(Line(np.zeros(2), bias, NOTHING)) == []
