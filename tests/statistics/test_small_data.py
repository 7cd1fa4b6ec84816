"""Small tables: how often they are split, when a reader is warned, the floor of the spread."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score, matthews_corrcoef

from anyloss_core.losses.scores import METRICS
from anyloss_core.statistics.small_data import few_rows_note, least_spread, usual_repeats


@pytest.mark.parametrize(
    ("minority", "rows", "repeats"),
    [(12, 120, 5), (199, 10_000, 5), (200, 400, 1), (50, 10_001, 1), (5_000, 10_000, 1)],
)
def test_small_tables_are_split_five_times(minority, rows, repeats):
    assert usual_repeats(minority, rows) == repeats


def test_fewer_than_five_rows_of_the_rarer_class_a_fold_are_told():
    assert few_rows_note(50, 10) is None
    note = few_rows_note(40, 10)
    assert "only 40 rows of the rarer class in 10 folds, about 4.0 a fold" in note
    assert note.endswith("use 8 folds or collect more")
    assert few_rows_note(6, 2).endswith("; collect more")


@pytest.mark.parametrize(
    ("metric", "score"),
    [("f1", f1_score), ("balanced_accuracy", balanced_accuracy_score), ("mcc", matthews_corrcoef)],
)
def test_the_floor_is_what_one_flipped_row_of_a_fold_changes(metric, score):
    labels = np.repeat([1, 0], [4, 36])  # a fold of 400 rows with 40 positives
    missed, alarm = labels.copy(), labels.copy()
    missed[0], alarm[-1] = 0, 1
    expected = max(1 - score(labels, flipped) for flipped in (missed, alarm))
    settings = {"rows": 400, "positives": 40, "folds": 10}
    assert least_spread(metric, settings) == pytest.approx(expected)


@pytest.mark.parametrize("metric", [*METRICS, "TP / (TP + 3*FN + FP)"])
def test_every_metric_has_a_floor_that_falls_with_the_rows(metric):
    floors = [
        least_spread(metric, {"rows": rows, "positives": rows // 5, "folds": 10})
        for rows in (12, 120, 1_200, 12_000)
    ]
    assert floors == sorted(floors, reverse=True)
    assert floors[-1] > 0


def test_without_knowing_the_rows_there_is_no_floor():
    assert least_spread("f1", None) == least_spread("f1", {"folds": 10}) == 0
