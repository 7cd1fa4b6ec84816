"""Lines of models, ready to be drawn: paths, names, and the frames in which something moves."""

import json

import numpy as np
import pytest

from anyloss_core.figures.boundaries import mark, moving, packed_lines, path, result_table
from anyloss_core.losses.confusion import Counts
from anyloss_core.teaching.boundaries import METHODS, Frame, Line


def frame(epoch, bias):
    line = Line(np.array([1.0, 0.0]), bias, Counts(tn=5.0, fn=1.0, fp=2.0, tp=2.0))
    return Frame(epoch, (line,) * len(METHODS))


def test_a_path_goes_from_end_to_end():
    assert path([(2.0, 5.0), (4.0, -5.0)]) == "M2.000 5.000L4.000 -5.000"
    assert path([]) == mark([]) == ""


def test_a_mark_points_to_the_left_of_a_line():
    assert mark([(0.0, -5.0), (0.0, 5.0)]) == "M0.000 -0.160L-0.240 0.000L0.000 0.160Z"


def test_frames_in_which_nothing_moves_are_left_out_but_the_last():
    frames = [frame(epoch, bias) for epoch, bias in enumerate([0, 0, 1, 1.001, 1.002, 99, 99], 1)]
    assert [each.epoch for each in moving(frames)] == [1, 3, 6, 7]
    assert moving([]) == []


def test_every_method_has_a_name_a_colour_and_a_dash_of_its_own():
    sent = json.loads(packed_lines([frame(3, -2.0)]))
    assert [line["name"] for line in sent["lines"]] == [
        "BCE",
        "BCE with threshold for F1",
        "AnyLoss-F1",
    ]
    assert len({line["colour"] for line in sent["lines"]}) == 3
    assert len({line["dash"] for line in sent["lines"]}) == 3
    (only,) = sent["frames"]
    assert only["epoch"] == 3
    assert only["scores"] == ["F1 0.57"] * 3


def test_the_table_has_the_counts_and_their_f1():
    row = result_table(frame(3, -2.0)).iloc[2]
    assert row[["TN", "FN", "FP", "TP"]].tolist() == [5, 1, 2, 2]
    assert row["F1"] == pytest.approx(4 / 7)
