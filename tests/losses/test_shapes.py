"""What the shapes of outputs and labels mean."""

import pytest
import torch

from anyloss_core.losses.counts_loss import AnyLoss
from anyloss_core.losses.shapes import Reading, are_several, arrange, check_shapes

ROWS = torch.tensor([0, 1, 1, 0, 2])


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.float32])
def test_labels_come_in_the_precision_of_the_outputs(dtype):
    labels = torch.tensor([0, 1, 1]).to(dtype)
    classes = arrange(torch.zeros(3).double(), labels, None, Reading()).classes
    assert {part.dtype for part in classes} == {torch.float64}
    assert [part.tolist() for part in classes] == [[0, 1, 1], [1, 0, 0]]


def test_a_column_is_one_model():
    samples = arrange(torch.rand(4, 1), torch.ones(4, 1), torch.rand(4, 1), Reading())
    assert samples.outputs.shape == samples.weights.shape == (4,)
    assert not are_several(samples)


def test_stacked_models_may_share_their_labels():
    samples = arrange(torch.rand(3, 4), torch.ones(4), None, Reading(stacked=True))
    assert samples.outputs.shape == (3, 4)
    assert not samples.exclusive


def test_class_numbers_become_one_row_of_labels_per_class():
    logits = torch.rand(5, 3)
    samples = arrange(logits, ROWS, None, Reading())
    assert samples.exclusive
    assert torch.equal(samples.outputs, logits.T)
    assert torch.equal(samples.classes.positive, torch.nn.functional.one_hot(ROWS).T.float())


def test_several_labels_keep_their_own():
    labels = (torch.rand(3, 3) > 0.5).float()  # as many labels as rows: only the axis tells
    samples = arrange(torch.rand(3, 3), labels, torch.rand(3), Reading())
    assert not samples.exclusive
    assert torch.equal(samples.classes.positive, labels.T)
    assert samples.weights.shape == (3,)


def test_ignored_cells_have_no_weight():
    labels = torch.tensor([[1, -1, 0], [0, 1, -1]])
    samples = arrange(torch.rand(2, 3), labels, torch.tensor([2.0, 3.0]), Reading(ignore_index=-1))
    assert samples.weights.tolist() == [[2, 3], [0, 3], [2, 0]]
    assert samples.classes.positive.tolist() == [[1, 0], [0, 1], [0, 0]]


B5, B51, B53 = torch.zeros(5), torch.zeros(5, 1), torch.zeros(5, 3)
BAD = [
    ((B51, B5, None), {}, r"labels have shape \(5,\), logits \(5, 1\); .* use .squeeze\(-1\)"),
    ((B5, B51, None), {}, r"use .squeeze\(-1\) or .reshape_as\(logits\)"),
    ((B53, B5, None), {}, r"labels of 3 classes must be whole numbers, .* stacked=True if"),
    ((B53, torch.zeros(3).long(), None), {}, "stacked models need stacked=True"),
    ((B53, torch.zeros(5, 2), None), {}, "labels have shape"),
    ((torch.zeros(2, 3, 4), torch.zeros(2, 3, 4), None), {}, "use .flatten"),
    ((B5, B5, torch.zeros(4)), {}, r"sample_weight has shape \(4,\)"),
    ((B53, B53, B53), {}, r"sample_weight must be \(B,\), one per row"),
    ((B5, B5, None), {"average": "macro"}, "average='macro' is for several classes"),
    ((torch.zeros(3, 5), B53, None), {"stacked": True}, r"stacked models \(M, B\) want"),
    ((B5.int(), B5, None), {"from_probabilities": True}, "probabilities must be floating point"),
]


@pytest.mark.parametrize(("arguments", "options", "message"), BAD)
def test_what_cannot_be_read_is_refused_with_the_repair(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        check_shapes(*arguments, Reading(**options))


def test_an_unknown_average_is_refused():
    with pytest.raises(ValueError, match="average must be one of macro, micro, weighted or None"):
        Reading(average="samples")
    with pytest.raises(ValueError, match="stacked models stay apart"):
        Reading(average="macro", stacked=True)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
def test_a_row_with_shares_of_classes_is_a_weighted_row_of_each(average):
    """Mixup: 0.3 of one class and 0.7 of another count as two rows of these weights."""
    torch.manual_seed(0)
    logits = torch.randn(7, 3, dtype=torch.float64)
    first, second, share = torch.tensor([0, 1, 2, 0, 1, 2, 2]), torch.tensor([1] * 7), 0.3
    hot = torch.nn.functional.one_hot
    mixed = share * hot(first, 3) + (1 - share) * hot(second, 3)
    loss = AnyLoss("f1", L=7, average=average, soft_labels=True, exclusive=True)
    weights = torch.tensor([share] * 7 + [1 - share] * 7, dtype=torch.float64)
    apart = AnyLoss("f1", L=7, average=average)(
        logits.repeat(2, 1), torch.cat([first, second]), weights
    )
    torch.testing.assert_close(loss(logits, mixed.double()), apart)
    own = AnyLoss("f1", L=7, average=average)(logits, first)
    torch.testing.assert_close(loss(logits, hot(first, 3).double()), own)


def test_shares_of_exclusive_classes_warm_up_with_cross_entropy():
    logits = torch.randn(6, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    shares = torch.softmax(logits.flip(0), 1)
    options = {"average": "macro", "soft_labels": True, "exclusive": True}
    loss = AnyLoss("f1", L="2..20", warm_up=0.5, **options)
    loss.step(0.0)
    expected = torch.nn.functional.cross_entropy(logits, shares)
    torch.testing.assert_close(loss(logits, shares), expected)


@pytest.mark.parametrize(
    ("options", "shape", "repair"),
    [
        ({}, (4, 3), "add soft_labels=True"),
        ({"soft_labels": True, "ignore_index": -100}, (4, 3), "give a row the sample_weight 0"),
        ({"soft_labels": True}, (4,), "is for several classes"),
        ({"soft_labels": True}, (4, 3), "must sum to 1, got 3; divide by their sum"),
    ],
)
def test_shares_of_exclusive_classes_that_are_none_are_refused(options, shape, repair):
    with pytest.raises(ValueError, match=repair):
        AnyLoss("f1", exclusive=True, **options)(torch.zeros(shape), torch.ones(shape))
