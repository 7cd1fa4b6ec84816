"""From the settings of an estimator to a fitted network: one stack, inner validation, a choice.

Shared by the two-class case (the engine) and by three or more classes (`multiclass`). With
L = "auto" all candidate values of L are trained side by side, on inner folds and on all rows; the
L with the best mean score on the held-out rows is kept. With early stopping a part of the rows is
held out instead, and every model is taken at its best epoch.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from anyloss_core.comparison.cost_model import Load, estimate_load
from anyloss_core.comparison.estimates import check_fits
from anyloss_core.engine.loop import train
from anyloss_core.engine.models import Network
from anyloss_core.engine.study import Optimiser, Recipe, Rows, Stopping, Study, Watch
from anyloss_core.estimator.inputs import count_cells
from anyloss_core.losses.outputs import decision
from anyloss_core.losses.scores import Score
from anyloss_core.losses.spelling import LossSpec, Ramp

Step = TypeVar("Step")
AUTO_AMPLIFIERS = (5.0, 10.0, 20.0, 35.0, 50.0, 73.0, 100.0)  # tried by L = "auto"
AMPLIFIER_FOLDS = 5  # on which they are judged; fewer when a class has fewer rows


@dataclass(frozen=True)
class FitSettings:
    """What an estimator asks for, checked and in the words of the engine."""

    losses: tuple[LossSpec, ...]  # one, or one per candidate L
    score: Score  # judges on held-out rows
    network: Network
    optimiser: Optimiser
    epochs: int
    lr: float
    schedule: str
    batch: int | None
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
    validation: dict[float | Ramp | None, float]  # L -> mean score on held-out rows


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
    _check_class_sizes(codes, 'L="auto"')
    folds = min(AMPLIFIER_FOLDS, np.unique(codes, return_counts=True)[1].min())
    splitter = StratifiedKFold(int(folds), shuffle=True, random_state=seed)
    parts = splitter.split(codes, codes)
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
        watch=Watch(1, "scores"),
        stopping=stopping or None,
        device=settings.device,
    )
    training = train(study)
    curves, stopped = [], np.zeros(len(study.models))
    for event in with_bar(training, settings):
        curves.append(event.losses.cpu().numpy())
        if event.stopped is not None:
            stopped = event.stopped.cpu().numpy()
    scores = _held_out_scores(training.probabilities(), study, settings)
    tensors = {name: value.cpu().numpy() for name, value in training.parameters().tensors.items()}
    return choose(tensors, np.array(curves), stopped, scores, settings)


def choose(
    tensors: dict[str, np.ndarray],
    curves: np.ndarray,
    stopped: np.ndarray,
    scores: np.ndarray,
    settings: FitSettings,
) -> Fitted:
    """The model to keep among (rows x losses) ones: curves (E, M), scores (M,).

    `stopped` (M,) is the epoch at which early stopping ended a model, or 0.
    """
    losses = settings.losses
    table = scores.reshape(-1, len(losses))  # (rows, losses)
    judged = table[~np.isnan(table).any(axis=1)]
    means = judged.mean(axis=0) if len(judged) else np.zeros(len(losses))
    # Among equals the L nearest to the middle of the list: neither too flat nor too steep.
    best = min(np.flatnonzero(means == means.max()), key=lambda i: abs(i - len(losses) // 2))
    kept = len(scores) - len(losses) + int(best)
    epochs, spec = int(stopped[kept]) or settings.epochs, losses[best]
    return Fitted(
        {name: value[kept] for name, value in tensors.items()},
        settings.network,
        spec,
        curves[:epochs, kept].tolist(),
        epochs,
        spec.L,
        {loss.L: float(mean) for loss, mean in zip(losses, means, strict=True)}
        if len(judged)
        else {},
    )


def with_bar(steps: Iterable[Step], settings: FitSettings) -> Iterable[Step]:
    """The epochs of a training behind a progress bar, if one is wanted."""
    if not settings.verbose:
        return steps
    from tqdm import tqdm

    return tqdm(steps, total=settings.epochs, unit="epoch", desc="AnyLossClassifier")


def _held_out_scores(
    probabilities: list[np.ndarray], study: Study, settings: FitSettings
) -> np.ndarray:
    """(M,) scores on the rows that each model did not see; NaN where there are none."""
    scores = np.full(len(study.models), np.nan)
    weights = np.ones(len(study.labels)) if study.weights is None else np.asarray(study.weights)
    for number, (model, p) in enumerate(zip(study.models, probabilities, strict=True)):
        valid = study.rows[model.rows].valid
        if len(valid):
            counts = count_cells(study.labels[valid], p > decision(model.loss), weights[valid])
            scores[number] = settings.score(counts)
    return scores


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
