"""The compact ResNet-50: fifty layers, any loss, digits from scikit-learn or a CSV."""

import numpy as np
import pandas as pd
import pytest
import torch
from torch import nn

from anyloss_core.losses.spelling import parse_loss
from anyloss_core.paper.tasks import resnet
from anyloss_core.paper.tasks.resnet import load_images, reproduce_resnet
from anyloss_core.paper.tasks.resnet_model import ResNet50


def test_the_network_has_fifty_layers_besides_its_short_cuts():
    network = ResNet50(width=4)
    layers = [m for m in network.modules() if isinstance(m, nn.Conv2d | nn.Linear)]
    short_cuts = [m for name, m in network.named_modules() if name.endswith("short_cut.0")]
    assert len(layers) - len(short_cuts) == 50
    assert network(torch.zeros(3, 1, 32, 32)).shape == (3,)


def test_digits_are_scaled_up_and_one_is_positive():
    images, labels = load_images("digits")
    assert images.shape == (1797, 1, 32, 32)
    assert (images.min(), images.max()) == (0, 1)
    assert labels.sum() == 174  # scikit-learn's eights


def test_images_come_from_a_csv_with_labels_in_any_place(tmp_path):
    path = tmp_path / "mnist.csv"
    pixels = np.arange(2 * 784).reshape(2, 784) % 256
    pd.DataFrame(pixels).assign(label=[8, 3]).to_csv(path, index=False)
    images, labels = load_images(path)
    assert images.shape == (2, 1, 32, 32)
    assert labels.tolist() == [1, 0]
    pd.DataFrame(pixels[:, :50]).assign(label=0).to_csv(path, index=False)
    with pytest.raises(ValueError, match="50 pixel columns make no square"):
        load_images(path)
    pd.DataFrame(pixels).to_csv(path, index=False)
    with pytest.raises(ValueError, match="needs a column named label"):
        load_images(path)


@pytest.mark.filterwarnings("ignore::anyloss_core.losses.messages.LossWarning")
def test_a_small_run_trains_every_loss_from_the_same_start(monkeypatch):
    monkeypatch.setattr(resnet, "LOSSES", ("mse", "bce", "anyloss:f1"))
    monkeypatch.setattr(resnet, "load_table", lambda name: _rows(resnet.LOSSES))
    seen = []
    result = reproduce_resnet(lambda *told: seen.append(told), rows=48, epochs=3, batch=24)
    assert [cell.loss for cell in result.cells] == list(resnet.LOSSES)
    assert all(np.isfinite(curve).all() for curve in result.extras["curves"].values())
    assert seen[-1][0] == 1
    # Two batches an epoch: only the last of the six lies behind the warm-up.
    bce, ours = result.extras["curves"]["bce"], result.extras["curves"]["anyloss:f1"]
    assert ours[:2] == bce[:2]
    assert ours[2] != bce[2]


def test_a_warm_up_is_bce_and_then_L_grows():
    spec = parse_loss("anyloss:f1@L=5..73,warm_up=0.5")
    assert type(resnet._loss_at(spec, 4, 10)).__name__ == "BCELoss"
    scales = [resnet._loss_at(spec, step, 10).softening.L for step in (5, 7, 9)]
    assert scales == pytest.approx([5, (5 * 73) ** 0.5, 73])


def _rows(losses):
    return pd.DataFrame({"loss": losses, "metric": "f1", "score": 0.9})
