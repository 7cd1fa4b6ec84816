"""Sums of more rows than a batch holds: memory, accumulation, processes."""

import pytest
import torch
from torch import distributed, multiprocessing

from anyloss_core.losses.counts_loss import SOL, AnyLoss, SoftLoss
from anyloss_core.losses.messages import LossWarning
from anyloss_core.losses.totals import Totals


def _rows(rows=512, share=0.1, seed=0):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(rows, 4, generator=generator, dtype=torch.float64)
    return x, (torch.rand(rows, 1, generator=generator) < share).double()


def _gradient(model, loss, x, y):
    model.zero_grad()
    loss(model(x), y).backward()
    return model.weight.grad.clone()


def _model():
    torch.manual_seed(3)
    return torch.nn.Linear(4, 1, dtype=torch.float64)


def test_the_memory_is_a_mean_of_the_batches_with_fading_weights():
    totals = Totals(memory=0.5)
    batches = [torch.tensor([4.0, 8, 1, 2]), torch.tensor([0.0, 12, 0, 6]), torch.ones(4)]
    for batch in batches:
        found = totals(batch)
    weights = torch.tensor([0.25, 0.5, 1.0])
    expected = (torch.stack(batches) * weights[:, None]).sum(0) / weights.sum()
    torch.testing.assert_close(found, expected)


def test_the_first_batch_counts_as_it_is():
    (x, y), model = _rows(), _model()
    own = _gradient(model, AnyLoss("f1"), x, y)
    torch.testing.assert_close(_gradient(model, AnyLoss("f1", memory=0.9), x, y), own)


def test_with_memory_a_batch_without_positives_still_teaches():
    (x, y), model = _rows(), _model()
    loss = AnyLoss("f1", memory=0.9)
    _gradient(model, loss, x, y)
    assert _gradient(model, loss, x[:8], torch.zeros_like(y[:8])).abs().max() > 0


def test_with_memory_small_batches_point_where_the_whole_does():
    (x, y), model = _rows(1024, share=0.02), _model()
    whole = _gradient(model, AnyLoss("f1", L=20.0), x, y).flatten()

    def angle(loss):
        for _ in range(2):  # the first round fills the memory
            batches = zip(x.split(32), y.split(32), strict=True)
            parts = [_gradient(model, loss, *batch) for batch in batches]
        mean = torch.stack(parts).mean(0).flatten()
        return torch.nn.functional.cosine_similarity(mean, whole, dim=0).item()

    with pytest.warns(LossWarning, match="without positive"):
        alone = angle(AnyLoss("f1", L=20.0))
    assert angle(AnyLoss("f1", L=20.0, memory=0.97)) > max(0.99, alone)


def test_the_memory_is_saved_moved_and_forgotten():
    (x, y), model = _rows(), _model()
    loss = AnyLoss("f1", memory=0.9)
    _gradient(model, loss, x, y)
    other = AnyLoss("f1", memory=0.9)
    other.load_state_dict(loss.state_dict())
    torch.testing.assert_close(
        _gradient(model, other, x[:32], y[:32]), _gradient(model, loss, x[:32], y[:32])
    )
    assert loss.to(torch.float32).totals.mean.dtype == torch.float32
    loss.reset()
    assert loss.totals.mean.numel() == 0
    other.eval()
    assert other.totals.weight.item() == 0
    assert not AnyLoss("f1").state_dict()


def test_evaluation_looks_at_its_own_rows_alone():
    (x, y), model = _rows(), _model()
    loss = AnyLoss("f1", memory=0.9)
    loss(model(x), y)
    loss.eval()
    torch.testing.assert_close(loss(model(x[:64]), y[:64]), AnyLoss("f1")(model(x[:64]), y[:64]))


def test_where_no_gradient_is_wanted_a_batch_is_looked_at_and_not_remembered():
    (x, y), model = _rows(), _model()
    loss = AnyLoss("f1", memory=0.9)
    loss(model(x), y)
    kept = loss.totals.mean.clone()
    with torch.no_grad():  # a validation whose loss nobody told to eval()
        found = loss(model(x[:64]), y[:64])
    torch.testing.assert_close(found, AnyLoss("f1")(model(x[:64]), y[:64]))
    assert torch.equal(loss.totals.mean, kept)


def test_a_memory_of_mapped_models_is_refused_and_none_is_left():
    (x, y), loss = _rows(), AnyLoss("f1", memory=0.9)

    def own(z):
        return loss(z, y[:, 0])

    for function in (own, torch.func.grad(own)):
        with pytest.raises(ValueError, match="use memory=0 or stacked=True"):
            torch.func.vmap(function)(x.T)
    torch.func.grad(own)(x[:, 0])
    assert own(x[:, 0].requires_grad_()).isfinite()


def _warming_up():
    loss = AnyLoss("f1", L="2..20", warm_up=0.5)
    loss.at(0, 10)
    return loss


WAYS = {
    "f1": lambda: AnyLoss("f1"),
    "mcc": lambda: AnyLoss("mcc"),
    "blend": lambda: AnyLoss("f1", blend=0.4),
    "warm-up": _warming_up,
    "sol": lambda: SOL("gmean"),
    "soft": lambda: SoftLoss("kappa"),
}


@pytest.mark.parametrize("way", WAYS)
def test_parts_of_a_batch_add_up_to_its_gradient(way):
    (x, y), model = _rows(), _model()
    whole = _gradient(model, WAYS[way](), x, y)
    loss = WAYS[way]()
    parts = list(zip(x.split(32), y.split(32), strict=True))
    model.zero_grad()
    with loss.accumulate() as add:
        with torch.no_grad():
            for part in parts:
                add(model(part[0]), part[1])
        values = [loss(model(a), b) for a, b in parts]
        for value in values:
            value.backward()
    torch.testing.assert_close(model.weight.grad, whole, rtol=1e-9, atol=1e-12)
    torch.testing.assert_close(values[3], WAYS[way]()(model(x), y))
    torch.testing.assert_close(_gradient(model, loss, x, y), whole)  # and it is over


def test_a_memory_of_the_warm_up_ends_with_it():
    (x, y), model = _rows(), _model()
    loss = AnyLoss("f1", L="2..20", warm_up=0.5, memory=0.9)
    for epoch in (0, 9):
        loss.at(epoch, 10)
        found = loss(model(x), y)
    torch.testing.assert_close(found, AnyLoss("f1", 20.0)(model(x), y))


def _of_two_labels(z, y):
    both = AnyLoss("f1", average="macro", memory=0.9)
    return both(torch.cat([z, z - 1], 1), torch.cat([y, 1 - y], 1))


SHARED = WAYS | {"memory": lambda: AnyLoss("f1", memory=0.9), "labels": lambda: _of_two_labels}


def _second_step(model, loss, x, y, cut=None):
    """The gradient of the second of two steps; `cut` is where the own part of a batch begins."""
    for rows in (slice(0, 256), slice(256, None)):
        own = slice(None) if cut is None else cut
        gradient = _gradient(model, loss, x[rows][own], y[rows][own])
    return gradient


def _process(rank, file, found):
    distributed.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
    (x, y), model = _rows(), _model()
    mine = slice(0, 100) if rank == 0 else slice(100, None)  # parts may differ in length
    wrapped = torch.nn.parallel.DistributedDataParallel(model)
    AnyLoss("f1")(wrapped(x[mine]), y[mine]).backward()
    gradients = {"DDP": model.weight.grad.clone()}
    plain = _model()
    for way, make in SHARED.items():
        own = _second_step(plain, make(), x, y, mine)
        distributed.all_reduce(own)
        gradients[way] = own / 2  # as DDP averages
    gradients["alone"] = _gradient(plain, AnyLoss("f1", sync=False), x[mine], y[mine])
    if rank == 0:  # waits for nobody where no gradient is wanted
        with torch.no_grad():
            AnyLoss("f1")(plain(x), y)
    found[rank] = {way: gradient.tolist() for way, gradient in gradients.items()}
    distributed.destroy_process_group()


def test_two_processes_give_the_gradient_of_one(tmp_path):
    with multiprocessing.Manager() as manager:
        found = manager.dict()
        multiprocessing.spawn(_process, (str(tmp_path / "meeting"), found), nprocs=2)
        results = [found[rank] for rank in (0, 1)]
    (x, y), model = _rows(), _model()
    expected = {way: _second_step(model, make(), x, y) for way, make in SHARED.items()}
    expected["DDP"] = _gradient(model, AnyLoss("f1"), x, y)
    for result, part in zip(results, (slice(0, 100), slice(100, None)), strict=True):
        expected["alone"] = _gradient(model, AnyLoss("f1"), x[part], y[part])
        for way, gradient in expected.items():
            own = torch.tensor(result[way], dtype=torch.float64)
            torch.testing.assert_close(own, gradient, rtol=0, atol=1e-9, msg=way)


def test_an_impossible_memory_is_refused():
    with pytest.raises(ValueError, match=r"memory must be from 0 to below 1, as in 0\.9, got 1"):
        AnyLoss("f1", memory=1)
