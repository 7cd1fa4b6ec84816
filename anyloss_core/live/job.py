"""The job behind the page Train: up to six losses side by side, every epoch told as an event.

An event holds all that the panels of an epoch show, so that the page can go back to any of them.
Pausing, stepping and stopping come through the `Report`, checked after every batch.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anyloss_core.confusion import Counts
from anyloss_core.datasets.references import open_reference
from anyloss_core.engine import Training, train
from anyloss_core.events import Event
from anyloss_core.job_report import Report
from anyloss_core.live_scene import Scene, prepare
from anyloss_core.live_settings import LiveSettings
from anyloss_core.losses import CountsLoss
from anyloss_core.models import Parameters, predict
from anyloss_core.outputs import probabilities
from anyloss_core.scores import get_score
from anyloss_core.softening import Amplifier
from anyloss_core.spelling import LossSpec, Ramp
from anyloss_core.wording import loss_words, metric_words

BINS = 40  # of a histogram over [0, 1]
NAP_SECONDS = 0.05  # how long a slow pace sleeps before it looks whether it should stop


def run(settings: dict, report: Report) -> None:
    """Train as `LiveSettings` say; result 'view' and one event per kept epoch."""
    chosen = LiveSettings.from_dict(settings)
    report.progress(0, chosen.epochs, "reading the data")
    uploads = report.store.home / "uploads"
    scene = prepare(chosen, open_reference(chosen.data, uploads=uploads))
    report.result("view", scene.view())
    report.flush()  # hear at once if the first epoch is wanted as a single step
    watch(scene, report)


def watch(scene: Scene, report: Report) -> None:
    """Train, tell, keep the pace."""
    epochs = scene.settings.epochs
    training = train(scene.study, on_batch=lambda: report.checkpoint(step_end=False))
    pace = Pace(scene.settings.pace, report)
    report.checkpoint()
    event = None
    try:
        for event in training:
            report.event(describe(event, training, scene) | {"at": pace.worked}, event.epoch)
            left = pace.worked / event.epoch * (epochs - event.epoch)
            report.progress(event.epoch, epochs, f"epoch {event.epoch} of {epochs}", eta=left)
            report.checkpoint()
            pace.hold(event.epoch)
    finally:  # a stopped training has a result too
        if event is not None:
            report.result("headline", headline(event, scene.settings))


def headline(event: Event, settings: LiveSettings) -> str:
    """What came out, in one sentence for the list of runs."""
    scores = get_score(settings.metric)(event.valid_hard)
    reached = [
        f"{loss_words(loss)} {float(score):.3f}"
        for loss, score in zip(settings.losses, scores, strict=True)
    ]
    metric = metric_words(settings.metric)
    return f"{metric} on the validation rows after epoch {event.epoch}: {', '.join(reached)}."


class Pace:
    """Keeps a training from running faster than a person can watch."""

    def __init__(self, limit: float, report: Report) -> None:
        self.limit, self.report = limit, report
        self.begin = self.due = report.seconds
        self.epoch = 0

    @property
    def worked(self) -> float:
        """Seconds since the first epoch began, without pauses."""
        return self.report.seconds - self.begin

    def hold(self, epoch: int) -> None:
        """Wait until the next epoch is due, ready to stop or pause meanwhile."""
        if not self.limit:
            return
        # A training slower than the limit has no debt to catch up on.
        self.due = max(self.due, self.report.seconds - NAP_SECONDS)
        self.due += (epoch - self.epoch) / self.limit
        self.epoch = epoch
        while (left := self.due - self.report.seconds) > 0:
            time.sleep(min(left, NAP_SECONDS))
            self.report.checkpoint(step_end=False)


def describe(event: Event, training: Training, scene: Scene) -> dict[str, Any]:
    """All that an epoch shows: plain arrays with a leading axis M."""
    parameters = event.parameters or training.parameters()
    p, soft = outlooks(parameters, event.epoch, scene)
    labels = scene.sight[1]
    return {
        "losses": event.losses.numpy(),
        "train_hard": _table(event.train_hard),
        "train_soft": _table(event.train_soft),
        "valid_hard": _table(event.valid_hard),
        "valid_soft": _table(event.valid_soft),
        "gradient": event.gradient_norms.numpy(),
        "dead": event.dead_share.numpy(),
        "p_histogram": histogram(p, labels),
        "soft_histogram": histogram(soft, labels),
        "parameters": event.parameters and _small(event.parameters),
    }


def outlooks(parameters: Parameters, epoch: int, scene: Scene) -> tuple[Tensor, Tensor]:
    """Probabilities and soft labels (M, B) of the rows that are looked at, after `epoch`."""
    outputs = predict(parameters, scene.sight[0])
    specs = scene.settings.specs
    p = torch.stack([probabilities(spec, own) for spec, own in zip(specs, outputs, strict=True)])
    soft = [
        soft_labels(spec, own, epoch, scene.settings.epochs)
        for spec, own in zip(specs, outputs, strict=True)
    ]
    return p, torch.stack(soft)


def soft_labels(spec: LossSpec, outputs: Tensor, epoch: int, epochs: int) -> Tensor:
    """What the loss counts (B,) in this epoch (from 1): A(p), F(p), or p itself for a mean."""
    loss = spec.build()
    warming = epoch <= round(spec.warm_up * epochs)
    if warming or not isinstance(loss, CountsLoss):
        return probabilities(spec, outputs)
    softening = loss.softening
    if isinstance(softening, Amplifier):
        softening = replace(softening, L=amplifier_at(spec, epoch, epochs))
    return softening.soft_and_slope(outputs)[0]


def amplifier_at(spec: LossSpec, epoch: int, epochs: int) -> float | None:
    """L in this epoch (from 1): a ramp begins after the warm-up and ends with the last epoch."""
    if not isinstance(spec.L, Ramp):
        return spec.L
    warm_up = round(spec.warm_up * epochs)
    return spec.L.at((epoch - 1 - warm_up) / max(epochs - 1 - warm_up, 1))


def histogram(values: Tensor, labels: Tensor) -> np.ndarray:
    """Counts (M, 2, BINS) of values (M, B) in [0, 1], class by class; NaN is left out."""
    models = len(values)
    known = values.isfinite()
    bins = values.masked_fill(~known, 0.0).mul(BINS).long().clamp_(0, BINS - 1)
    rows = torch.arange(models)[:, None] * 2 + labels  # (M, B): which of the 2·M histograms
    places = (bins + rows * BINS)[known]
    counted = torch.bincount(places, minlength=2 * models * BINS)
    return counted.view(models, 2, BINS).numpy().astype(np.int32)


def _small(parameters: Parameters) -> dict[str, np.ndarray]:
    """As float32, which is enough to draw; a diverged model overflows to infinity."""
    with np.errstate(over="ignore"):
        return {name: t.numpy().astype(np.float32) for name, t in parameters.tensors.items()}


def _table(counts: Counts) -> np.ndarray:
    """(M, 4): tn, fn, fp, tp."""
    return torch.stack(tuple(counts), -1).numpy()
