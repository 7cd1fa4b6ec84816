"""The order of the rows and their weights, fold by fold."""

import numpy as np

from anyloss_core.engine.linear.sorted_rows import runs_of_zeros, sorted_rows
from anyloss_core.engine.study import Rows
from tests.engine_studies import study

PADDING = 97  # the row after the last


def seen(rows, fold):
    """Row number -> weight of one fold."""
    index = rows.numbers[0 if rows.shared else fold]
    counted = rows.weights[fold] > 0
    return dict(zip(index[counted].tolist(), rows.weights[fold][counted].tolist(), strict=True))


def test_folds_of_a_cross_validation_share_their_rows_and_leave_out_neighbours():
    setup = study()
    rows = sorted_rows(setup, setup.rows, PADDING)
    assert rows.shared
    labels = setup.labels[rows.numbers[0]]
    assert labels[: rows.positives].all()
    assert not labels[rows.positives :].any()
    assert len(runs_of_zeros(rows.weights)) == 6  # of each class one stretch in each fold
    for fold, part in enumerate(setup.rows):
        assert seen(rows, fold) == dict.fromkeys(part.train.tolist(), 1.0)


def test_folds_with_little_in_common_have_rows_of_their_own():
    folds = (Rows(np.arange(40), np.arange(5)), Rows(np.arange(45, 95), np.arange(5)))
    rows = sorted_rows(study(), folds, PADDING)
    assert not rows.shared
    for fold, part in enumerate(folds):
        assert seen(rows, fold) == dict.fromkeys(part.train.tolist(), 1.0)
    assert (rows.weights[rows.numbers == PADDING] == 0).all()


def test_repeated_rows_and_sample_weights_multiply():
    weights = np.linspace(0, 2, 97)
    folds = (Rows(np.array([5, 9, 9, 40]), np.arange(5)),)
    rows = sorted_rows(study(weights=weights), folds, PADDING)
    assert seen(rows, 0) == {5: weights[5], 9: 2 * weights[9], 40: weights[40]}


def test_a_cut_knows_how_many_of_its_rows_are_positive():
    rows = sorted_rows(study(), study().rows, PADDING)
    parts = [rows.cut(slice(start, min(start + 20, 97))) for start in range(0, 97, 20)]
    assert sum(part.positives for part in parts) == rows.positives
    assert np.array_equal(np.concatenate([part.numbers for part in parts], 1), rows.numbers)
    labels = study().labels
    assert all(labels[part.numbers[0]].sum() == part.positives for part in parts)


def test_runs_of_zeros_are_found_at_both_ends():
    weights = np.array([[0, 0, 1, 0, 2], [1, 1, 1, 1, 1], [0, 1, 0, 0, 0]])
    expected = [(0, slice(0, 2)), (0, slice(3, 4)), (2, slice(0, 1)), (2, slice(2, 5))]
    assert runs_of_zeros(weights) == expected
