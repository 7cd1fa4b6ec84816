"""The job behind the page Train: up to six losses side by side, an event for every epoch kept.

An event holds all that the panels of an epoch show, so that the page can go back to any of them.
Pausing, stepping and stopping come through the `Report`, checked after every batch.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anyloss_core.common.wording import loss_words, metric_words
from anyloss_core.data.suites.references import open_reference
from anyloss_core.engine import checkpoint
from anyloss_core.engine.events import Event
from anyloss_core.engine.loop import train
from anyloss_core.engine.models import Parameters
from anyloss_core.jobs.report import Report
from anyloss_core.live.history import History
from anyloss_core.live.scene import Scene, prepare
from anyloss_core.live.settings import LiveSettings
from anyloss_core.losses.scores import get_score
from anyloss_core.store.records import StoredEvent

BINS = 40  # of a histogram over [0, 1]
MOST_EVENT_BYTES = 20_000_000  # told before they are packed: 40 epochs of the widest networks
NAP_SECONDS = 0.05  # how long a slow pace sleeps before it looks whether it should stop


def run(settings: dict, report: Report) -> None:
    """Train as `LiveSettings` say; result 'view' and one event per kept epoch."""
    chosen = LiveSettings.from_dict(settings)
    report.progress(0, chosen.epochs, "reading the data")
    uploads = report.store.home / "uploads"
    dataset = open_reference(chosen.data, uploads=uploads)
    if chosen.automatic:
        report.progress(0, chosen.epochs, "choosing the recipe on inner folds")

    def meanwhile() -> None:
        report.checkpoint(step_end=False)

    scene = prepare(chosen, dataset, report.limit_seconds, meanwhile)
    state = report.kept_state()
    if state is None:
        report.result("view", scene.view())
    report.flush()  # hear at once if the first epoch is wanted as a single step
    try:
        watch(scene, report, state)
    finally:  # one that was stopped has a history too; one that is put away may be stopped there
        _pack(scene.settings, report)


def _pack(settings: LiveSettings, report: Report) -> None:
    report.pack_events(lambda events: packed(settings, events))


def packed(settings: LiveSettings, events: Sequence[StoredEvent]) -> dict[str, Any]:
    """What is kept of a training that is over, put away or large: every epoch, in less room."""
    history = History(settings, {})
    history.extend(events)
    return history.packed()


def watch(scene: Scene, report: Report, state: dict[str, Any] | None) -> None:
    """Train, tell, keep the pace; `state` is where a training goes on that was put away."""
    epochs = scene.settings.epochs
    kept = state["training"] if state else None
    training = train(scene.study, lambda: report.checkpoint(step_end=False), kept)
    pace = Pace(scene.settings.pace, report, state["begin"] if state else None)
    report.can_be_put_away(lambda: {"training": checkpoint.save(training), "begin": pace.begin})
    if not report.stepping:  # a step that was asked for during the preparation is still to come
        report.checkpoint()
    event = None
    try:
        for event in training:
            report.event(describe(event, scene.sample_labels) | {"at": pace.worked}, event.epoch)
            if report.event_bytes > MOST_EVENT_BYTES:
                _pack(scene.settings, report)
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

    def __init__(self, limit: float, report: Report, begin: float | None = None) -> None:
        self.limit, self.report = limit, report
        self.due = report.seconds
        self.begin = self.due if begin is None else begin
        self.epoch = 0

    @property
    def worked(self) -> float:
        """Seconds since the first epoch began, without pauses."""
        return self.report.seconds - self.begin

    def hold(self, epoch: int) -> None:
        """Wait until the next epoch is due, ready to stop or pause meanwhile."""
        if not self.limit:
            return
        due = self.due + (epoch - self.epoch) / self.limit
        # A training slower than the limit has no debt to catch up on.
        self.due = max(due, self.report.seconds - NAP_SECONDS)
        self.epoch = epoch
        while (left := self.due - self.report.seconds) > 0:
            time.sleep(min(left, NAP_SECONDS))
            self.report.checkpoint(step_end=False)


def describe(event: Event, labels: Tensor) -> dict[str, Any]:
    """All that an epoch shows: plain arrays with a leading axis M; labels of the sampled rows."""
    counts = {
        name: torch.stack(tuple(getattr(event, name)), -1).numpy()  # (M, 4): tn, fn, fp, tp
        for name in ("train_hard", "train_soft", "valid_hard", "valid_soft")
    }
    assert event.gradient_norms is not None
    assert event.dead_share is not None
    assert event.sample_p is not None
    assert event.sample_soft is not None
    return {
        "losses": event.losses.numpy(),
        **counts,
        "gradient": event.gradient_norms.numpy(),
        "dead": event.dead_share.numpy(),
        "collapsed": event.collapsed.numpy(),
        "p_histogram": histogram(event.sample_p, labels),
        "soft_histogram": histogram(event.sample_soft, labels),
        "parameters": event.parameters and _small(event.parameters),
    }


def histogram(values: Tensor, labels: Tensor) -> np.ndarray:
    """Counts (M, 2, BINS) of values (M, B) in [0, 1], class by class; NaN is left out."""
    models = len(values)
    known = values.isfinite()
    bins = values.masked_fill(~known, 0.0).mul(BINS).long().clamp_(0, BINS - 1)
    rows = torch.arange(models)[:, None] * 2 + labels  # (M, B): which of the 2·M histograms
    cells = (bins + rows * BINS)[known]
    counted = torch.bincount(cells, minlength=2 * models * BINS)
    return counted.view(models, 2, BINS).numpy().astype(np.int32)


def _small(parameters: Parameters) -> dict[str, np.ndarray]:
    """As float32, which is enough to draw; a diverged model overflows to infinity."""
    with np.errstate(over="ignore"):
        return {name: t.numpy().astype(np.float32) for name, t in parameters.tensors.items()}
