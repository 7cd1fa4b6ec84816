"""What an output means, against the score each loss is trained for."""

import pytest
import torch

from anyloss_core.losses.outputs import cut, decision, probabilities
from anyloss_core.losses.spelling import FAMILIES, parse_loss

CUTS = {
    "mse": 0.0,
    "adaline": 0.0,  # between its targets -1 and 1
    "linear_mse": 0.5,
    "bce": 0.0,
    "bce+smote": 0.0,
    "weighted_bce": 0.0,
    "focal": 0.0,
    "anyloss:f1": 0.0,
    "anyloss:f1@threshold=0.2": torch.logit(torch.tensor(0.2)).item(),
    "sol:f1": 0.0,
    "sol:f1@mu=0.8": torch.logit(torch.tensor(0.8)).item(),
    "soft:f1": 0.0,
    "lee:f1": 0.0,
    "sigmoid_f1@eta=1.5": 1.5,
    "sigmoid_f1@variant=torch": 0.0,
    "sigmoid_f1@variant=tensorflow": -1.0,
}


@pytest.mark.parametrize("loss", CUTS)
def test_a_row_is_positive_above_the_cut_of_its_loss(loss):
    spec = parse_loss(loss)
    assert cut(spec) == pytest.approx(CUTS[loss], abs=1e-6)
    outputs = torch.linspace(-3, 3, 61, dtype=torch.float64) + 0.013
    above = probabilities(spec, outputs) > decision(spec)
    assert torch.equal(above, outputs > cut(spec))  # both doors decide alike


def test_every_family_is_tested_here():
    assert {parse_loss(loss).family for loss in CUTS} == set(FAMILIES)


@pytest.mark.parametrize("loss", ["anyloss:f1@threshold=0.3", "sol:f1@mu=0.3,delta=0.1"])
def test_the_cut_is_where_the_soft_label_is_one_half(loss):
    spec = parse_loss(loss)
    soft = spec.build().softening(torch.tensor([cut(spec)], dtype=torch.float64))
    assert soft.item() == pytest.approx(0.5)


@pytest.mark.parametrize("share", [0, 1])
def test_a_threshold_at_the_end_of_the_scale_gives_a_finite_cut(share):
    assert abs(cut(parse_loss(f"anyloss:f1@threshold={share}"))) < 30


def test_linear_outputs_are_cut_to_probabilities():
    outputs = torch.tensor([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0])
    assert probabilities(parse_loss("linear_mse"), outputs).tolist() == [0, 0, 0, 0.5, 1, 1]
    assert probabilities(parse_loss("adaline"), outputs).tolist() == [0, 0, 0.5, 0.75, 1, 1]
    assert torch.equal(probabilities(parse_loss("bce"), outputs), torch.sigmoid(outputs))
