"""The paper's names and ours: each has one translation, there and back."""

import pytest

from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import parse_loss
from anyloss_core.paper.names import (
    ANYLOSSES,
    DATASETS,
    EIGHT,
    LOSSES,
    METRICS,
    OFFLINE,
    SOLS,
    our_loss,
    paper_loss,
    paper_metric,
)


@pytest.mark.parametrize("name", LOSSES)
def test_every_loss_of_the_paper_can_be_trained(name):
    assert parse_loss(our_loss(name, "f1")).spelling == LOSSES[name]
    assert paper_loss(LOSSES[name]) == name


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_of_the_paper_is_one_of_ours(name):
    assert get_score(METRICS[name]).name == METRICS[name]
    assert METRICS[paper_metric(METRICS[name])] == METRICS[name]


def test_a_bare_family_aims_at_the_metric_of_its_column():
    assert our_loss("AnyLoss", "gmean") == "anyloss:gmean"
    assert our_loss("SOL", "f1") == "sol:f1"
    assert paper_loss("focal") == "focal"  # not of the paper


def test_the_eight_losses_stand_in_the_order_of_the_paper():
    assert EIGHT[:2] == ("mse", "bce")
    assert EIGHT[2:] == ANYLOSSES
    assert len(SOLS) == 3
    assert set(OFFLINE) < set(DATASETS)
