"""What a loss says once."""

import warnings

import pytest
import torch

from anyloss_core.losses.losses import AnyLoss
from anyloss_core.losses.messages import LossWarning, absences, warn_once
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import get_loss


def _train(loss, labels, shape=None):
    logits = torch.linspace(-1, 1, labels.shape[-1]).expand(shape or labels.shape).clone()
    loss(logits.requires_grad_(), labels).sum().backward()
    return logits.grad


@pytest.mark.parametrize("spelling", ["anyloss:f1", "sol:f1", "soft:jaccard", "anyloss:gmean"])
def test_a_batch_without_positives_is_named_once_with_the_repair(spelling):
    loss = get_loss(spelling)
    with pytest.warns(LossWarning, match=r"without positive .* larger batches, strat.* memory=0.9"):
        assert not _train(loss, torch.zeros(8)).any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _train(loss, torch.zeros(8))


def test_a_batch_without_negatives_is_named_too():
    with pytest.warns(LossWarning, match="without negative samples gives specificity a gradient"):
        assert not _train(AnyLoss("specificity"), torch.ones(8)).any()


def test_a_label_without_positives_is_named_unless_all_labels_are_one_matrix():
    labels = torch.zeros(8, 3)
    labels[0, :2] = 1
    with pytest.warns(LossWarning, match="without positive samples of a label gives f1"):
        assert not _train(AnyLoss("f1", average="macro"), labels)[:, 2].any()
    assert _train(AnyLoss("f1", average="micro"), labels).any(0).all()
    logits = torch.randn(6, 4, requires_grad=True)  # class 3 is absent: the softmax moves it
    AnyLoss("f1", average="macro")(logits, torch.arange(3).repeat(2)).backward()
    assert logits.grad.any(0).all()


@pytest.mark.parametrize(
    ("metric", "needed"),
    [
        ("f1", ["positive"]),
        ("specificity", ["negative"]),
        ("mcc", ["positive", "negative"]),
        ("balanced_accuracy", []),
        ("accuracy", []),
        ("TP / (TP + FP + FN)", ["positive"]),
    ],
)
def test_each_metric_names_what_it_cannot_do_without(metric, needed):
    assert absences(get_score(metric)) == needed


def test_one_model_of_a_stack_is_enough():
    labels = torch.zeros(2, 8)
    labels[0, 0] = 1
    with pytest.warns(LossWarning, match="without positive samples gives f1"):
        _train(AnyLoss("f1", stacked=True), labels, (2, 8))


def test_with_memory_it_is_named_only_where_no_earlier_batch_had_it():
    labels = torch.zeros(8)
    with pytest.warns(LossWarning, match="without positive samples gives f1"):
        _train(AnyLoss("f1", memory=0.9), labels)
    loss = AnyLoss("f1", memory=0.9)
    _train(loss, torch.eye(8)[0])
    assert _train(loss, labels).all()


def test_what_is_taught_beside_the_score_is_not_called_nothing():
    blend = AnyLoss("f1", blend=0.5)
    assert _train(blend, torch.zeros(8)).all()
    warm = AnyLoss("f1", L="5..73", warm_up=0.5)
    warm.step(0.0)
    assert _train(warm, torch.zeros(8)).all()


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "youden"])
def test_a_metric_that_still_learns_says_nothing(metric):
    assert _train(AnyLoss(metric), torch.zeros(8)).all()


def test_nothing_is_said_where_nothing_is_trained():
    AnyLoss("f1")(torch.zeros(8), torch.zeros(8))


def test_a_schedule_that_nobody_moves_is_named():
    loss = AnyLoss("f1", "5..73", warm_up=0.3)
    labels = torch.tensor([0.0, 1, 0, 1])
    with pytest.warns(LossWarning, match=r"L = 73 without a warm-up, until step\(progress\)"):
        _train(loss, labels)
    moved = AnyLoss("f1", "5..73", warm_up=0.3)
    moved.step(0.5)
    _train(moved, labels)


def test_a_score_that_cannot_change_is_named():
    for formula in ("0.3 + 0 * TP", "(TP + FP + TN + FN) / N"):  # the second one but for rounding
        with pytest.warns(LossWarning, match="same value for every confusion matrix"):
            _train(AnyLoss(formula), torch.tensor([0.0, 1, 0, 1]))


def test_an_L_beyond_the_range_of_the_precision_is_named_in_the_naive_form():
    labels = torch.tensor([0.0, 1, 0, 1])
    with pytest.warns(LossWarning, match=r"L = 73 is beyond the valid range of float32 .* 33\.27"):
        _train(AnyLoss.paper("f1"), labels)
    ramp = AnyLoss("f1", "5..73", form="naive")
    ramp.at(0, 10)
    _train(ramp, labels)
    ramp.at(9, 10)
    with pytest.warns(LossWarning, match="L = 73 is beyond the valid range of float32"):
        _train(ramp, labels)
    _train(AnyLoss("f1", 33.2, form="naive"), labels)
    _train(AnyLoss("f1", 73.0), labels)


def test_each_kind_is_said_once_by_each_object():
    class Owner:
        pass

    first, second = Owner(), Owner()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        for owner, kind in [(first, "a"), (first, "a"), (first, "b"), (second, "a")]:
            warn_once(owner, kind, kind)
    assert [str(warning.message) for warning in heard] == ["a", "b", "a"]
    assert {warning.category for warning in heard} == {LossWarning}
