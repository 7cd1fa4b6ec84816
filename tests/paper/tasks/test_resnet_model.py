"""The compact ResNet-50: fifty layers with weights, and one logit an image."""

import torch
from torch import nn

from anyloss_core.paper.tasks.resnet_model import ResNet50


def test_it_has_fifty_layers_beside_its_short_cuts():
    layers = [
        name
        for name, module in ResNet50(4).named_modules()
        if isinstance(module, nn.Conv2d | nn.Linear) and "short_cut" not in name
    ]
    assert len(layers) == 50


def test_every_image_gets_one_logit_and_every_weight_a_gradient():
    torch.manual_seed(0)
    network = ResNet50(4)
    logits = network(torch.rand(3, 1, 32, 32))
    assert logits.shape == (3,)
    logits.sum().backward()
    assert all(weight.grad is not None for weight in network.parameters())


def test_the_width_is_that_of_the_published_network_times_a_share():
    assert ResNet50(4).head.in_features == 4 * 32
    assert ResNet50(16).head.in_features == 2048 // 4
