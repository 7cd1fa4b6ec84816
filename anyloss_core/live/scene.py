"""From settings to a study that can be watched: split, leak-free preparation, rows to look at.

A `Scene` holds the study and the sample of training rows that histograms and the decision
boundary are drawn from, with as many rows of each class as there are, up to a limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from sklearn.model_selection import train_test_split

from anyloss_core.datasets import Dataset, prepare_fresh
from anyloss_core.live_settings import LiveError, LiveSettings, check_size
from anyloss_core.plane import principal_axes
from anyloss_core.study import Rows, Study, Watch

MOST_EVENTS = 1_000  # beyond this many epochs only every second, third, ... is kept
SNAPSHOT_BYTES = 48_000_000  # of all kept parameters of a run
LOOKED_AT = 2_500  # rows of each class in histograms
POINTS = 200  # rows of each class that are sent to the page
POINT_CELLS = 400_000  # numbers among them


@dataclass(frozen=True)
class Scene:
    """What is trained and what is looked at."""

    settings: LiveSettings
    dataset: Dataset
    study: Study
    names: tuple[str, ...]  # of the features

    @property
    def rows(self) -> Rows:
        return self.study.rows[0]

    @cached_property
    def looked_at(self) -> np.ndarray:
        """Training rows for histograms."""
        return self._sample(LOOKED_AT)

    @cached_property
    def sight(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Features and labels of the rows that are looked at."""
        features = torch.as_tensor(self.study.features[self.looked_at])
        return features, torch.as_tensor(self.study.labels[self.looked_at].astype(np.int64))

    def view(self) -> dict[str, Any]:
        """What the page needs once, besides the events."""
        labels, features = self.study.labels, self.study.features
        sample = self._sample(max(20, min(POINTS, POINT_CELLS // (2 * features.shape[1]))))
        seen = features[self.looked_at]
        axes, shares = principal_axes(seen)
        return {
            "name": self.dataset.name,
            "classes": [self.dataset.negative, self.dataset.positive],
            "features": list(self.names),
            "train": [int((labels[self.rows.train] == kind).sum()) for kind in (0, 1)],
            "valid": [int((labels[self.rows.valid] == kind).sum()) for kind in (0, 1)],
            "origin": features[self.rows.train].mean(0),
            "axes": axes,
            "shares": shares,
            "points": features[sample].astype(np.float32),
            "labels": labels[sample].astype(np.int8),
        }

    def _sample(self, per_class: int) -> np.ndarray:
        chance = np.random.default_rng(self.settings.seed)
        chosen = []
        for kind in (0, 1):
            own = self.rows.train[self.study.labels[self.rows.train] == kind]
            chosen.append(chance.permutation(own)[:per_class])
        return np.concatenate(chosen)


def prepare(settings: LiveSettings, dataset: Dataset) -> Scene:
    """Split, fit the preparation on the training rows alone, lay out the study."""
    check_size(settings, dataset)
    train, valid = split(dataset, settings.valid_share, settings.seed)
    fitted = prepare_fresh(dataset, train)
    names = tuple(fitted.feature_names)
    features = fitted.transform(dataset.frame)
    every = -(-settings.epochs // MOST_EVENTS)
    study = Study(
        features,
        dataset.labels,
        (Rows(train, valid, seed=settings.seed, shuffle=settings.seed),),
        settings.recipes(len(train)),
        settings.network,
        settings.plan.optimiser,
        settings.epochs,
        watch=Watch(every, "full", _snapshot_spacing(settings, len(names), every)),
        device="cpu",
    )
    return Scene(settings, dataset, study, names)


def split(dataset: Dataset, valid_share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Training and validation rows, both with their share of each class."""
    labels = np.asarray(dataset.labels)
    if np.bincount(labels, minlength=2).min() < 2:
        raise LiveError("each class needs at least two rows: one to learn from, one to be judged")
    held_out = max(2, round(valid_share * len(labels)))
    train, valid = train_test_split(
        np.arange(len(labels)), test_size=held_out, stratify=labels, random_state=seed
    )
    return np.sort(train), np.sort(valid)


def _snapshot_spacing(settings: LiveSettings, features: int, every: int) -> int:
    """Epochs between two kept copies of the parameters, a multiple of `every`."""
    size = 4 * settings.network.size(features) * len(settings.losses)
    most = max(2, SNAPSHOT_BYTES // size)
    return every * max(1, -(-settings.epochs // (every * most)))
