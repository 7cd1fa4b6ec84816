"""The pictures of one threshold, and frames that show what the figure for that value shows."""

import json

import numpy as np
import pandas as pd
import pytest

from anyloss_core.comparison.threshold_view import look_at
from anyloss_core.figures.threshold import frames, matrix_figure, metric_figure
from anyloss_core.statistics.goal import parse_goal


@pytest.fixture(scope="module")
def view():
    label = np.arange(100) % 4 == 0
    score = (np.arange(100) * 37 % 100) / 100 * 0.6 + 0.4 * label
    table = pd.DataFrame({"fold": 0, "label": label.astype(int), "bce": score})
    return look_at(table, "bce", parse_goal("f1"))


def test_the_matrix_shows_counts_per_thousand_and_shares_of_the_true_class(view):
    shades, numbers = matrix_figure(view, "bce", 50).data
    tp, fn = view.pooled.tp[50], view.pooled.fn[50]
    assert shades.z[1][1] == pytest.approx(tp / (tp + fn), abs=1e-5)
    assert numbers.text[3] == f"{tp:,.1f}<br>{tp / (tp + fn):.1%}"


@pytest.mark.parametrize("at", [0, 37, 100])
def test_a_frame_makes_the_figure_of_its_threshold(view, at):
    found = json.loads(json.dumps(frames(view, range(101))))
    wanted = json.loads(matrix_figure(view, "bce", at).to_json())
    frame = found["threshold_matrix"][at]
    for trace, change in zip(frame["traces"], frame["data"], strict=True):
        for key, value in change.items():
            assert np.array_equal(wanted["data"][trace][key], value)
    line = json.loads(metric_figure(view, "bce", "F1", at).to_json())["layout"]["shapes"]
    assert found["threshold_metric"][at]["layout"]["shapes"] == line
    assert line[0]["x0"] == view.thresholds[at]


def test_the_curve_is_that_of_the_view(view):
    (curve,) = metric_figure(view, "bce", "F1", 10).data
    np.testing.assert_array_equal(curve.y, view.values)
