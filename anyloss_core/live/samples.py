"""A handful of training rows followed along A(p): where each stands in an epoch, and which died.

A row is dead when the slope that it learns with, dA/dp · p(1 - p), is exactly 0. The parameters of
an epoch are kept with seven digits, so next to that edge a row may be told dead an epoch early or
late; the share of all rows, which the training itself counts, is exact.
"""

from dataclasses import dataclass

import numpy as np
import torch

from anyloss_core.engine.models import Parameters, predict
from anyloss_core.live.history import Snapshot
from anyloss_core.losses.losses import CountsLoss, Loss

EACH = 6  # rows of each class


@dataclass(frozen=True)
class Samples:
    """S rows under M models."""

    labels: np.ndarray  # (S,)
    p: np.ndarray  # (M, S)
    soft: np.ndarray  # (M, S), A(p)
    dead: np.ndarray  # (M, S)


def on_curve(snapshot: Snapshot) -> Samples:
    """The same rows in every epoch; the losses of the run soften p, as AnyLoss does."""
    view = snapshot.history.view
    rows = np.sort(
        np.concatenate([np.flatnonzero(view["labels"] == kind)[:EACH] for kind in (0, 1)])
    )
    kept = snapshot.parameters
    exact = Parameters(kept.network, {name: t.double() for name, t in kept.tensors.items()})
    logits = predict(exact, torch.from_numpy(view["points"][rows]))  # (M, S)
    found = [
        _softened(spec.build(), own)
        for spec, own in zip(snapshot.history.settings.specs, logits, strict=True)
    ]
    soft, dead = (torch.stack(each).numpy() for each in zip(*found, strict=True))
    return Samples(view["labels"][rows], torch.sigmoid(logits).numpy(), soft, dead)


def _softened(loss: Loss, logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Soft labels, and where the slope by the logit is exactly 0, as the training computes both."""
    assert isinstance(loss, CountsLoss), "only a loss over counts has soft labels"
    softening = loss.softening
    buffer = (torch.empty_like(logits), torch.empty_like(logits))
    soft = softening.soften(logits, buffer, torch.empty_like(logits))
    return soft, softening.chain(None, buffer) == 0
