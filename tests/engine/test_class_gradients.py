"""Losses and class gradients of a stack against autograd through the same scores."""

import pytest
import torch

from anyloss_core.engine import class_gradients
from anyloss_core.engine.class_gradients import ClassGradients
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.scores import METRICS, get_score

TYPED = ("3 * TP / (TP + 2 * (FP + FN))", "min(TP / P, TN / NEG)", "TP * TN / (P * NEG)", "P / N")
SCORES = sorted((*METRICS.values(), *map(get_score, TYPED)), key=lambda score: score.tree.shape)


def by_autograd(score, sums, totals):
    """Loss and gradients of one model from the score itself."""
    sums = sums.clone().requires_grad_()
    counts = Counts(totals[1] - sums[1], totals[0] - sums[0], sums[1], sums[0])
    loss = score.loss(score(counts))
    loss.backward()
    return loss.item(), sums.grad


def found(sums, totals, means=0, scales=None):
    """Of the scores above and some means before them."""
    folds, losses, _ = sums.shape
    weights = torch.linspace(1, 3, folds * losses, dtype=sums.dtype).view(folds, losses)
    scales = sums.new_ones(losses) if scales is None else scales
    assert losses == means + len(SCORES)
    return ClassGradients(SCORES, weights, scales)(sums, totals), weights


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_every_score_has_the_gradients_of_autograd(dtype):
    totals = torch.tensor([[10.0, 30.0], [7.0, 41.0]], dtype=dtype)
    random = torch.rand(2, len(SCORES), 2, dtype=dtype, generator=torch.manual_seed(0))
    sums = random * totals[:, None]
    (losses, gradients), _ = found(sums, totals)
    exact = dtype == torch.float64
    for fold in range(2):
        for column, score in enumerate(SCORES):
            loss, wanted = by_autograd(score, sums[fold, column].double(), totals[fold].double())
            assert float(losses[fold, column]) == pytest.approx(loss, abs=1e-12 if exact else 1e-5)
            ours = gradients[fold, column].double()
            assert torch.allclose(ours, wanted, rtol=1e-9 if exact else 1e-3, atol=1e-6), score.name


def test_a_mean_counts_every_row_alike_but_for_the_weight_of_positives():
    totals = torch.tensor([[10.0, 30.0], [0.0, 0.0]], dtype=torch.float64)
    sums = torch.rand(2, len(SCORES) + 2, 2, dtype=torch.float64) * totals[:, None]
    (losses, gradients), weights = found(sums, totals, means=2)
    positive, negative = sums[0, :2].T
    torch.testing.assert_close(losses[0, :2], (weights[0, :2] * positive + negative) / 40)
    torch.testing.assert_close(gradients[0, :2, 0], weights[0, :2] / 40)
    torch.testing.assert_close(gradients[0, :2, 1], torch.full((2,), 1 / 40).double())
    assert (losses[1, :2] == 0).all()  # a fold without rows


def test_what_the_chain_rule_leaves_out_enters_the_gradients_alone():
    totals = torch.tensor([[10.0, 30.0]], dtype=torch.float64)
    sums = torch.rand(1, len(SCORES), 2, dtype=torch.float64) * totals[:, None]
    scales = torch.arange(1.0, len(SCORES) + 1).double()
    (losses, gradients), _ = found(sums, totals)
    (same, scaled), _ = found(sums, totals, scales=scales)
    assert torch.equal(losses, same)
    torch.testing.assert_close(scaled, gradients * scales[:, None])


def test_arrays_on_the_cpu_and_tensors_elsewhere_agree(monkeypatch):
    totals = torch.tensor([[5.0, 9.0], [6.0, 8.0], [5.0, 7.0]], dtype=torch.float64)
    sums = torch.rand(3, len(SCORES) + 2, 2, dtype=torch.float64) * 5
    arrays, _ = found(sums, totals, means=2)
    monkeypatch.setattr(class_gradients, "quickest", lambda tensor: tensor)
    tensors, _ = found(sums, totals, means=2)
    for ours, theirs in zip(arrays, tensors, strict=True):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("totals", [(0.0, 12.0), (9.0, 0.0), (0.0, 0.0)])
def test_an_absent_class_gives_the_losses_of_the_scores_and_finite_gradients(totals):
    totals = torch.tensor([totals], dtype=torch.float64)
    for share in (0.0, 0.4, 1.0):
        sums = share * totals[:, None].expand(1, len(SCORES) + 1, 2)
        (losses, gradients), _ = found(sums, totals, means=1)
        assert gradients.isfinite().all()
        positives, negatives = totals[0].tolist()
        tp, fp = share * positives, share * negatives
        counts = Counts(negatives - fp, positives - tp, fp, tp)
        wanted = [score.loss(score(counts)) for score in SCORES]
        assert losses[0, 1:].tolist() == pytest.approx(wanted, abs=1e-12)
