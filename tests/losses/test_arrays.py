"""Floats, arrays and tensors behind one set of functions."""

import numpy as np
import pytest
import torch

from anyloss_core.losses.arrays import array_like, at_least, quickest


def test_numbers_on_the_cpu_share_the_memory_of_their_tensor():
    tensor = torch.zeros(3)
    quickest(tensor)[1] = 5
    assert tensor.tolist() == [0, 5, 0]


def test_tensors_elsewhere_stay_what_they_are():
    tensor = torch.zeros(3, device="meta")
    assert quickest(tensor) is tensor


@pytest.mark.parametrize("like", [np.zeros(1, np.float32), torch.zeros(1), torch.zeros(1).double()])
def test_numbers_take_kind_and_precision_of_what_they_meet(like):
    found = array_like(like, [1, 2.5])
    assert type(found) is type(like)
    assert found.dtype == like.dtype
    assert found.tolist() == [1, 2.5]


@pytest.mark.parametrize("make", [np.array, torch.tensor])
def test_nothing_falls_below_the_floor(make):
    assert at_least(make([-1e-9, 0.0, 2.0]), 0.0).tolist() == [0, 0, 2]
    assert (at_least(-1e-9, 0.0), at_least(2.0, 0.0)) == (0.0, 2.0)
