"""Stacks of networks: their gradients against autograd, their layers against torch."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from anyloss_core.engine.models import Network, initial_parameters
from anyloss_core.engine.stack import Stack
from anyloss_core.engine.study import Watch
from tests.engine_studies import (
    DEEP,
    MLP,
    PAIR,
    SLP,
    study,
    table,
    torch_network,
    train_in_plain_torch,
    trained,
)

NETWORKS = {
    "slp": SLP,
    "mlp": MLP,
    "deep": DEEP,
    "relu": Network((3, 5, 2), "relu", batch_norm=True, initial="he"),
}


def make_stack(network, seeds=(3, 8), losses=2):
    stack = Stack(network, 4, (len(seeds), losses), torch.float64, torch.device("cpu"))
    stack.start(list(seeds), [4] * len(seeds))
    return stack


@pytest.mark.parametrize("part", [None, (1, 2)], ids=["all folds", "the second"])
@pytest.mark.parametrize("name", list(NETWORKS))
def test_gradients_are_those_of_autograd(name, part):
    network, seeds = NETWORKS[name], (3, 8)
    stack, random = make_stack(network, seeds), torch.Generator().manual_seed(0)
    chosen = range(*(part or (0, 2)))
    rows = torch.randn(len(chosen), 11, 4, dtype=torch.float64, generator=random)
    outer = torch.randn(len(chosen), 2, 11, dtype=torch.float64, generator=random)
    logits = stack.forward(rows, part, training=True)
    stack.backward(outer, part)
    found = stack.views(stack.gradients)
    for position, fold in enumerate(chosen):
        for loss in range(2):
            net = torch_network(network, 4, seeds[fold])
            expected = net(rows[position])[:, 0]
            assert torch.allclose(logits[position, loss], expected)
            (expected * outer[position, loss]).sum().backward()
            ours = {key: view[fold, loss] for key, view in found.items()}
            theirs = dict(zip(ours, (p.grad for p in net.parameters()), strict=True))
            for key, gradient in ours.items():
                assert torch.allclose(gradient, theirs[key], atol=1e-12), key
    norms = stack.gradient_norms()[list(chosen)]
    squares = sum(view[list(chosen)].flatten(2).square().sum(-1) for view in found.values())
    assert torch.allclose(norms, squares.sqrt())


def test_losses_of_a_fold_start_alike_and_folds_differ():
    stack = make_stack(MLP)
    weight = stack.named["weight0"]
    assert torch.equal(weight[:, 0], weight[:, 1])
    assert torch.equal(weight[1, 0], initial_parameters(MLP, 4, 8)["weight0"])
    assert not torch.equal(weight[0], weight[1])


def test_parameters_can_be_taken_away_and_loaded_again():
    stack, other = make_stack(MLP), make_stack(MLP, (5, 6))
    stack.running["mean0"].fill_(0.25)
    other.load(stack.parameters())
    for name, tensor in stack.state.items():
        assert torch.equal(other.state[name], tensor), name
    stack.values.zero_()
    assert other.values.abs().sum() > 0  # a copy


def test_one_wild_parameter_makes_a_model_no_longer_finite():
    stack = make_stack(MLP)
    stack.named["shift0"][1, 0, 1] = torch.inf
    stack.running["var0"][0, 1, 0] = torch.nan
    assert stack.finite().tolist() == [[True, False], [False, True]]


def test_gradient_norms_are_those_of_autograd():
    setup = study(PAIR, optimiser="gd", epochs=1, watch=Watch())
    _, [event] = trained(setup)
    for place in range(2):
        rows = setup.rows[0].train
        weights = torch.zeros(5, dtype=torch.float64, requires_grad=True)
        logits = torch.as_tensor(setup.features[rows]) @ weights[:4] + weights[4]
        setup.models[place].loss.build()(logits, torch.as_tensor(setup.labels[rows])).backward()
        assert float(event.gradient_norms[place]) == pytest.approx(float(weights.grad.norm()))


def test_relu_and_other_widths_train_like_torch():
    network = replace(DEEP, hidden=(3, 5, 2), activation="relu", batch_norm=True)
    setup = study(("bce", "anyloss:gmean@L=5"), network, batch=25, epochs=10)
    parameters, _ = trained(setup)
    for place in range(2):
        net = train_in_plain_torch(setup, place)
        for index, layer in ((0, 0), (1, 3), (2, 6), (3, 9)):
            ours = parameters.tensors[f"weight{index}"][place]
            assert torch.allclose(ours, net[layer].weight, rtol=0, atol=1e-8)


def test_padding_columns_of_a_wider_fold_change_nothing():
    x, y = table()
    wide = np.hstack([x, np.zeros((len(x), 3))])
    rows = tuple(replace(part, columns=4) for part in study(PAIR).rows)
    narrow, _ = trained(study(PAIR, MLP, batch=16))
    padded, _ = trained(study(PAIR, MLP, batch=16, data=(wide, y), rows=rows))
    assert (padded.tensors["weight0"][..., 4:] == 0).all()
    found = padded.tensors["weight0"][..., :4]
    assert torch.allclose(found, narrow.tensors["weight0"], atol=1e-10)
