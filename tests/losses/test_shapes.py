"""What the shapes of outputs and labels mean."""

import pytest
import torch

from anyloss_core.losses.shapes import Reading, arrange, check_shapes

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
    assert not samples.several


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
