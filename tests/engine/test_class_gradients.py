"""Losses and pulls of a stack against autograd through the same scores."""

import numpy as np
import pytest
import torch

from anyloss_core.confusion import Counts
from anyloss_core.pulls import Pulls, Weighing, alike
from anyloss_core.scores import METRICS, get_score

TYPED = ("3 * TP / (TP + 2 * (FP + FN))", "min(TP / P, TN / NEG)", "TP * TN / (P * NEG)")


def by_autograd(score, sums, totals):
    """Loss and slopes of one model from the score itself."""
    sums = sums.clone().requires_grad_()
    counts = Counts(totals[1] - sums[1], totals[0] - sums[0], sums[1], sums[0])
    loss = score.loss(score(counts))
    loss.backward()
    return loss.item(), sums.grad


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_every_score_pulls_like_autograd(dtype):
    scores = sorted((*METRICS.values(), *map(get_score, TYPED)), key=alike)
    totals = torch.tensor([[10.0, 30.0], [7.0, 41.0]], dtype=dtype)
    random = torch.rand(2, len(scores), 2, dtype=dtype, generator=torch.manual_seed(0))
    sums = random * totals[:, None]
    losses, pulls = Pulls(0, scores).at(totals, torch.ones(2, len(scores), dtype=dtype))(sums)
    for fold in range(2):
        for place, score in enumerate(scores):
            loss, slopes = by_autograd(score, sums[fold, place].double(), totals[fold].double())
            exact = dtype == torch.float64
            assert float(losses[fold, place]) == pytest.approx(loss, abs=1e-12 if exact else 1e-5)
            found = pulls[fold, place].double()
            assert torch.allclose(found, slopes, rtol=1e-9 if exact else 1e-3, atol=1e-6), (
                score.name
            )


def test_numbers_on_the_cpu_and_tensors_elsewhere_agree():
    scores = sorted(METRICS.values(), key=alike)
    sums = torch.rand(3, len(scores) + 2, 2, dtype=torch.float64) * 5
    totals = torch.tensor([[5.0, 9.0], [6.0, 8.0], [5.0, 7.0]], dtype=torch.float64)
    weights = torch.rand(3, len(scores) + 2, dtype=torch.float64)
    pulls = Pulls(2, [None, None, *scores])
    for lasting in (False, True):
        on_tensors = Weighing(pulls, totals, weights, lasting)(sums)
        for ours, theirs in zip(pulls.at(totals, weights, lasting)(sums), on_tensors, strict=True):
            assert torch.allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize("totals", [(0.0, 12.0), (9.0, 0.0), (0.0, 0.0)])
def test_an_absent_class_gives_finite_losses_and_pulls(totals):
    scores = sorted((*METRICS.values(), *map(get_score, TYPED)), key=alike)
    totals = torch.tensor([totals], dtype=torch.float64)
    for share in (0.0, 0.4, 1.0):
        sums = share * totals[:, None].expand(1, len(scores) + 1, 2)
        weights = torch.ones(1, len(scores) + 1, dtype=torch.float64)
        losses, pulls = Pulls(1, [None, *scores]).at(totals, weights)(sums.contiguous())
        assert losses.isfinite().all()
        assert pulls.isfinite().all()


def test_a_ratio_of_weighted_counts_is_recognised_however_it_is_written():
    wanted = get_score("f2").tree.ratio
    for text in ("5*TP/(5*TP + 4*FN + FP)", "(TP + 4 * TP) / (4 * P + TP + FP)"):
        assert np.allclose(get_score(text).tree.ratio, wanted)
    assert get_score("accuracy").tree.ratio == ((1, 0, 0, 1), (1, 1, 1, 1))
    for other in ("gmean", "mcc", "TP / (TP * FP + 1)", "TP / P / P", "2 - TP / P"):
        assert get_score(other).tree.ratio is None
