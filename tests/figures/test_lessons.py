"""Figures of the lessons: bars of two classifiers, two confusion matrices side by side."""

import numpy as np
import pandas as pd
import pytest

from anyloss_core.figures import lessons
from anyloss_core.losses.confusion import Counts

SOFT = Counts(tn=80.5, fn=4.0, fp=9.5, tp=6.0)
HARD = Counts(tn=85.0, fn=3.0, fp=5.0, tp=7.0)


def test_both_classifiers_have_a_bar_for_every_metric():
    table = pd.DataFrame({"metric": ["accuracy", "F1"], "lazy": [0.95, 0.0], "honest": [0.9, 0.5]})
    lazy, honest = lessons.metric_bars(table).data
    assert (lazy.name, honest.name) == ("lazy classifier", "honest classifier")
    assert list(lazy.text) == ["0.95", "0.00"]
    assert list(honest.y) == [0.9, 0.5]


def test_shades_are_shares_of_the_true_class():
    soft, hard = lessons.soft_and_hard_matrix(SOFT, HARD).data
    np.testing.assert_allclose(soft.z, [[80.5 / 90, 9.5 / 90], [0.4, 0.6]])
    np.testing.assert_allclose(hard.z, [[85 / 90, 5 / 90], [0.3, 0.7]])
    assert list(soft.text[1]) == ["FN<br>4.0", "TP<br>6.0"]
    assert (soft.xaxis, hard.xaxis) == ("x", "x2")


def test_a_class_without_rows_has_no_shade():
    empty = Counts(tn=5.0, fn=0.0, fp=5.0, tp=0.0)
    np.testing.assert_allclose(lessons.soft_and_hard_matrix(empty, empty).data[0].z[1], [0, 0])


def test_the_table_has_all_four_counts_and_their_gaps():
    table = lessons.matrix_table(SOFT, HARD).set_index("count")
    assert list(table.index) == ["TN", "FN", "FP", "TP"]
    assert table.loc["TP", "gap"] == pytest.approx(-1.0)
