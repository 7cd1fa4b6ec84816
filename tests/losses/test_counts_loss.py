"""Losses over counts as modules: the family, the schedule, the blend."""

import pytest
import torch

from anyloss_core.losses.confusion import Counts, soft_counts
from anyloss_core.losses.counts_loss import SOL, AnyLoss, SigmoidF1Loss, SoftLoss, count
from anyloss_core.losses.functional import read_samples
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.shapes import Classes
from anyloss_core.losses.softening import Amplifier
from anyloss_core.losses.spelling import get_loss, parse_loss
from tests.losses.test_losses import _batch


def test_soft_f1_is_one_minus_dice():
    logits, labels = _batch(1)
    p, y = torch.sigmoid(logits[0]), labels[0]
    dice = 2 * (p * y).sum() / (p.sum() + y.sum())
    assert SoftLoss("f1")(logits[0], y).item() == pytest.approx(1 - dice.item())
    assert SigmoidF1Loss()(logits[0], y).item() == pytest.approx(1 - dice.item())


def test_sigmoid_f1_by_name_is_what_its_authors_released():
    logits, labels = _batch(1)
    for variant, S, E, x in (
        ("torch", -1.0, 0.0, torch.sigmoid(logits[0])),
        ("tensorflow", -10.0, 1.0, logits[0]),
    ):
        soft = 1 / (1 + torch.exp(S * (x + E)))
        tp, fp = (labels[0] * soft).sum(), ((1 - labels[0]) * soft).sum()
        fn = (labels[0] * (1 - soft)).sum()
        found = SigmoidF1Loss(variant=variant)(logits[0], labels[0])
        torch.testing.assert_close(found, 1 - 2 * tp / (2 * tp + fn + fp))


def test_a_variant_of_sigmoid_f1_has_its_own_settings():
    with pytest.raises(ValueError, match="variant=torch has its own beta and eta"):
        SigmoidF1Loss(beta=2.0, variant="torch")
    with pytest.raises(ValueError, match="variant must be one of torch, tensorflow, got 'jax'"):
        SigmoidF1Loss(variant="jax")


def test_the_fused_counts_equal_the_plain_ones():
    logits, labels = _batch(3, 50)
    weights = torch.linspace(0, 2, 50, dtype=torch.float64)
    soft = Amplifier(9.0)(logits)
    for given_weights in (None, weights):
        fused = count(Classes(labels, 1 - labels), soft, given_weights)
        torch.testing.assert_close(fused, soft_counts(labels, soft, given_weights))


def _rows(rows=60, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(rows, generator=generator, dtype=dtype).requires_grad_()
    return logits, (torch.rand(rows, generator=generator) < 0.3).to(dtype)


def test_the_default_says_what_it_is_and_the_paper_is_one_word_away():
    assert repr(AnyLoss("f1")) == "AnyLoss(f1, L=5 (default: fixed, no warm-up))"
    assert repr(AnyLoss("mcc", L=50.0)) == "AnyLoss(mcc, L=50)"
    assert repr(AnyLoss.paper("f1")) == "AnyLoss(f1, L=73, form=naive)"
    loss = AnyLoss("f1", "5..73", warm_up=0.3, blend=0.5, memory=0.9, sync=False, average="macro")
    assert repr(loss) == (
        "AnyLoss(f1, L=5..73, warm_up=0.3, blend=0.5, average=macro, memory=0.9, sync=False)"
    )
    logits, labels = _rows()
    naive = AnyLoss("f1", L=73.0, form="naive")(logits, labels)
    assert torch.equal(AnyLoss.paper("f1")(logits, labels), naive)


def test_the_schedule_is_that_of_the_engine():
    spec, loss = parse_loss("anyloss:f1@L=5..73,warm_up=0.3"), AnyLoss("f1", "5..73", warm_up=0.3)
    logits, labels = _rows()
    for epoch in range(10):
        loss.at(epoch, 10)
        phase = spec.at(epoch, 10)
        expected = get_loss("bce") if phase.warming_up else AnyLoss("f1", phase.L)
        torch.testing.assert_close(loss(logits, labels), expected(logits, labels))
    loss.step(1.0)
    torch.testing.assert_close(loss(logits, labels), AnyLoss("f1", 73.0)(logits, labels))
    loss.step(0.1)
    torch.testing.assert_close(loss(logits, labels), get_loss("bce")(logits, labels))


def test_a_blend_is_what_the_follow_up_writes():
    logits, labels = _rows()
    weighted, own = get_loss("weighted_bce")(logits, labels), AnyLoss("f1", 9.0)(logits, labels)
    blend = AnyLoss("f1", 9.0, blend=0.3)(logits, labels)
    torch.testing.assert_close(blend, 0.7 * weighted + 0.3 * own)
    with pytest.raises(ValueError, match="blend must be the share of AnyLoss, 0 to 1, got 2"):
        AnyLoss("f1", blend=2)


@pytest.mark.parametrize("average", ["macro", None])
def test_several_classes_warm_up_and_blend_in_the_shape_of_the_loss(average):
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(40, 3, generator=generator, dtype=torch.float64)
    numbers = torch.randint(0, 3, (40,), generator=generator)
    several = torch.rand(40, 3, generator=generator).round().double()
    functional, sizes = torch.nn.functional, numbers.bincount()
    whole = functional.cross_entropy(logits, numbers)
    even = functional.cross_entropy(logits, numbers, (40 / 3) / sizes.double())
    each = functional.binary_cross_entropy_with_logits(logits, several, reduction="none").mean(0)
    weights = (40 - several.sum(0)) / several.sum(0)
    balanced = functional.binary_cross_entropy_with_logits(
        logits, several, 1 + (weights - 1) * several, reduction="none"
    ).mean(0)
    for labels, warm, beside in (
        (numbers, whole.expand(3), even.expand(3)),
        (several, each, balanced),
    ):
        loss = AnyLoss("f1", L="2..20", warm_up=0.5, average=average)
        loss.step(0.0)
        expected = warm if average is None else warm.mean()
        torch.testing.assert_close(loss(logits, labels), expected)
        blend = AnyLoss("f1", blend=0.3, average=average)(logits, labels)
        own = AnyLoss("f1", average=average)(logits, labels)
        expected = beside if average is None else beside.mean()
        torch.testing.assert_close(blend, 0.7 * expected + 0.3 * own)


@pytest.mark.parametrize("kind", [SOL, SoftLoss, lambda metric, **more: SigmoidF1Loss(**more)])
def test_every_softening_takes_several_labels_and_remembers(kind):
    logits, labels = _batch(3, 30)
    loss = kind("f1", average="macro", memory=0.9)
    alone = [kind("f1")(z, y) for z, y in zip(logits, labels, strict=True)]
    torch.testing.assert_close(loss(logits.T, labels.T), torch.stack(alone).mean())
    assert loss.totals.mean.shape == (4, 3)


@pytest.mark.parametrize("metric", ["f1", "mcc", "gmean", "balanced_accuracy"])
def test_both_ways_give_the_same_numbers(metric):
    for dtype, tolerance in ((torch.float64, 1e-12), (torch.float32, 1e-5)):
        logits, labels = _rows(400, dtype=dtype)
        for loss in (AnyLoss(metric), AnyLoss(metric, L=73.0), SOL(metric), SoftLoss(metric)):
            samples = read_samples(logits, labels, None, loss.reading)
            pairs = []
            for value in (loss.fused(samples), loss.plain(samples)):
                pairs.append((value, *torch.autograd.grad(value, logits)))
            torch.testing.assert_close(*pairs, rtol=tolerance, atol=tolerance / 100)


@pytest.mark.parametrize("metric", ["f1", "mcc"])
def test_second_derivatives_are_right_on_the_quick_way_too(metric):
    logits, labels = _rows(12)
    loss = AnyLoss(metric)
    assert torch.autograd.gradgradcheck(lambda z: loss(z, labels), logits)


def test_sample_weights_and_ignored_rows_leave_the_others_as_they_are():
    logits, labels = _rows()
    weights = torch.ones(60)
    weights[40:] = 0
    marked = labels.clone()
    marked[40:] = -1
    expected = AnyLoss("f1")(logits[:40], labels[:40])
    torch.testing.assert_close(AnyLoss("f1")(logits, labels, weights), expected)
    torch.testing.assert_close(AnyLoss("f1", ignore_index=-1)(logits, marked), expected)


def test_soft_labels_are_the_mean_of_the_hard_ones_in_the_counts():
    logits, _ = _rows(3)
    labels, certain = torch.tensor([0.25, 1.0, 0.0]), torch.tensor([[0, 1, 0.0], [1, 1, 0]])
    soft = Amplifier(5.0)(logits.detach())
    parts = [soft_counts(row, soft) for row in certain]
    mixed = [0.75 * a + 0.25 * b for a, b in zip(*parts, strict=True)]
    expected = 1 - get_score("f1")(Counts(*mixed))
    found = AnyLoss("f1", soft_labels=True)(logits, labels.double())
    torch.testing.assert_close(found.detach(), expected)
