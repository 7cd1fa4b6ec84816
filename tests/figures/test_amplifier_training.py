"""Learning curves for several L: where dying sets in, and what L a loss is drawn for."""

import math

import numpy as np
import pytest

from anyloss_core.figures import amplifier_training as training
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
        *lines, cross = figure(history).data
        assert [line.name for line in lines] == ["L = 5", "L = 150"]
        assert list(cross.text) == ["no more update"]
        assert list(cross.x) == [history.epochs[first]]
        assert list(cross.y) == [history.column(column)[first, 1]]


def test_no_cross_is_drawn_while_every_sample_learns(tmp_path):
    _, history = train_live(Store(tmp_path), losses=("anyloss:f1@L=5,form=naive",))
    assert [trace.name for trace in training.learning_figure(history).data] == ["L = 5"]


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
