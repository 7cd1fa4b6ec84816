"""A compact ResNet-50 in plain torch: one logit from a small grey image.

The 50 layers of He et al. (2016), bottleneck blocks 3-4-6-3, a quarter of the published width and
a stem for small images, so that a CPU trains it in minutes.
"""

import torch
from torch import Tensor, nn

BLOCKS = (3, 4, 6, 3)  # 3·(3 + 4 + 6 + 3) convolutions, the stem and the last layer make 50
EXPANSION = 4  # a bottleneck gives out four times its inner width
WIDTH = 16  # of the first stage; 64 in the published network


class Bottleneck(nn.Module):
    """1x1 down, 3x3, 1x1 up, around a short cut."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        outputs = width * EXPANSION
        self.path = nn.Sequential(
            *_convolution(inputs, width, 1),
            nn.ReLU(inplace=True),
            *_convolution(width, width, 3, stride),
            nn.ReLU(inplace=True),
            *_convolution(width, outputs, 1),
        )
        same = stride == 1 and inputs == outputs
        self.short_cut = (
            nn.Identity() if same else nn.Sequential(*_convolution(inputs, outputs, 1, stride))
        )

    def forward(self, images: Tensor) -> Tensor:
        return torch.relu(self.path(images) + self.short_cut(images))


class ResNet50(nn.Module):
    """Images (B, 1, H, W) -> logits (B,)."""

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            *_convolution(1, width, 3, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)
        )
        stages, inputs = [], width
        for stage, blocks in enumerate(BLOCKS):
            inner = width * 2**stage
            for block in range(blocks):
                stages.append(Bottleneck(inputs, inner, 2 if stage and not block else 1))
                inputs = inner * EXPANSION
        self.stages = nn.Sequential(*stages)
        self.head = nn.Linear(inputs, 1)
        for layer in self.modules():
            if isinstance(layer, nn.Conv2d):
                nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, images: Tensor) -> Tensor:
        features = self.stages(self.stem(images)).mean(dim=(2, 3))  # (B, 32·width)
        return self.head(features).squeeze(-1)


def _convolution(inputs: int, outputs: int, size: int, stride: int = 1) -> list[nn.Module]:
    layer = nn.Conv2d(inputs, outputs, size, stride, padding=size // 2, bias=False)
    return [layer, nn.BatchNorm2d(outputs)]
