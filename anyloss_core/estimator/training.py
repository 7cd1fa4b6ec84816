"""From the settings of an estimator to a fitted network: one stack, inner validation, a choice.

Shared by the two-class case (the engine) and by three or more classes (`multiclass`). With
L = "auto" the recipes of a comparison are trained side by side, on inner folds and on all rows, and
one is chosen by the same rule (`comparison.choice`). With early stopping a part of the rows is held
out instead, and every model is taken at its best epoch.
"""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from anyloss_core.comparison.choice import Choice, Gain
from anyloss_core.comparison.choice import choose as choose_recipe
from anyloss_core.comparison.cost_model import Load, estimate_load
from anyloss_core.comparison.estimates import check_fits
from anyloss_core.comparison.recipes import inner_splits, recipe_text
from anyloss_core.engine.empty_batches import empty_batches
from anyloss_core.engine.loop import train
from anyloss_core.engine.models import Network
from anyloss_core.engine.study import Optimiser, Recipe, Rows, Stopping, Study, Watch
from anyloss_core.losses.messages import LossWarning
from anyloss_core.losses.outputs import decision
from anyloss_core.losses.scores import Score
from anyloss_core.losses.spelling import LossSpec, Ramp

Step = TypeVar("Step")


@dataclass(frozen=True)
class FitSettings:
    """What an estimator asks for, checked and in the words of the engine."""

    losses: tuple[LossSpec, ...]  # one, or the recipes to choose from, the default first
    score: Score  # judges on held-out rows
    network: Network
    optimiser: Optimiser
    epochs: int
    lr: float
    schedule: str
    batch: int | None
    stratified: bool  # every batch holds its share of both classes
    seed: int
    device: str
    patience: int | None  # None: no early stopping
    validation_fraction: float
    verbose: bool


@dataclass(frozen=True)
class Fitted:
    """A trained network as plain arrays, with the story of its training."""

    tensors: dict[str, np.ndarray]
    network: Network
    loss: LossSpec
    curve: list[float]
    epochs: int  # trained
    L: float | Ramp | None
    validation: dict[str, float]  # recipe -> score on held-out rows


class Judged(NamedTuple):
    """Rows that were held out: their labels and weights, and what each recipe decides of them."""

    labels: np.ndarray
    weights: np.ndarray | None
    decisions: list[np.ndarray]


def plan_rows(codes: np.ndarray, settings: FitSettings) -> tuple[Rows, ...]:
    """Which rows are trained on and which judge; the last entry is the one that is kept."""
    seed, everything = settings.seed, np.arange(len(codes))
    if settings.patience is not None:
        _check_class_sizes(codes, "early_stopping=True")
        splitter = StratifiedShuffleSplit(
            1, test_size=_held_out(codes, settings.validation_fraction), random_state=seed
        )
        train_rows, valid = next(splitter.split(codes, codes))
        return (Rows(train_rows, valid, seed, seed),)
    kept = Rows(everything, everything[:0], seed, seed)
    if len(settings.losses) == 1:
        return (kept,)
    parts = inner_splits(codes, seed)
    return (*(Rows(learned, judged, seed, seed) for learned, judged in parts), kept)


def check_memory(
    features: np.ndarray,
    rows: Sequence[Rows],
    settings: FitSettings,
    batch: int | None,
    outputs: int = 1,
) -> None:
    """Refuse what does not fit; each output of a network counts as a model."""
    load = Load(
        rows=len(features),
        features=features.shape[1],
        train=len(features),
        folds=len(rows),
        models=len(rows) * len(settings.losses) * outputs,
        epochs=settings.epochs,
        batch=batch,
        network=settings.network,
    )
    check_fits(estimate_load(load), "this training")


def fit_binary(
    features: np.ndarray, labels: np.ndarray, weights: np.ndarray | None, settings: FitSettings
) -> Fitted:
    """Train on features (N, F) and labels 0/1 with the engine."""
    rows = plan_rows(labels, settings)
    check_memory(features, rows, settings, settings.batch)
    stopping = settings.patience and Stopping(settings.score.name, settings.patience)
    study = Study(
        features,
        labels,
        rows,
        tuple(
            Recipe(spec, fold, settings.lr, settings.batch, settings.schedule)
            for fold in range(len(rows))
            for spec in settings.losses
        ),
        settings.network,
        settings.optimiser,
        settings.epochs,
        weights,
        stratified=settings.stratified,
        watch=Watch(1, "scores"),
        stopping=stopping or None,
        device=settings.device,
    )
    learned = labels[rows[-1].train]
    note = empty_batches(study.models[-1], int(learned.sum()), len(learned), settings.stratified)
    if note is not None:
        warnings.warn(note, LossWarning, stacklevel=3)
    training = train(study)
    curves, stopped = [], np.zeros(len(study.models))
    for event in with_bar(training, settings):
        curves.append(event.losses.cpu().numpy())
        if event.stopped is not None:
            stopped = event.stopped.cpu().numpy()
    decided = [
        p > decision(model.loss)
        for p, model in zip(training.probabilities(), study.models, strict=True)
    ]
    tensors = {name: value.cpu().numpy() for name, value in training.parameters().tensors.items()}
    judged = gather(decided, rows, labels, weights, len(settings.losses))
    return choose(tensors, np.array(curves), stopped, judged, settings)


def gather(
    decided: Sequence[np.ndarray],
    rows: Sequence[Rows],
    codes: np.ndarray,
    weights: np.ndarray | None,
    losses: int,
) -> Judged | None:
    """The held-out rows of all folds, from decisions (valid rows,) of (rows x losses) models."""
    held_out = np.concatenate([fold.valid for fold in rows]).astype(int)
    if not len(held_out):
        return None
    own = [np.concatenate(decided[number::losses]) for number in range(losses)]
    return Judged(codes[held_out], None if weights is None else weights[held_out], own)


def choose(
    tensors: dict[str, np.ndarray],
    curves: np.ndarray,
    stopped: np.ndarray,
    judged: Judged | None,
    settings: FitSettings,
) -> Fitted:
    """The model to keep among (rows x losses) ones: curves (E, M).

    `stopped` (M,) is the epoch at which early stopping ended a model, or 0.
    """
    losses = settings.losses
    choice = Choice(0, (), Gain(0.0, 0.0))
    if judged is not None:
        choice = choose_recipe(judged.labels, judged.decisions, settings.score, judged.weights)
    kept = len(stopped) - len(losses) + choice.number
    epochs, spec = int(stopped[kept]) or settings.epochs, losses[choice.number]
    return Fitted(
        {name: value[kept] for name, value in tensors.items()},
        settings.network,
        spec,
        curves[:epochs, kept].tolist(),
        epochs,
        spec.L,
        dict(zip(map(recipe_text, losses), choice.scores, strict=False)),
    )


def with_bar(steps: Iterable[Step], settings: FitSettings) -> Iterable[Step]:
    """The epochs of a training behind a progress bar, if one is wanted."""
    if not settings.verbose:
        return steps
    from tqdm import tqdm

    return tqdm(steps, total=settings.epochs, unit="epoch", desc="AnyLossClassifier")


def _check_class_sizes(codes: np.ndarray, asked_by: str) -> None:
    fewest = np.unique(codes, return_counts=True)[1].min()
    if fewest < 2:
        raise ValueError(
            f"{asked_by} holds out rows of every class, but one class has a single row; "
            "add rows of it or leave this setting out"
        )


def _held_out(codes: np.ndarray, fraction: float) -> int:
    """Rows to hold out: the wanted share, at least one of each class on either side."""
    classes = len(np.unique(codes))
    return min(max(round(fraction * len(codes)), classes), len(codes) - classes)
