"""The recipe of losses that leave theirs open, as a comparison chooses it: on inner folds.

Only the training rows of the live split are used. What is spelled out, and every loss that has no
recipes to choose from, stays as it is. The candidates and the rule are those of `comparison`.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from anyloss_core.comparison.choice import choose
from anyloss_core.comparison.cost_model import Load, estimate_load
from anyloss_core.comparison.estimates import check_fits
from anyloss_core.comparison.protocols import batch_of, schedule_of
from anyloss_core.comparison.recipes import (
    candidates,
    enough_to_choose,
    inner_splits,
    is_automatic,
)
from anyloss_core.engine.loop import train
from anyloss_core.engine.study import Recipe, Rows, Study, Watch
from anyloss_core.live.settings import LiveSettings
from anyloss_core.losses.outputs import decision
from anyloss_core.losses.spelling import LossSpec, parse_loss

OnBatch = Callable[[], None]
Tried = list[tuple[LossSpec, ...]]  # of every loss, the default recipe first


def settled(
    settings: LiveSettings,
    features: np.ndarray,
    labels: np.ndarray,
    train_rows: np.ndarray,
    on_batch: OnBatch,
) -> LiveSettings:
    """The settings with every recipe spelled out; `features` (N, F) are prepared."""
    if not settings.automatic:
        return settings
    tried = [candidates(parse_loss(loss), settings.plan, settings.lr) for loss in settings.losses]
    open_ones = [is_automatic(parse_loss(loss), settings.plan) for loss in settings.losses]
    taken = [0] * len(tried)
    if any(open_ones) and enough_to_choose(labels[train_rows]):
        taken = _choices(settings, features, labels, train_rows, tried, on_batch)
    trained = (
        own[number].spelling if is_open else loss
        for own, number, is_open, loss in zip(tried, taken, open_ones, settings.losses, strict=True)
    )
    return replace(settings, trained=tuple(trained))


def _choices(
    settings: LiveSettings,
    features: np.ndarray,
    labels: np.ndarray,
    train_rows: np.ndarray,
    tried: Tried,
    on_batch: OnBatch,
) -> list[int]:
    """The number of the candidate that each loss takes, all of them trained side by side."""
    parts = list(inner_splits(labels[train_rows], settings.seed))
    seeds = {"seed": settings.seed, "shuffle": settings.seed}
    folds = tuple(Rows(train_rows[own], train_rows[judged], **seeds) for own, judged in parts)
    searched = [(place, spec) for place, own in enumerate(tried) if len(own) > 1 for spec in own]
    study = _study(settings, features, labels, folds, [spec for _, spec in searched])
    training = train(study, on_batch)
    for _ in training:
        pass
    chances = training.probabilities()  # of fold after fold, all candidates
    held_out = np.concatenate([fold.valid for fold in folds])
    decided: dict[int, list[np.ndarray]] = {}
    for number, (place, spec) in enumerate(searched):
        own = np.concatenate(chances[number :: len(searched)])
        decided.setdefault(place, []).append(own > decision(spec))
    taken = [0] * len(tried)
    for place, decisions in decided.items():
        score = tried[place][0].score
        assert score is not None  # only losses that aim at a metric have recipes to choose from
        taken[place] = choose(labels[held_out], decisions, score).number
    return taken


def _study(
    settings: LiveSettings,
    features: np.ndarray,
    labels: np.ndarray,
    folds: tuple[Rows, ...],
    specs: list[LossSpec],
) -> Study:
    plan, rows = settings.plan, len(folds[0].train)
    recipes = tuple(
        Recipe(
            spec,
            fold,
            spec.lr or settings.lr,
            batch_of(spec, plan, rows),
            schedule_of(spec, plan),
        )
        for fold in range(len(folds))
        for spec in specs
    )
    load = Load(
        rows=len(features),
        features=features.shape[1],
        train=rows,
        folds=len(folds),
        models=len(recipes),
        epochs=settings.epochs,
        batch=settings.batch or None,
        network=settings.network,
    )
    check_fits(estimate_load(load), "the choice of a recipe")
    return Study(
        features,
        labels,
        folds,
        recipes,
        settings.network,
        plan.optimiser,
        settings.epochs,
        stratified=plan.stratified,
        watch=Watch(settings.epochs, "scores"),
        device="cpu",
    )
