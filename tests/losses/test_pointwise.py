"""Means over samples, against torch."""

import pytest
import torch
from torch.nn import functional as F

from anyloss_core.losses.pointwise import LeeLoss, WeightedBCELoss
from anyloss_core.losses.spelling import LossError, get_loss, parse_loss
from tests.losses.test_losses import POINTWISE, _batch


@pytest.mark.parametrize("spelling", POINTWISE)
def test_slopes_can_be_had_without_the_values(spelling):
    logits, labels = _batch()
    both, alone, values = (torch.empty_like(logits) for _ in range(3))
    get_loss(spelling).fill(logits, labels, values, both)
    get_loss(spelling).fill(logits, labels, None, alone)
    assert torch.equal(both, alone)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_small_cross_entropy_keeps_its_digits(dtype):
    logits, labels = torch.tensor([30.0, -30.0], dtype=dtype), torch.tensor([1, 0])
    assert get_loss("bce")(logits, labels).item() == pytest.approx(torch.tensor(-30.0).exp().item())


def test_the_usual_losses_equal_torchs():
    logits, labels = _batch(1)
    z, y = logits[0], labels[0]
    assert get_loss("bce")(z, y) == pytest.approx(F.binary_cross_entropy_with_logits(z, y).item())
    assert get_loss("mse")(z, y) == pytest.approx(F.mse_loss(torch.sigmoid(z), y).item())
    assert get_loss("adaline")(z, y) == pytest.approx(F.mse_loss(z, 2 * y - 1).item() / 2)
    balance = (y == 0).sum() / (y == 1).sum()
    weighted = F.binary_cross_entropy_with_logits(z, y, pos_weight=balance)
    assert get_loss("weighted_bce")(z, y) == pytest.approx(weighted.item())
    q = torch.where(y == 1, torch.sigmoid(z), torch.sigmoid(-z))
    focal = (torch.where(y == 1, 0.25, 0.75) * (1 - q) ** 2 * -q.log()).mean()
    assert get_loss("focal")(z, y) == pytest.approx(focal.item())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("gamma", [0.0, 0.3, 0.5, 1.0, 2.0])
def test_the_focal_loss_is_finite_however_sure_an_output_is(gamma, dtype):
    logits = torch.tensor([-1e4, -120, -90, 0, 90, 120, 1e4], dtype=dtype, requires_grad=True)
    for label in (0.0, 1.0):
        loss = get_loss(f"focal@gamma={gamma}")(logits, torch.full_like(logits, label).detach())
        assert torch.autograd.grad(loss, logits)[0].isfinite().all()


def test_weighted_bce_can_take_the_balance_of_all_training_rows():
    logits, labels = _batch(1, 40, positives=0.2)
    loss = WeightedBCELoss.for_labels(labels[0])
    whole = loss(logits[0], labels[0])
    torch.testing.assert_close(whole, WeightedBCELoss()(logits[0], labels[0]))
    parts = [loss(z, y) for z, y in zip(logits[0].split(8), labels[0].split(8), strict=True)]
    torch.testing.assert_close(torch.stack(parts).mean(), whole)  # balancing each batch is not
    with pytest.raises(ValueError, match="labels must be 0 or 1, got 0, 2"):
        WeightedBCELoss.for_labels(torch.tensor([0, 2]))


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_the_surrogate_of_lee_is_the_mean_of_both_classes(beta):
    logits, labels = _batch(1, 40, positives=0.2)
    z, y = logits[0], labels[0]
    p, positives, negatives = torch.sigmoid(z), (y == 1).sum(), (y == 0).sum()
    found = -p[y == 1].log().mean()
    alarms = (beta**2 * positives / negatives + p[y == 0]).log().mean()
    whole = LeeLoss(f"f{beta:g}")(z, y)
    assert whole == pytest.approx(((found + alarms) * negatives / len(y)).item())


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_where_a_class_is_of_one_mind_lee_leads_the_way_of_f_beta(beta):
    """The gradient of soft F-beta points along that of the surrogate; BCE's does not."""
    labels = torch.tensor([1.0] * 3 + [0.0] * 9, dtype=torch.float64)
    logits = torch.where(labels == 1, 0.4, -0.9).requires_grad_()

    def direction(spelling):
        (own,) = torch.autograd.grad(get_loss(spelling)(logits, labels), logits)
        return own / own.norm()

    f_beta = direction(f"soft:f{beta:g}")
    torch.testing.assert_close(direction(f"lee:f{beta:g}"), f_beta)
    assert torch.dot(direction("bce"), f_beta) < 0.99


def test_lee_is_no_soft_f1_and_nearer_to_weighted_bce_where_positives_are_rare():
    generator = torch.Generator().manual_seed(0)
    labels = (torch.rand(5_000, generator=generator) < 0.1).double()
    noise = torch.randn(5_000, generator=generator, dtype=torch.float64)
    logits = (2 * noise + 2 * (2 * labels - 1)).requires_grad_()
    names = ("lee:f1", "soft:f1", "weighted_bce")
    gradients = [torch.autograd.grad(get_loss(name)(logits, labels), logits)[0] for name in names]
    lee, soft, weighted = (gradient / gradient.norm() for gradient in gradients)
    assert lee @ soft < 0.9 < 0.94 < lee @ weighted < 0.99


def test_without_features_lee_calls_every_row_positive_as_f1_wants_it():
    """Of two constant answers all-positive has the higher F1, however rare positives are."""
    labels = torch.tensor([1.0] + [0.0] * 19, dtype=torch.float64)
    for level in (-5.0, 0.0, 5.0):
        bias = torch.tensor(level, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.grad(get_loss("lee:f1")(bias.expand(20), labels), bias)[0] < 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_lee_is_finite_however_sure_an_output_is_and_without_a_class(dtype):
    logits = torch.tensor([-1e4, -120, 0, 120, 1e4], dtype=dtype, requires_grad=True)
    for labels in ([0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [1, 0, 1, 0, 1]):
        value = get_loss("lee:f1")(logits, torch.tensor(labels, dtype=dtype))
        assert value.isfinite()
        assert torch.autograd.grad(value, logits)[0].isfinite().all()


def test_lee_is_for_f_beta_alone():
    assert parse_loss("lee:F2").score.name == "f2"
    for metric in ("gmean", "TP / (TP + FP)"):
        with pytest.raises(LossError, match="for F-beta alone, such as f1 or f2"):
            parse_loss(f"lee:{metric}")
