"""The epochs of a live training, gathered from its events: curves over all, panels of one.

history = History(settings, view)
history.extend(store.events(run_id, since=history.seen))
history.snapshot(120).counts("valid", soft=True)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

from anyloss_core.common.achievement import achievement_rate
from anyloss_core.engine.models import Parameters, predict
from anyloss_core.live.plane import Grid, Plane, feature_plane, principal_plane
from anyloss_core.live.settings import LiveSettings
from anyloss_core.losses.confusion import Counts
from anyloss_core.losses.outputs import cut, probabilities
from anyloss_core.losses.scores import get_score
from anyloss_core.store.records import StoredEvent

PACKED = "packed"  # key of an event that holds all epochs
KEPT_BYTES = 6_000_000  # of the parameters of a training that is over
RATE_SECONDS = 2.0  # speed is taken over the last so many seconds


class History:
    """What is known of a run so far."""

    def __init__(self, settings: LiveSettings, view: Mapping[str, Any]) -> None:
        self.settings, self.view = settings, view
        self.seen = 0  # seq of the last event
        self.epochs: list[int] = []
        # Few large arrays, not some for every epoch: memory in small pieces is not given back.
        self._columns: dict[str, np.ndarray] = {}  # (E, M, ...)
        self._kept: list[int] = []  # epochs whose parameters were kept
        self._parameters: dict[str, np.ndarray] = {}  # (kept, M, ...)

    @property
    def losses(self) -> tuple[str, ...]:
        return self.settings.losses

    def extend(self, events: Iterable[StoredEvent]) -> None:
        """Take in newer events."""
        new: list[Mapping[str, Any]] = []
        kept: list[Mapping[str, np.ndarray]] = []
        for event in events:
            assert event.epoch is not None
            self.seen = event.seq
            if PACKED in event.payload:
                self._unpack(event.payload[PACKED])
                new, kept = [], []
                continue
            self.epochs.append(event.epoch)
            values = dict(event.payload)
            if parameters := values.pop("parameters"):
                self._kept.append(event.epoch)
                kept.append(parameters)
            new.append(values)
        _append(self._columns, new)
        _append(self._parameters, kept)

    def packed(self) -> dict[str, Any]:
        """All of it as the payload of one event, for a training that is over.

        Every epoch keeps its curves and panels; of the parameters as many as KEPT_BYTES hold.
        """
        size = sum(kept[0].nbytes for kept in self._parameters.values())
        most = max(2, KEPT_BYTES // max(size, 1))
        indices = np.unique(np.linspace(0, len(self._kept) - 1, most).round().astype(int))
        thinned = {name: kept[indices] for name, kept in self._parameters.items()}
        epochs = [self._kept[index] for index in indices]
        return {PACKED: [self.epochs, self._columns, epochs, thinned]}

    def _unpack(self, content: Sequence[Any]) -> None:
        """Take over what `packed` gave, in the place of what is known so far."""
        self.epochs, self._columns, self._kept, self._parameters = (*map(copy, content),)

    def column(self, name: str) -> np.ndarray:
        """One quantity of all epochs, (E, M, ...)."""
        return self._columns[name]

    def holds(self, name: str) -> bool:
        """Whether there is such a quantity; runs of earlier versions have fewer."""
        return name in self._columns

    def scores(self, metric: str, rows: str, soft: bool = False) -> np.ndarray:
        """A score (E, M) on the training or validation rows."""
        counts = self.column(f"{rows}_{'soft' if soft else 'hard'}")  # (E, M, 4)
        return get_score(metric)(Counts(*torch.from_numpy(counts).unbind(-1))).numpy()

    def achievement(self) -> np.ndarray:
        """Share (E, M) of each loss's descent so far that was made by each epoch."""
        return achievement_rate(self.column("losses").T).T

    def rate(self) -> float | None:
        """Epochs per second of late."""
        if len(self.epochs) < 2:
            return None
        clock = self.column("at")
        first = min(int(np.searchsorted(clock, clock[-1] - RATE_SECONDS)), len(clock) - 2)
        passed = clock[-1] - clock[first]
        return (self.epochs[-1] - self.epochs[first]) / passed if passed > 0 else None

    def snapshot(self, epoch: int | None = None) -> Snapshot:
        """The last kept epoch up to `epoch`; the newest without one."""
        index = len(self.epochs) if epoch is None else bisect_right(self.epochs, epoch)
        index = max(index - 1, 0)
        values = {name: column[index] for name, column in self._columns.items()}
        newest = bisect_right(self._kept, self.epochs[index]) - 1
        tensors = {name: kept[newest] for name, kept in self._parameters.items()}
        return Snapshot(self, self.epochs[index], values, tensors)


def _append(columns: dict[str, np.ndarray], rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows to the columns of the same names."""
    for name in rows[0] if rows else ():
        new = np.stack([row[name] for row in rows])
        known = columns.get(name)
        columns[name] = new if known is None else np.concatenate([known, new])


@dataclass(frozen=True)
class Snapshot:
    """One epoch."""

    history: History
    epoch: int
    values: Mapping[str, Any]
    tensors: Mapping[str, np.ndarray]  # the newest kept parameters

    def counts(self, rows: str, soft: bool) -> np.ndarray:
        """(M, 4): tn, fn, fp, tp."""
        return self.values[f"{rows}_{'soft' if soft else 'hard'}"]

    def scores(self, metric: str, rows: str, soft: bool = False) -> np.ndarray:
        """(M,)"""
        counts = torch.from_numpy(self.counts(rows, soft))
        return get_score(metric)(Counts(*counts.unbind(-1))).numpy()

    @cached_property
    def parameters(self) -> Parameters:
        tensors = {name: torch.from_numpy(values) for name, values in self.tensors.items()}
        return Parameters(self.history.settings.network, tensors)

    def landscape(self, plane: Plane, grid: Grid) -> Landscape:
        """What the models say on a grid."""
        outputs = predict(self.parameters, torch.from_numpy(grid.points))
        specs = self.history.settings.specs
        size = (len(grid.y), len(grid.x))
        lifted = [(own - cut(spec)).view(size) for spec, own in zip(specs, outputs, strict=True)]
        chances = [
            probabilities(spec, own).view(size) for spec, own in zip(specs, outputs, strict=True)
        ]
        return Landscape(plane, grid, torch.stack(lifted).numpy(), torch.stack(chances).numpy())


@dataclass(frozen=True)
class Landscape:
    """The outputs of M models over a plane; `margins` are 0 on the decision boundary."""

    plane: Plane
    grid: Grid
    margins: np.ndarray  # (M, y, x)
    chances: np.ndarray  # (M, y, x), P(positive)


def chosen_plane(view: Mapping[str, Any], first: str | None, second: str | None) -> Plane:
    """The plane of two features by name, or of the principal components.

    A data set of two features is shown by them, whatever is asked for.
    """
    names = [str(name) for name in view["features"]]
    if len(names) <= 2:
        return feature_plane(view["origin"], names, 0, len(names) - 1)
    if first in names and second in names and first != second:
        return feature_plane(view["origin"], names, names.index(first), names.index(second))
    return principal_plane(view["origin"], view["axes"], view["shares"])
