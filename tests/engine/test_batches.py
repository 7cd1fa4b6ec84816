"""The order in which folds see their rows, batch by batch."""

import numpy as np
import pytest
import torch

from anyloss_core.engine.batches import Batches, Table, padded, steps_per_epoch
from anyloss_core.engine.study import Rows
from tests.engine_studies import PAIR, study, table


def batches_of(**settings):
    """The batches of the three folds of 64, 65 and 65 rows, or of others."""
    setup = study(PAIR, **settings)
    folds = sorted(setup.rows, key=lambda rows: len(rows.train))
    return Batches(setup, Table(setup), folds, setup.models[0].batch)


def numbers(batches, fold):
    """The rows of one fold in the order of an epoch, told by their first feature."""
    parts = []
    for batch in batches:
        start, stop = batch.part or (0, 3)
        if start <= fold < stop:
            parts.append(batch.rows[fold - start, :, 0])
    return torch.cat(parts)


def test_a_table_holds_features_a_one_and_weighted_classes():
    x, y = table()
    weights = np.linspace(0.5, 2, 97)
    cells = Table(study(PAIR, weights=weights)).cells.numpy()
    assert np.array_equal(cells[:-1, :4], x)
    assert np.allclose(
        cells[:-1, 4:], np.column_stack([np.ones(97), y * weights, (1 - y) * weights, y])
    )
    assert (cells[-1] == 0).all()


def test_shorter_folds_are_filled_up_with_the_padding():
    found = padded([np.array([4, 2]), np.array([7]), np.array([], dtype=int)], padding=9)
    assert found.tolist() == [[4, 2], [7, 9], [9, 9]]


def test_every_epoch_shows_each_row_of_a_fold_once():
    setup, batches = study(PAIR), batches_of(batch=30)
    folds = sorted(setup.rows, key=lambda rows: len(rows.train))
    for fold, rows in enumerate(folds):
        seen = numbers(batches, fold)
        expected = torch.as_tensor(setup.features[rows.train, 0])
        assert torch.equal(seen.sort().values, expected.sort().values)


def test_mini_batches_are_reshuffled_every_epoch():
    batches = batches_of(batch=30)
    assert not torch.equal(numbers(batches, 0), numbers(batches, 0))


def test_all_rows_at_once_keep_their_order():
    batches = batches_of(batch=None)
    assert torch.equal(numbers(batches, 0), numbers(batches, 0))


def test_the_last_partial_batch_is_kept_or_dropped():
    assert len(numbers(batches_of(batch=30), 0)) == 64
    assert len(numbers(batches_of(batch=30, drop_last=True), 0)) == 60


@pytest.mark.parametrize(
    ("length", "size", "drop_last", "steps"),
    [
        (65, 30, False, 3),
        (65, 30, True, 2),
        (60, 30, False, 2),
        (20, 30, True, 1),
        (65, None, 0, 1),
    ],
)
def test_the_steps_of_an_epoch(length, size, drop_last, steps):
    assert steps_per_epoch(length, size, drop_last) == steps


def test_stratified_batches_hold_both_classes():
    batches = batches_of(batch=10, stratified=True)
    for _ in range(3):
        for batch in batches:
            assert (batch.totals > 0).all()
    assert len(numbers(batches, 0).unique()) == 64  # no row twice


@pytest.mark.parametrize(
    ("rows", "positives", "batch"),
    [(100, 10, 16), (100, 90, 16), (200, 10, 64), (103, 11, 10), (1000, 50, 32)],
)
def test_a_short_last_batch_holds_both_classes_too(rows, positives, batch):
    labels = (np.arange(rows) < positives).astype(np.int8)
    whole = (Rows(np.arange(rows), np.arange(5)),)
    data = (table(rows)[0], labels)
    batches = batches_of(data=data, rows=whole, batch=batch, stratified=True)
    for _ in range(5):
        seen = list(batches)
        assert all((part.totals > 0).all() for part in seen)
        assert sum(part.totals for part in seen).tolist() == [[positives, rows - positives]]
