"""Networks: their starts, their shapes and their predictions."""

import math

import pytest
import torch

from anyloss_core.engine.models import Network, Parameters, initial_parameters, predict
from tests.engine_studies import MLP, torch_network


def test_an_slp_starts_at_zero():
    start = initial_parameters(Network(), 7, seed=3)
    assert set(start) == {"weight0", "bias0"}
    assert all((value == 0).all() for value in start.values())


@pytest.mark.parametrize(
    ("initial", "spread"), [("he", math.sqrt(2 / 50)), ("glorot", math.sqrt(2 / (50 + 400)))]
)
def test_initial_weights_have_the_spread_of_their_recipe(initial, spread):
    start = initial_parameters(Network((400,), initial=initial), 50, seed=0)
    assert start["weight0"].shape == (400, 50)
    assert float(start["weight0"].std()) == pytest.approx(spread, rel=0.02)
    assert float(start["weight0"].mean()) == pytest.approx(0, abs=0.01 * spread + 1e-3)
    assert (start["bias0"] == 0).all()
    assert float(start["weight1"].abs().max()) <= math.sqrt(6 / 401)


def test_the_same_seed_gives_the_same_start():
    one, same, other = (initial_parameters(MLP, 5, seed)["weight0"] for seed in (1, 1, 2))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_parameters_count_as_in_keras_without_the_useless_bias():
    assert MLP.size(30) == 30 * 2 + 2 + 2 + 2 + 1
    assert Network().size(30) == 31
    assert Network((16, 8), initial="he").size(4) == 4 * 16 + 16 + 16 * 8 + 8 + 8 + 1


def test_predictions_equal_those_of_torch_in_evaluation():
    network = Network((6, 3), "relu", batch_norm=True, initial="he")
    start = initial_parameters(network, 4, seed=0)
    net = torch_network(network, 4, seed=0).eval()
    random = torch.Generator().manual_seed(0)
    running = {}
    for layer, place in ((0, 1), (1, 4)):
        norm = net[place]
        norm.running_mean.uniform_(-1, 1, generator=random)
        norm.running_var.uniform_(0.5, 2, generator=random)
        running[f"mean{layer}"], running[f"var{layer}"] = norm.running_mean, norm.running_var
    tensors = {name: value[None] for name, value in {**start, **running}.items()}
    x = torch.randn(9, 4, dtype=torch.float64, generator=random)
    with torch.no_grad():
        assert torch.allclose(predict(Parameters(network, tensors), x)[0], net(x)[:, 0])


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"hidden": (0,)}, "hidden"),
        ({"activation": "swish"}, "activation"),
        ({"initial": "ones"}, "initial"),
        ({"hidden": (2,), "initial": "zeros"}, "alike"),
    ],
)
def test_wrong_networks_are_refused(settings, word):
    with pytest.raises(ValueError, match=word):
        Network(**settings)


def test_a_hidden_layer_of_one_unit_starts_like_any_hidden_layer():
    start = initial_parameters(Network(hidden=(1,), initial="he"), 2_000, seed=0)
    glorot_limit = (6 / 2_001) ** 0.5
    assert start["weight0"].abs().max() > glorot_limit
    assert start["weight0"].std().item() == pytest.approx((2 / 2_000) ** 0.5, rel=0.05)
