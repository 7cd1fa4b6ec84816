"""From settings to a study that can be watched: split, leak-free preparation, rows to look at.

A `Scene` holds the study and the sample of training rows that histograms and the decision
boundary are drawn from, with as many rows of each class as there are, up to a limit.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from sklearn.model_selection import train_test_split

from anyloss_core.common.settings import SettingsError
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.preparation import prepare_fresh
from anyloss_core.engine.study import Rows, Study, Watch
from anyloss_core.live.automatic import OnBatch, settled
from anyloss_core.live.plane import principal_axes
from anyloss_core.live.settings import LiveSettings, check_size

MOST_EVENTS = 1_000  # beyond this many epochs only every second, third, ... is kept
SNAPSHOT_BYTES = 48_000_000  # of all kept parameters of a run
SAMPLED = 2_500  # rows of each class in histograms
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
    def sample(self) -> np.ndarray:
        """The training rows of histograms."""
        return self.rows.train[self.study.watch.sample]

    @property
    def sample_labels(self) -> torch.Tensor:
        return torch.as_tensor(self.study.labels[self.sample].astype(np.int64))

    def view(self) -> dict[str, Any]:
        """What the page needs once, besides the events."""
        labels, features = self.study.labels, self.study.features
        few = max(20, min(POINTS, POINT_CELLS // (2 * features.shape[1])))
        train = self.rows.train
        points = train[sample_rows(labels[train], few, self.settings.seed)]
        axes, shares = principal_axes(features[self.sample])
        return {
            "name": self.dataset.name,
            "trained": list(self.settings.trained),
            "classes": [self.dataset.negative, self.dataset.positive],
            "features": list(self.names),
            "train": [int((labels[self.rows.train] == kind).sum()) for kind in (0, 1)],
            "valid": [int((labels[self.rows.valid] == kind).sum()) for kind in (0, 1)],
            "origin": features[self.rows.train].mean(0),
            "axes": axes,
            "shares": shares,
            "points": features[points].astype(np.float32),
            "labels": labels[points].astype(np.int8),
        }


def sample_rows(labels: np.ndarray, per_class: int, seed: int) -> np.ndarray:
    """Up to so many rows of each class, in their order."""
    random = np.random.default_rng(seed)
    chosen = [random.permutation(np.flatnonzero(labels == kind))[:per_class] for kind in (0, 1)]
    return np.sort(np.concatenate(chosen))


def prepare(
    settings: LiveSettings,
    dataset: Dataset,
    limit_seconds: float | None = None,
    on_batch: OnBatch = lambda: None,
) -> Scene:
    """Split, fit the preparation on the training rows alone, lay out the study.

    Where the recipe is automatic it is chosen here, calling `on_batch` meanwhile.
    """
    check_size(settings, dataset, limit_seconds)
    train, valid = split(dataset, settings.valid_share, settings.seed)
    fitted = prepare_fresh(dataset, train)
    names = tuple(fitted.feature_names)
    features = fitted.transform(dataset.frame)
    settings = settled(settings, features, dataset.labels, train, on_batch)
    every = -(-settings.epochs // MOST_EVENTS)
    sample = sample_rows(dataset.labels[train], SAMPLED, settings.seed)
    study = Study(
        features,
        dataset.labels,
        (Rows(train, valid, seed=settings.seed, shuffle=settings.seed),),
        settings.recipes(len(train)),
        settings.network,
        settings.plan.optimiser,
        settings.epochs,
        stratified=settings.stratified,
        watch=Watch(every, "full", _snapshot_spacing(settings, len(names), every), sample),
        device="cpu",
    )
    return Scene(settings, dataset, study, names)


def split(dataset: Dataset, valid_share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Training and validation rows, both with their share of each class."""
    labels = np.asarray(dataset.labels)
    if np.bincount(labels, minlength=2).min() < 2:
        raise SettingsError(
            "each class needs at least two rows: one to learn from, one to be judged"
        )
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
