"""The check at the door: what it lets in, and how it says no. (Every message: test_losses.)"""

import math

import pytest
import torch

from anyloss_core.losses.functional import read_samples
from anyloss_core.losses.inputs import can_look, check_labels, check_probabilities, check_slope
from anyloss_core.losses.shapes import Reading


def _read(logits, labels, **options):
    return read_samples(logits, labels, None, Reading(**options))


@pytest.mark.parametrize("odd", [0.5, 2.0, -1.0, float("nan"), 1 + 1e-6])
def test_a_single_odd_label_among_many_is_found(odd):
    labels = torch.ones(100_000)
    labels[77_777] = odd
    with pytest.raises(ValueError, match="labels must be 0 or 1"):
        check_labels(labels, 1 - labels)


def test_labels_written_behind_torchs_back_are_looked_at_again():
    logits, labels = torch.zeros(4), torch.tensor([0.0, 1.0, 0.0, 1.0])
    _read(logits, labels)
    labels.data[2] = 7.0  # leaves the version as it was
    with pytest.raises(ValueError, match="labels must be 0 or 1, got 0, 1, 7"):
        _read(logits, labels)


def test_probabilities_may_be_zero_and_one_but_not_beyond():
    check_probabilities(torch.tensor([0.0, 0.3, 1.0]))
    with pytest.raises(ValueError, match=r"got 0.3 to 1.1; pass logits"):
        check_probabilities(torch.tensor([0.3, 1.1]))


@pytest.mark.parametrize("slope", [math.nan, math.inf, 1e39, torch.tensor([1.0, math.nan])])
def test_a_slope_that_cannot_be_held_is_refused(slope):
    with pytest.raises(ValueError, match="the gradient of TP / x is no number of float32"):
        check_slope("TP / x", slope, torch.float32)


def test_any_other_slope_passes():
    check_slope("f1", 1e39, torch.float64)
    check_slope("f1", torch.tensor([0.0, 3e38]), torch.float32)


def test_shares_are_labels_only_where_that_is_said():
    labels = torch.tensor([0.1, 0.9, 1.0])
    with pytest.raises(ValueError, match="soft_labels=True if they are shares"):
        _read(torch.zeros(3), labels)
    samples = _read(torch.zeros(3), labels, soft_labels=True)
    torch.testing.assert_close(samples.classes.negative, 1 - labels)
    with pytest.raises(ValueError, match=r"soft labels must lie in \[0, 1\], got -1 to 1.5"):
        _read(torch.zeros(2), torch.tensor([-1.0, 1.5]), soft_labels=True)


def test_class_numbers_must_name_a_class_unless_they_are_ignored():
    labels = torch.tensor([0, 2, -100])
    with pytest.raises(ValueError, match=r"from 0 to 2, got -100 to 2; .* ignore_index"):
        _read(torch.zeros(3, 3), labels)
    assert _read(torch.zeros(3, 3), labels, ignore_index=-100).weights.tolist() == [1, 1, 0]
    with pytest.raises(ValueError, match="from 0 to 1, got 0 to 2"):
        _read(torch.zeros(2, 2), torch.tensor([0, 2]))


def test_values_are_looked_at_where_they_are_at_hand():
    assert can_look(torch.zeros(2))
    assert can_look(torch.nn.Parameter(torch.zeros(2)))
    assert not can_look(torch.zeros(2, device="meta"))
    seen = []
    torch.func.vmap(lambda z: seen.append(can_look(z)) or z)(torch.zeros(3, 2))
    assert seen == [False]
