"""Sums of more rows than a batch holds: memory, accumulation, processes."""

import pytest
import torch
from torch import distributed, multiprocessing

from anyloss_core.losses.counts_loss import AnyLoss
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


@pytest.mark.parametrize("metric", ["f1", "mcc"])
def test_parts_of_a_batch_add_up_to_its_gradient(metric):
    (x, y), model = _rows(), _model()
    whole = _gradient(model, AnyLoss(metric), x, y)
    loss = AnyLoss(metric)
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
    torch.testing.assert_close(values[3], AnyLoss(metric)(model(x), y))
    torch.testing.assert_close(_gradient(model, loss, x, y), whole)  # and it is over


def _process(rank, file, found):
    distributed.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
    (x, y), model = _rows(), _model()
    mine = slice(0, 100) if rank == 0 else slice(100, None)  # parts may differ in length
    wrapped = torch.nn.parallel.DistributedDataParallel(model)
    AnyLoss("f1")(wrapped(x[mine]), y[mine]).backward()
    gradients = [model.weight.grad.clone()]
    plain = _model()
    own = _gradient(plain, AnyLoss("mcc"), x[mine], y[mine])
    distributed.all_reduce(own)
    gradients.append(own / 2)
    gradients.append(_gradient(plain, AnyLoss("f1", sync=False), x[mine], y[mine]))
    found[rank] = [gradient.tolist() for gradient in gradients]
    distributed.destroy_process_group()


def test_two_processes_give_the_gradient_of_one(tmp_path):
    with multiprocessing.Manager() as manager:
        found = manager.dict()
        multiprocessing.spawn(_process, (str(tmp_path / "meeting"), found), nprocs=2)
        results = {rank: torch.tensor(found[rank], dtype=torch.float64) for rank in (0, 1)}
    (x, y), model = _rows(), _model()
    for rank, part in ((0, slice(0, 100)), (1, slice(100, None))):
        for place, metric in enumerate(("f1", "mcc")):
            whole = _gradient(model, AnyLoss(metric), x, y)
            torch.testing.assert_close(results[rank][place], whole, rtol=0, atol=1e-6)
        own = _gradient(model, AnyLoss("f1"), x[part], y[part])
        torch.testing.assert_close(results[rank][2], own, rtol=0, atol=1e-6)


def test_an_impossible_memory_is_refused():
    with pytest.raises(ValueError, match=r"memory must be from 0 to below 1, as in 0\.9, got 1"):
        AnyLoss("f1", memory=1)
