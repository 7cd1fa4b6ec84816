"""The loss as a pure function: transformations of torch, averages, several classes."""

import numpy as np
import pytest
import torch
from sklearn import metrics
from torch._subclasses.fake_tensor import FakeTensorMode

from anyloss_core.functional import any_loss
from anyloss_core.losses.counts_loss import AnyLoss
from anyloss_core.losses.functional import amplify
from anyloss_core.losses.softening import Amplifier

ORACLES = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "f2": lambda *a, **more: metrics.fbeta_score(*a, beta=2, **more),
    "jaccard": metrics.jaccard_score,
}


def _rows(rows=24, seed=0):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(rows, generator=generator, dtype=torch.float64)
    return logits, (torch.rand(rows, generator=generator) < 0.3).double()


def _classes(rows=50, classes=4, seed=0):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(rows, classes, generator=generator, dtype=torch.float64)
    return logits, torch.randint(0, classes, (rows,), generator=generator)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc", "gmean", "balanced_accuracy"])
@pytest.mark.parametrize("form", ["safe", "naive"])
def test_first_and_second_derivatives_are_right(metric, form):
    logits, labels = _rows()
    logits.requires_grad_()
    for threshold in (0.5, 0.3):

        def loss(z, threshold=threshold):
            return any_loss(z, labels, metric, 7.0, form=form, threshold=threshold)

        assert torch.autograd.gradcheck(loss, logits)
        assert torch.autograd.gradgradcheck(loss, logits)


def test_an_output_of_exactly_0_has_the_slope_it_should_have():
    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    labels = torch.tensor([1, 0, 1])
    assert torch.autograd.gradcheck(lambda z: any_loss(z, labels, L=9.0), logits)


def test_torch_func_can_differentiate_and_map_it():
    logits, labels = _rows()
    free = logits.clone().requires_grad_()
    (expected,) = torch.autograd.grad(AnyLoss("f1")(free, labels), free)

    def loss(z):
        return any_loss(z, labels)

    torch.testing.assert_close(torch.func.grad(loss)(logits), expected)
    torch.testing.assert_close(torch.func.jacrev(loss)(logits), expected)
    stack = torch.stack([logits, -logits, 2 * logits])
    together = AnyLoss("f1", stacked=True)(stack, labels)
    torch.testing.assert_close(torch.func.vmap(loss)(stack), together)
    hessian = torch.func.jacrev(torch.func.jacrev(loss))(logits)
    assert hessian.shape == (24, 24)
    torch.testing.assert_close(hessian, hessian.T)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch in its own forward mode
@pytest.mark.parametrize("options", [{}, {"form": "naive"}, {"average": "macro"}])
def test_it_can_be_differentiated_forwards_too(options):
    logits, labels = _classes(8, 3) if "average" in options else _rows(12)

    def loss(z):
        return any_loss(z, labels, "mcc", **options)

    expected = torch.func.jacrev(torch.func.jacrev(loss))(logits)
    torch.testing.assert_close(torch.func.hessian(loss)(logits), expected)


def test_L_itself_has_a_gradient():
    logits, labels = _rows()
    L = torch.tensor(7.0, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda L: any_loss(logits, labels, L=L), L)


@pytest.mark.parametrize("shape", [(12,), (12, 1)])
def test_no_value_is_read_back_on_the_meta_device(shape):
    logits = torch.empty(shape, device="meta", requires_grad=True)
    for loss in (any_loss, AnyLoss("mcc"), AnyLoss("f1", memory=0.9)):
        loss(logits, torch.empty(shape, device="meta")).backward()
    assert logits.grad.shape == shape


def test_no_value_is_read_back_in_fake_tensors():
    with FakeTensorMode():
        logits = torch.randn(12, 3, requires_grad=True)
        labels = torch.zeros(12, dtype=torch.int64)
        AnyLoss("f1", average="macro")(logits, labels).backward()
        assert logits.grad.shape == (12, 3)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch in its own compiler
def test_it_compiles_as_one_graph():
    logits, labels = _rows()
    compiled = torch.compile(any_loss, fullgraph=True)
    free, plain = (logits.clone().requires_grad_() for _ in range(2))
    value = compiled(free, labels)
    value.backward()
    expected = any_loss(plain, labels)
    expected.backward()
    torch.testing.assert_close(value, expected)
    torch.testing.assert_close(free.grad, plain.grad)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch in its own compiler
@pytest.mark.parametrize("options", [{}, {"memory": 0.9}, {"blend": 0.5}, {"average": "macro"}])
def test_modules_are_one_graph_too(options):
    logits, labels = _classes(20, 3) if "average" in options else _rows()
    metric = "TP / (TP + FP + 2 * FN)"  # never seen before: all of it is made outside the graph
    compiled = torch.compile(AnyLoss(metric, **options), fullgraph=True, backend="eager")
    value = compiled(logits.requires_grad_(), labels)
    value.backward()
    torch.testing.assert_close(value, AnyLoss(metric, **options)(logits, labels))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch in its own compiler
def test_a_training_step_can_be_exported():
    class Step(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.network = torch.nn.Linear(3, 1)
            self.loss = AnyLoss("f1")

        def forward(self, x, y):
            return self.loss(self.network(x), y)

    x, y = torch.randn(10, 3), (torch.arange(10)[:, None] % 3 == 0).float()
    step = Step()
    exported = torch.export.export(step, (x, y)).module()
    torch.testing.assert_close(exported(x, y), step(x, y))
    exported(x, y).backward()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_autocast_counts_in_single_precision(dtype):
    logits = torch.randn(600, generator=torch.Generator().manual_seed(0)).to(dtype)
    labels = (torch.arange(600) % 2).float()
    with torch.autocast("cpu", torch.bfloat16):
        loss = any_loss(logits.requires_grad_(), labels, "mcc")
    assert loss.dtype == torch.float32
    loss.backward()
    assert logits.grad.isfinite().all()


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
@pytest.mark.parametrize("metric", ORACLES)
def test_certain_predictions_score_as_in_scikit_learn(metric, average):
    """Small tables, in most of which a class is absent, never predicted or without weight."""
    random = np.random.default_rng(0)
    for trial in range(12):
        rows, classes = int(random.integers(1, 9)), int(random.integers(2, 6))
        logits = random.normal(size=(rows, classes))
        weights = random.integers(0, 3, rows) + (trial == 0) if trial % 2 else np.ones(rows)
        weights[0] += 1
        numbers = (random.integers(0, classes, rows), logits.argmax(1), {"labels": range(classes)})
        labels = (random.integers(0, 2, (rows, classes)) * (trial % 3 > 0), logits > 0, {})
        for actual, predicted, more in (numbers, labels):
            expected = ORACLES[metric](
                actual, predicted, average=average, zero_division=0, sample_weight=weights, **more
            )
            z, y, w = (torch.as_tensor(part) for part in (1e3 * logits, actual, weights))
            found = 1 - any_loss(z, y, metric, 1e6, average=average, sample_weight=w)
            assert found.numpy() == pytest.approx(expected, abs=1e-9)


def test_two_exclusive_classes_are_the_amplifier_of_one():
    p = torch.linspace(0, 1, 21, dtype=torch.float64)
    soft = amplify(torch.stack([1 - p, p]), Amplifier(9.0))
    torch.testing.assert_close(soft[1], Amplifier(9.0).from_probabilities(p))
    torch.testing.assert_close(soft[0], 1 - soft[1])


def test_the_soft_matrix_of_classes_becomes_that_of_argmax():
    logits, labels = _classes()
    hard = metrics.f1_score(labels, logits.argmax(1), average="macro")
    gaps = [
        abs(1 - any_loss(logits, labels, L=L, average="macro").item() - hard)
        for L in (100.0, 1e3, 1e5)
    ]
    assert gaps[-1] < 1e-3
    assert gaps == sorted(gaps, reverse=True)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_gradients_of_several_classes_are_right(average):
    logits, labels = _classes(12)
    weights = torch.linspace(0.5, 2, 12, dtype=torch.float64)
    for own in (labels, (logits.roll(1, 0) > 0).long()):
        assert torch.autograd.gradcheck(
            lambda z, own=own: any_loss(z, own, average=average, sample_weight=weights),
            logits.requires_grad_(),
        )
        logits = logits.detach()


def test_probabilities_of_classes_are_taken_as_they_are():
    logits, labels = _classes()
    expected = any_loss(logits, labels, average="macro")
    found = any_loss(logits.softmax(1), labels, average="macro", from_probabilities=True)
    torch.testing.assert_close(found, expected)
    with pytest.raises(ValueError, match=r"probabilities of a row must sum to 1, .* softmax them"):
        any_loss(logits.sigmoid(), labels, average="macro", from_probabilities=True)
    with pytest.raises(ValueError, match="threshold is for two classes"):
        any_loss(logits, labels, average="macro", threshold=0.3)
