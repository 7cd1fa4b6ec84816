"""Losses against torch, autograd and properties that must hold for all of them."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from anyloss_core.losses.confusion import Counts, hard_counts
from anyloss_core.losses.counts_loss import SOL, AnyLoss
from anyloss_core.losses.scores import METRICS, get_score
from anyloss_core.losses.softening import Amplifier
from anyloss_core.losses.spelling import FAMILIES, get_loss

SOFTENINGS = ["anyloss:{}@L=12", "anyloss:{}@L=12,form=naive", "sol:{}@delta=0.4"]
SOFTENINGS += ["sol:{}@distribution=uniform", "soft:{}"]
FORMULA = "(TP + 1) / (TP + 1 + max(FP, FN))"
COUNT_LOSSES = [s.format(m) for s in SOFTENINGS for m in [*METRICS, FORMULA]]
COUNT_LOSSES += ["sigmoid_f1", "sigmoid_f1@beta=2,eta=0.3"]
COUNT_LOSSES += ["sigmoid_f1@variant=torch", "sigmoid_f1@variant=tensorflow"]
POINTWISE = ["bce", "mse", "adaline", "linear_mse", "weighted_bce", "weighted_bce@pos_weight=3"]
POINTWISE += ["focal", "focal@gamma=0.5,alpha=0.7", "lee:f0.5@pos_weight=4"]
ONE_OF_EACH = [
    "anyloss:mcc",
    "anyloss:gmean",
    "sol:f1",
    "soft:f1",
    "sigmoid_f1",
    "lee:f1",
    *POINTWISE,
]
LOGITS = st.lists(st.floats(-40, 40), min_size=1, max_size=12)


def _batch(m=2, b=9, positives=0.4, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(m, b, generator=generator, dtype=dtype)
    labels = (torch.rand(b, generator=generator) < positives).to(dtype)
    labels[0], labels[1] = 1, 0
    return logits, labels.expand(m, b)


@pytest.mark.parametrize("spelling", COUNT_LOSSES + POINTWISE + ["lee:f1"])
def test_gradients_are_right(spelling):
    logits, labels = _batch()
    loss = get_loss(spelling, stacked=True)
    assert torch.autograd.gradcheck(lambda z: loss(z, labels), logits.requires_grad_())


@pytest.mark.parametrize("spelling", ["anyloss:f1@L=9", "sol:gmean@delta=0.4", "soft:mcc"])
def test_gradients_with_sample_weights_are_right(spelling):
    logits, labels = _batch()
    weights = torch.linspace(0.1, 3, 9, dtype=torch.float64)
    loss = get_loss(spelling, stacked=True)
    assert torch.autograd.gradcheck(lambda z: loss(z, labels, weights), logits.requires_grad_())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("L", [1_000.0, 1e4, 1e6])
@pytest.mark.parametrize("metric", METRICS)
def test_a_single_row_has_the_hard_score_once_L_is_large(metric, L, dtype):
    for logit, label in [(-3.0, 1.0), (-0.5, 1.0), (-0.5, 0.0), (0.5, 0.0), (0.5, 1.0), (3.0, 0.0)]:
        logits, labels = torch.tensor([logit], dtype=dtype), torch.tensor([label], dtype=dtype)
        hard = METRICS[metric](hard_counts(labels, logits > 0)).item()
        assert AnyLoss(metric, L=L)(logits, labels).item() == pytest.approx(
            1 - _unit(metric, hard), abs=1e-6
        )


@pytest.mark.parametrize("spelling", ONE_OF_EACH)
def test_a_stack_equals_its_models_one_by_one(spelling):
    logits, labels = _batch(5, 20)
    loss, alone = get_loss(spelling, stacked=True), get_loss(spelling)
    together = loss(logits, labels)
    assert together.shape == (5,)
    for place in range(5):
        torch.testing.assert_close(together[place], alone(logits[place], labels[place]))
    torch.testing.assert_close(together, loss(logits, labels[0]))  # labels shared by all models


@pytest.mark.filterwarnings("ignore::anyloss_core.losses.messages.LossWarning")
@pytest.mark.parametrize("metric", METRICS)
@given(logits=LOGITS, ones=st.integers(0, 12), L=st.sampled_from([1.0, 73.0, 400.0]))
def test_losses_and_gradients_are_finite_and_within_bounds(metric, logits, ones, L):
    """All of one class, a single row and p = 0 or 1 included."""
    for dtype in (torch.float32, torch.float64):
        z = torch.tensor(logits, dtype=dtype, requires_grad=True)
        labels = (torch.arange(len(logits)) < ones).to(dtype)
        for loss in (AnyLoss(metric, L=L), SOL(metric)):
            value = loss(z, labels)
            (gradient,) = torch.autograd.grad(value, z)
            assert -1e-6 <= value.item() <= 1 + 1e-6
            assert torch.isfinite(gradient).all()


@pytest.mark.parametrize("metric", METRICS)
def test_probabilities_of_exactly_zero_and_one_are_fine(metric):
    p = torch.tensor([0.0, 1.0, 0.0, 1.0, 0.5], dtype=torch.float64, requires_grad=True)
    labels = torch.tensor([0.0, 1.0, 1.0, 0.0, 1.0], dtype=torch.float64)
    for loss in (AnyLoss(metric, from_probabilities=True), SOL(metric, from_probabilities=True)):
        value = loss(p, labels)
        (gradient,) = torch.autograd.grad(value, p)
        assert torch.isfinite(gradient).all()
        certain = Counts(*(torch.tensor(n, dtype=torch.float64) for n in (1.0, 1.5, 1.0, 1.5)))
        falls = 1 - get_score(metric)(certain).item()
        falls /= 2 if metric in ("mcc", "kappa", "youden", "markedness") else 1  # from -1 to 1
        assert value.item() == pytest.approx(falls, abs=1e-6)


@pytest.mark.parametrize("metric", METRICS)
def test_the_soft_score_reaches_the_hard_one_as_L_grows(metric):
    logits, labels = _batch(1, 60, seed=3)
    hard = METRICS[metric](hard_counts(labels[0], logits[0] > 0)).item()
    gaps = [
        abs(1 - AnyLoss(metric, L=L)(logits[0], labels[0]).item() - _unit(metric, hard))
        for L in (10.0, 100.0, 10_000.0)
    ]
    assert gaps[2] < 1e-3
    assert gaps[2] <= gaps[1] <= gaps[0] + 0.05


def _unit(metric, value):
    low, high = METRICS[metric].range
    return (value - low) / (high - low)


@pytest.mark.parametrize("spelling", ONE_OF_EACH)
def test_weights_equal_repetition(spelling):
    logits, labels = _batch(1, 6)
    times = torch.tensor([1, 2, 0, 3, 1, 1])
    loss = get_loss(spelling)
    weighted = loss(logits[0], labels[0], times.double())
    repeated = loss(logits[0].repeat_interleave(times), labels[0].repeat_interleave(times))
    torch.testing.assert_close(weighted, repeated)


@pytest.mark.parametrize("spelling", ONE_OF_EACH)
def test_the_order_of_samples_does_not_matter(spelling):
    logits, labels = _batch(1, 30)
    order = torch.randperm(30, generator=torch.Generator().manual_seed(1))
    loss = get_loss(spelling)
    torch.testing.assert_close(loss(logits[0], labels[0]), loss(logits[0][order], labels[0][order]))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("metric", ["accuracy", "f1", "gmean", "balanced_accuracy", "mcc"])
def test_no_samples_gradient_is_zero_in_the_safe_form(dtype, metric):
    logits = torch.linspace(-34, 34, 2001, dtype=dtype, requires_grad=True)
    labels = (torch.arange(2001) % 3 == 0).to(dtype)
    AnyLoss(metric)(logits, labels).backward()
    assert (logits.grad != 0).all()


@pytest.mark.parametrize("metric", ["precision", "f1", "jaccard", "fowlkes_mallows"])
def test_a_batch_without_positive_predictions_still_learns_in_float32(metric):
    logits = torch.full((50,), -8.0, requires_grad=True)
    AnyLoss(metric)(logits, (torch.arange(50) % 2).float()).backward()
    assert (logits.grad != 0).all()


BAD = [
    ((torch.zeros(3, 1), torch.zeros(3)), "labels have shape"),
    ((torch.zeros(3), torch.zeros(3, 1)), "labels have shape"),
    ((torch.zeros(3), torch.tensor([0.0, 1.0, 2.0])), "labels must be 0 or 1, got 0, 1, 2"),
    ((torch.zeros(3), torch.tensor([-1.0, 1.0, 1.0])), "labels must be 0 or 1"),
    ((torch.zeros(3), torch.tensor([0.5, 1.0, 0.0])), "labels must be 0 or 1"),
    ((torch.zeros(2), torch.tensor([0.5, (1 + 2**0.5) / 2])), "labels must be 0 or 1"),
    ((torch.zeros(3), torch.tensor([float("nan"), 1.0, 0.0])), "labels must be 0 or 1"),
    ((torch.tensor([float("nan"), 1.0]), torch.tensor([0.0, 1.0])), "logits hold NaN"),
    ((torch.tensor([float("inf"), 1.0]), torch.tensor([0.0, 1.0])), "logits hold NaN"),
    ((torch.zeros(0), torch.zeros(0)), "at least one sample"),
    ((torch.tensor([1, 2]), torch.tensor([0, 1])), "logits must be floating point"),
    (([0.1, 0.2], torch.zeros(2)), "logits must be a tensor, got list"),
    ((torch.zeros(2), torch.zeros(2), torch.tensor([-1.0, 1.0])), "sample_weight must be finite"),
    ((torch.zeros(2), torch.zeros(2), torch.ones(3)), "sample_weight has shape"),
    ((torch.zeros(2), torch.zeros(2), [1.0, 1.0]), "sample_weight must be a tensor, got list"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
@pytest.mark.parametrize("spelling", ["anyloss:f1", "bce"])
def test_wrong_input_is_refused_by_name(spelling, arguments, message):
    with pytest.raises(ValueError, match=message):
        get_loss(spelling)(*arguments)


def test_probabilities_outside_their_range_are_refused():
    with pytest.raises(ValueError, match=r"probabilities must lie in \[0, 1\], got -0.5 to 2"):
        AnyLoss("f1", from_probabilities=True)(torch.tensor([-0.5, 2.0]), torch.tensor([0, 1]))


def test_probabilities_are_called_so_in_every_message():
    loss = AnyLoss("f1", from_probabilities=True)
    with pytest.raises(ValueError, match="probabilities hold NaN"):
        loss(torch.tensor([float("nan"), 0.5]), torch.tensor([0, 1]))


@pytest.mark.filterwarnings("ignore::anyloss_core.losses.messages.LossWarning")
@pytest.mark.parametrize("spelling", ONE_OF_EACH)
def test_rows_without_weight_give_no_gradient_in_the_precision_of_the_logits(spelling):
    logits = torch.tensor([0.3, -0.2], requires_grad=True)
    loss = get_loss(spelling)(logits, torch.tensor([1, 0]), torch.zeros(2, dtype=torch.float64))
    loss.backward()
    assert loss.dtype == torch.float32
    lowest = 0.5 if "mcc" in spelling else 1.0  # of a score without counts: 0, of -1 to 1 or 0 to 1
    counted = ":" in spelling or "f1" in spelling
    assert loss.item() == (lowest if counted and "lee" not in spelling else 0.0)
    assert logits.grad.tolist() == [0.0, 0.0]


def test_huge_but_finite_logits_are_accepted():
    logits = torch.tensor([1e308, 1e308, -1e308], dtype=torch.float64)
    assert AnyLoss("f1", L=73)(logits, torch.tensor([1, 1, 0])).item() == pytest.approx(0)


def test_integer_and_boolean_labels_are_accepted():
    logits = torch.tensor([0.3, -0.2, 0.9])
    expected = AnyLoss("f1")(logits, torch.tensor([1.0, 0.0, 1.0]))
    for labels in (torch.tensor([1, 0, 1]), torch.tensor([True, False, True])):
        assert AnyLoss("f1")(logits, labels) == expected


def test_every_family_of_losses_is_tested_here():
    tested = {s.split(":")[0].split("@")[0] for s in COUNT_LOSSES + POINTWISE}
    assert tested == set(FAMILIES)


def test_labels_that_passed_are_looked_at_again_once_they_change():
    logits, labels = torch.randn(6), torch.tensor([0.0, 1, 0, 1, 1, 0])
    loss = AnyLoss("f1")
    loss(logits, labels)
    labels[2] = 2.0
    with pytest.raises(ValueError, match="labels must be 0 or 1, got 0, 1, 2"):
        loss(logits, labels)


@pytest.mark.parametrize("shape", [(4,), (2, 4)])
def test_positives_are_counted_again_once_labels_change(shape):
    loss = AnyLoss("f1", L=10, stacked=len(shape) == 2)
    logits = torch.linspace(-1, 1, 4).expand(shape)
    labels = torch.tensor([1.0, 0, 0, 1]).expand(shape).clone()
    before = loss(logits, labels)
    labels[..., 0] = 0
    assert not torch.equal(loss(logits, labels), before)
    assert torch.equal(loss(logits, labels), loss(logits, labels.clone()))


def test_positives_are_counted_again_once_numpy_refills_the_buffer():
    loss, logits = AnyLoss("f1", L=10), torch.tensor([2.0, 1.0, -1.0, -2.0])
    buffer = np.array([1.0, 0, 0, 0], dtype=np.float32)
    labels = torch.from_numpy(buffer)
    loss(logits, labels)
    buffer[:] = [1, 1, 1, 0]  # another batch in the same memory, which torch cannot see
    assert torch.equal(loss(logits, labels), loss(logits, labels.clone()))


@pytest.mark.parametrize("metric", ["balanced_accuracy", "youden"])
@pytest.mark.parametrize("positive", [True, False])
def test_a_batch_of_one_class_is_scored_by_that_class_alone(metric, positive):
    generator = torch.Generator().manual_seed(0)
    for rows in range(1, 200):
        logits = torch.randn(rows, generator=generator, dtype=torch.float64)
        right = Amplifier(9.0)(logits if positive else -logits).mean()  # recall of the class
        expected = 1 - right if metric == "balanced_accuracy" else 1 - right / 2
        labels = torch.full_like(logits, float(positive))
        found = AnyLoss(metric, L=9.0)(logits, labels)
        torch.testing.assert_close(found, expected)


def test_labels_without_a_version_are_accepted():
    with torch.inference_mode():
        labels = torch.tensor([0.0, 1, 1])
        assert 0 <= float(AnyLoss("f1")(torch.randn(3), labels)) <= 1


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("metric", ["mcc", "gmean", "f1"])
def test_half_precision_is_weighed_in_float32(metric, dtype):
    torch.manual_seed(0)
    logits = torch.randn(2, 600).to(dtype).requires_grad_()  # 300 x 300 overflows in float16
    labels = (torch.arange(600) % 2).float()
    own = AnyLoss(metric, stacked=True)
    loss = own(logits, labels)
    assert torch.equal(loss, own(logits.detach().float(), labels))
    loss.sum().backward()
    assert logits.grad.dtype == dtype
    assert logits.grad.isfinite().all()


def test_labels_may_come_from_a_graph():
    labels = torch.tensor([0.0, 1.0, 1.0], requires_grad=True)
    # A(0.5) = 0.5 everywhere: TP = 1, FN = 1, FP = 0.5, so F1 = 2 / 3.5
    assert AnyLoss("f1")(torch.zeros(3), labels).item() == pytest.approx(1 - 2 / 3.5)
