"""What to train: the data, the rows of each fold, a recipe per model, and how to go about it.

A study holds arrays only; where they come from (a Dataset, a protocol, folds) is left to those who
ask for a training. Everything is checked here, once, so that `loop` and its helpers can trust it.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anyloss_core.engine.models import Network, Parameters
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import SCHEDULES, LossSpec

OPTIMISERS = ("gd", "momentum", "adam")
DETAILS = ("scores", "full")


class StudyError(ValueError):
    """Settings that cannot be trained; the message names the argument and the repair."""


@dataclass(frozen=True)
class Rows:
    """One fold: the rows it learns from, the rows it is judged on, and its random numbers."""

    train: np.ndarray
    valid: np.ndarray
    seed: int = 0  # of the initial weights: every loss of the fold starts from the same ones
    shuffle: int = 0  # of the order of the mini-batches
    columns: int | None = None  # features in use when other folds of the table have more


@dataclass(frozen=True)
class Recipe:
    """One model: which loss, on which fold, how fast, with how many rows in a batch.

    The learning rate stays ('constant') or falls to 0 over the training ('linear', 'cosine').
    """

    loss: LossSpec
    rows: int = 0
    lr: float = 0.01
    batch: int | None = None  # None: all training rows at once
    schedule: str = "constant"


@dataclass(frozen=True)
class Optimiser:
    """Gradient descent, with momentum, or Adam; the same arithmetic as torch.optim."""

    name: str = "adam"
    momentum: float = 0.9
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    weight_decay: float = 0.0
    clip: float | None = None  # longest gradient of a model

    def __post_init__(self) -> None:
        """The limits of torch.optim: beyond them training goes uphill or nowhere."""
        for name, value in (("momentum", self.momentum), *(("betas", beta) for beta in self.betas)):
            if not 0 <= value < 1:
                raise StudyError(f"{name} must be from 0 to below 1, got {value!r}")
        for name in ("epsilon", "weight_decay"):
            if not 0 <= getattr(self, name) < math.inf:
                raise StudyError(
                    f"{name} must be 0 or a positive number, got {getattr(self, name)!r}"
                )
        if self.clip is not None and not self.clip > 0:
            raise StudyError(f"clip must be a positive number or None, got {self.clip!r}")


@dataclass(frozen=True)
class Stopping:
    """Stop a model when its validation score has not risen for `patience` epochs."""

    metric: str = "f1"
    patience: int = 20
    rise: float = 0.0  # the least rise that counts

    def __post_init__(self) -> None:
        get_score(self.metric)
        if not self.patience >= 1:
            raise StudyError(f"patience must be at least 1 epoch, got {self.patience!r}")


@dataclass(frozen=True)
class Watch:
    """How often an event is wanted, what it holds, and how often the parameters are kept."""

    every: int = 1
    detail: str = "full"  # 'scores': losses and hard validation counts only, nearly for free
    snapshots: int = 0  # epochs between two snapshots of the parameters; 0: none
    # Which of the training rows of a fold (from 0) have p and soft label in a full event.
    sample: np.ndarray | None = field(default=None, compare=False)

    def wants(self, epoch: int, epochs: int) -> bool:
        """Whether there is an event after `epoch` of `epochs` (from 1): the first and last too."""
        return epoch % self.every == 0 or epoch in (1, epochs) or self.keeps(epoch, epochs)

    def judges(self, epoch: int, epochs: int) -> bool:
        """Whether its event tells what has collapsed: the last one, and all in full detail."""
        return epoch == epochs or (self.detail == "full" and self.wants(epoch, epochs))

    def keeps(self, epoch: int, epochs: int) -> bool:
        """Whether its event holds the parameters."""
        spacing = self.snapshots
        return bool(spacing) and (epoch % spacing == 0 or epoch in (1, epochs))


@dataclass(frozen=True)
class Study:
    """Models to be trained together: they share the table, not the rows."""

    features: Any  # (N, F) array or tensor
    labels: Any  # (N,) 0 or 1
    rows: tuple[Rows, ...]
    models: tuple[Recipe, ...]
    network: Network = field(default_factory=Network)
    optimiser: Optimiser = field(default_factory=Optimiser)
    epochs: int = 100
    weights: Any = None  # (N,) sample weights
    stratified: bool = False  # every batch holds its share of both classes
    drop_last: bool = False  # leave out the last, smaller batch
    watch: Watch = field(default_factory=Watch)
    stopping: Stopping | None = None
    dtype: torch.dtype | None = None  # None: float64 where the device has it
    device: str = "auto"
    start: Parameters | None = None  # (M, ...): go on from here instead of a fresh start

    def __post_init__(self) -> None:
        _check_data(self)
        _check_rows(self)
        _check_settings(self)

    @property
    def torch_device(self) -> torch.device:
        return pick_device(self.device, self.dtype)

    @property
    def precision(self) -> torch.dtype:
        return self.dtype or (torch.float32 if self.torch_device.type == "mps" else torch.float64)


def pick_device(name: str, dtype: torch.dtype | None = None) -> torch.device:
    """'auto' is CUDA if there is one, then MPS, which has no float64, then the CPU."""
    if name != "auto":
        return _named_device(name)
    if torch.cuda.is_available():
        return torch.device("cuda")
    usable = torch.backends.mps.is_available() and dtype is not torch.float64
    return torch.device("mps" if usable else "cpu")


def _named_device(name: str) -> torch.device:
    try:
        device = torch.device(name)
    except RuntimeError:
        raise StudyError(f"device must be auto, cpu, cuda or mps, got {name!r}") from None
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError):  # as torch says that it was built without
        raise StudyError(f"there is no device {name!r} here; use 'auto' or 'cpu'") from None
    return device


def _check_data(study: Study) -> None:
    shape = tuple(study.features.shape)
    if len(shape) != 2 or 0 in shape:
        raise StudyError(f"features must have shape (rows, features), got {shape}")
    if tuple(study.labels.shape) != shape[:1]:
        raise StudyError(f"labels must have shape ({shape[0]},), got {tuple(study.labels.shape)}")
    labels, features = np.asarray(study.labels), np.asarray(study.features)
    if not np.isin(labels, (0, 1)).all():
        raise StudyError(f"labels must be 0 or 1, got {np.unique(labels)[:5].tolist()}")
    if not np.isfinite(features.sum()) and not np.isfinite(features).all():
        raise StudyError("features hold NaN or infinity; prepare the data first")
    if study.weights is not None:
        weights = np.asarray(study.weights)
        if weights.shape != shape[:1] or not (np.isfinite(weights).all() and weights.min() >= 0):
            raise StudyError(f"weights must be {shape[0]} finite numbers, none below 0")


def _check_rows(study: Study) -> None:
    if not study.models:
        raise StudyError("models is empty; name at least one loss")
    total = study.features.shape[0]
    for fold, rows in enumerate(study.rows):
        if len(rows.train) == 0:
            raise StudyError(f"rows[{fold}] has no training rows")
        for name in ("train", "valid"):
            chosen = getattr(rows, name)
            if len(chosen) and not 0 <= min(chosen) <= max(chosen) < total:
                raise StudyError(f"rows[{fold}].{name} must lie between 0 and {total - 1}")
    for model in study.models:
        if not 0 <= model.rows < len(study.rows):
            raise StudyError(f"a model asks for rows[{model.rows}]; there are {len(study.rows)}")


def _check_settings(study: Study) -> None:
    if study.optimiser.name not in OPTIMISERS:
        known = ", ".join(OPTIMISERS)
        raise StudyError(f"optimiser must be one of {known}, got {study.optimiser.name!r}")
    if study.watch.detail not in DETAILS:
        raise StudyError(f"detail must be scores or full, got {study.watch.detail!r}")
    if study.dtype not in (None, torch.float64, torch.float32):
        raise StudyError(f"dtype must be torch.float64 or torch.float32, got {study.dtype}")
    if study.dtype is torch.float64 and study.device.startswith("mps"):
        raise StudyError("mps has no float64; use dtype=torch.float32 or device='cpu'")
    for name, value, low in (
        ("epochs", study.epochs, 1),
        ("every", study.watch.every, 1),
        ("snapshots", study.watch.snapshots, 0),
    ):
        if not (isinstance(value, int) and value >= low):
            raise StudyError(f"{name} must be a whole number from {low}, got {value!r}")
    for model in study.models:
        if not (math.isfinite(model.lr) and model.lr > 0):
            raise StudyError(f"lr must be a positive number, got {model.lr!r}")
        if model.schedule not in SCHEDULES:
            known = ", ".join(SCHEDULES)
            raise StudyError(f"schedule must be one of {known}, got {model.schedule!r}")
        if model.batch is not None and not (isinstance(model.batch, int) and model.batch >= 1):
            raise StudyError(f"batch must be a whole number above 0, got {model.batch!r}")
    if study.start is not None and len(study.start) != len(study.models):
        raise StudyError(f"start holds {len(study.start)} models, the study {len(study.models)}")
    if study.stopping and any(len(study.rows[m.rows].valid) == 0 for m in study.models):
        raise StudyError("early stopping needs validation rows in every fold")


def as_tensor(values: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    """A tensor of that type without a detour through float32."""
    return torch.as_tensor(np.asarray(values), dtype=dtype).to(device)
