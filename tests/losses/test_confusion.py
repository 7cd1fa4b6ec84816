"""Counts of soft and hard labels."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from anyloss_core.losses.confusion import hard_counts, safe_ratio, soft_counts

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.floats(0, 1), st.floats(0, 5)), min_size=1, max_size=25
)


def _columns(rows):
    return [torch.tensor(column, dtype=torch.float64) for column in zip(*rows, strict=True)]


def test_hard_counts_equal_scikit_learns_matrix():
    labels, predictions = [1, 1, 0, 0, 1, 0, 0], [1, 0, 0, 1, 1, 0, 0]
    (tn, fp), (fn, tp) = confusion_matrix(labels, predictions)
    counts = hard_counts(torch.tensor(labels), torch.tensor(predictions))
    assert [int(entry) for entry in counts] == [tn, fn, fp, tp]


def test_booleans_are_predictions_too():
    counts = hard_counts(torch.tensor([True, False]), torch.tensor([True, True]))
    assert [int(entry) for entry in counts] == [0, 0, 1, 1]


@given(rows=ROWS)
def test_counts_sum_to_the_total_weight(rows):
    labels, soft, weights = _columns(rows)
    counts = soft_counts(labels, soft, weights)
    assert counts.total.item() == pytest.approx(weights.sum().item(), abs=1e-9)
    assert (counts.tp + counts.fn).item() == pytest.approx(
        (labels * weights).sum().item(), abs=1e-9
    )


@given(rows=ROWS, seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(rows, seed):
    labels, soft, weights = _columns(rows)
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(seed))
    once = soft_counts(labels, soft, weights)
    again = soft_counts(labels[order], soft[order], weights[order])
    assert [float(x) for x in once] == pytest.approx([float(x) for x in again], abs=1e-9)


def test_a_weight_of_three_equals_three_rows():
    labels, soft = torch.tensor([1.0, 0.0]), torch.tensor([0.7, 0.2])
    weighted = soft_counts(labels, soft, torch.tensor([3.0, 1.0]))
    repeated = soft_counts(labels[[0, 0, 0, 1]], soft[[0, 0, 0, 1]])
    assert [float(x) for x in weighted] == pytest.approx([float(x) for x in repeated])


def test_leading_axes_are_kept():
    soft = torch.rand(4, 3, 10)
    counts = soft_counts((torch.arange(10) % 3 == 0).float(), soft)
    assert counts.tp.shape == (4, 3)
    assert counts.fp[2, 1].item() == pytest.approx(
        sum(soft[2, 1, i].item() for i in range(10) if i % 3)
    )


def test_lists_and_arrays_count_too():
    expected = hard_counts(torch.tensor([1, 0, 1]), torch.tensor([1, 1, 0]))
    assert hard_counts([1, 0, 1], [1, 1, 0]) == expected
    assert hard_counts(np.array([1, 0, 1]), np.array([True, True, False])) == expected


def test_a_column_against_a_row_is_refused():
    with pytest.raises(ValueError, match=r"labels have shape \(3,\), soft labels \(3, 1\)"):
        soft_counts(torch.ones(3), torch.ones(3, 1))


def test_a_ratio_over_zero_is_zero_and_sends_no_nan_backwards():
    top = torch.tensor([1.0, 0.0], requires_grad=True)
    bottom = torch.tensor([0.0, 0.0], requires_grad=True)
    safe_ratio(top, bottom).sum().backward()
    assert top.grad.tolist() == bottom.grad.tolist() == [0.0, 0.0]
