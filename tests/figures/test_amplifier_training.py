"""Learning curves for several L: where dying sets in, and what L a loss is drawn for."""

import math

import numpy as np
import pytest

from anyloss_core.figures import amplifier_training as training
from anyloss_core.figures.style import GREY
from anyloss_core.live.samples import on_curve
from anyloss_core.losses.approximation import approximate
from anyloss_core.store.store import Store
from tests.live_runs import train_live


def test_a_cross_marks_where_no_more_update_sets_in(tmp_path):
    losses = tuple(f"anyloss:f1@L={L},form=naive" for L in (5, 150))
    _, history = train_live(Store(tmp_path), losses=losses, optimiser="gd", lr=50.0)
    dead = history.column("dead")[:, 1]
    first = int(np.argmax(dead > 0))
    assert dead[first] > 0
    assert list(training.onset(history)) == [150.0]
    for figure, column in ((training.learning_figure, "losses"), (training.dead_figure, "dead")):
        *lines, cross = figure(history).checked().data
        assert [line.name for line in lines] == ["L = 5", "L = 150"]
        assert list(cross.text) == ["no more update"]
        assert list(cross.x) == [history.epochs[first]]
        assert list(cross.y) == [history.column(column)[first, 1]]


def test_the_score_on_held_out_rows_is_the_hard_one(tmp_path):
    losses = ("anyloss:f1@L=5", "anyloss:f1@L=50")
    _, history = train_live(Store(tmp_path), losses=losses)
    lines = training.held_out_figure(history, "recall").checked().data[:2]
    for model, line in enumerate(lines):
        np.testing.assert_array_equal(line.y, history.scores("recall", "valid")[:, model])
    table = training.learning_table(history, "recall")
    assert list(table) == ["epoch", "L", "soft loss", "recall, held-out rows", "dead samples"]


def test_samples_stand_on_the_curve_of_their_L_and_dead_ones_are_grey(tmp_path):
    losses = tuple(f"anyloss:f1@L={L},form=naive" for L in (5, 150))
    _, history = train_live(Store(tmp_path), losses=losses, optimiser="gd", lr=50.0)
    samples = on_curve(history.snapshot())
    figure = training.samples_figure(history, samples).checked()
    for model, L in enumerate((5, 150)):
        curve, dots = figure.data[2 * model : 2 * model + 2]
        np.testing.assert_allclose(dots.y, approximate(np.array(dots.x), L), atol=1e-12)
        assert curve.name == f"L = {L}"
        grey = [colour == GREY for colour in dots.marker.color]
        assert grey == list(samples.dead[model]) == [s == "x" for s in dots.marker.symbol]
    assert samples.dead[1].any()
    assert len(training.samples_table(history, samples)) == 24


def test_no_cross_is_drawn_while_every_sample_learns(tmp_path):
    _, history = train_live(Store(tmp_path), losses=("anyloss:f1@L=5,form=naive",))
    assert [trace.name for trace in training.learning_figure(history).checked().data] == ["L = 5"]


def test_a_ramp_is_drawn_by_its_end_and_a_loss_without_L_has_none(tmp_path):
    losses = ("anyloss:f1@L=5..73", "anyloss:f1@L=10", "bce")
    _, history = train_live(Store(tmp_path), losses=losses)
    assert training.amplifiers(history)[:2] == pytest.approx([73.0, 10.0])
    assert math.isnan(training.amplifiers(history)[2])


def test_colours_of_L_differ_and_stay_within_the_scale():
    colours = [training.amplifier_colour(L) for L in (0.1, 1, 5, 73, 150, 1e4)]
    assert colours[0] == colours[1]
    assert colours[4] == colours[5]
    assert len(set(colours)) == 4
