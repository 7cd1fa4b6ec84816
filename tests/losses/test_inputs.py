"""The check at the door: what it lets in, and how it says no. (Every message: test_losses.)"""

import pytest
import torch

from anyloss_core.losses.inputs import check_inputs, check_labels, check_probabilities


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.float32])
def test_labels_come_back_in_the_precision_of_the_outputs(dtype):
    labels = check_inputs(torch.zeros(3).double(), torch.tensor([0, 1, 1]).to(dtype), None)
    assert labels.dtype == torch.float64
    assert labels.tolist() == [0, 1, 1]


def test_labels_that_fit_are_not_copied():
    labels = torch.tensor([0.0, 1.0])
    assert check_inputs(torch.zeros(2), labels, None) is labels


def test_labels_may_be_shared_by_all_models():
    assert check_inputs(torch.zeros(4, 3), torch.tensor([0, 1, 1]), None).shape == (3,)


@pytest.mark.parametrize("shape", [(3, 1), (2,), (4, 2), (3, 4)])
def test_labels_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match=r"labels have shape .* use .squeeze\(-1\)"):
        check_inputs(torch.zeros(4, 3), torch.zeros(shape), None)


def test_the_outputs_are_called_what_they_are():
    with pytest.raises(ValueError, match="probabilities must be floating point"):
        check_inputs(torch.zeros(2).int(), torch.zeros(2), None, "probabilities")


@pytest.mark.parametrize("odd", [0.5, 2.0, -1.0, float("nan"), 1 + 1e-6])
def test_a_single_odd_label_among_many_is_found(odd):
    labels = torch.ones(100_000)
    labels[77_777] = odd
    with pytest.raises(ValueError, match="labels must be 0 or 1"):
        check_labels(labels)


def test_probabilities_may_be_zero_and_one_but_not_beyond():
    check_probabilities(torch.tensor([0.0, 0.3, 1.0]))
    with pytest.raises(ValueError, match=r"got 0.3 to 1.1; pass logits"):
        check_probabilities(torch.tensor([0.3, 1.1]))
