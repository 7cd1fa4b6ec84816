"""Which rows a fit learns from and is judged on, and which model is kept."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import f1_score

from anyloss_core.engine.models import Network
from anyloss_core.engine.study import Optimiser
from anyloss_core.estimator.training import (
    FitSettings,
    Judged,
    choose,
    fit_binary,
    plan_rows,
)
from anyloss_core.losses.scores import get_score
from anyloss_core.losses.spelling import parse_loss

SETTINGS = FitSettings(
    losses=tuple(parse_loss(f"anyloss:f1@L={L}") for L in (5, 20, 73)),
    score=get_score("f1"),
    network=Network(),
    optimiser=Optimiser("adam"),
    epochs=30,
    lr=0.1,
    schedule="constant",
    batch=None,
    stratified=False,
    seed=0,
    device="cpu",
    patience=None,
    validation_fraction=0.25,
    verbose=False,
)
CODES = np.arange(40) % 4 // 3  # 30 and 10


def test_one_loss_learns_from_all_rows():
    (kept,) = plan_rows(CODES, replace(SETTINGS, losses=SETTINGS.losses[:1]))
    assert kept.train.tolist() == list(range(40))
    assert len(kept.valid) == 0


def test_several_L_are_judged_on_folds_and_then_trained_on_all_rows():
    *folds, kept = plan_rows(CODES, SETTINGS)
    assert sorted(np.concatenate([fold.valid for fold in folds])) == list(range(40))
    assert all(not set(fold.train) & set(fold.valid) for fold in folds)
    assert [CODES[fold.valid].sum() for fold in folds] == [2] * 5
    assert len(kept.train) == 40


def test_a_rare_class_is_in_every_fold():
    few = np.array([0] * 30 + [1] * 3)
    *folds, _ = plan_rows(few, SETTINGS)
    assert [few[fold.valid].sum() for fold in folds] == [1] * 3


def test_early_stopping_holds_out_its_share_of_both_classes():
    (fold,) = plan_rows(CODES, replace(SETTINGS, patience=3))
    assert np.bincount(CODES[fold.valid]).tolist() == [8, 2]
    assert sorted([*fold.train, *fold.valid]) == list(range(40))


def test_at_least_one_row_of_each_class_stays_on_either_side():
    tiny = np.array([0, 0, 0, 1, 1])
    for fraction in (0.01, 0.99):
        settings = replace(SETTINGS, patience=3, validation_fraction=fraction)
        (fold,) = plan_rows(tiny, settings)
        assert set(tiny[fold.valid]) == set(tiny[fold.train]) == {0, 1}


LABELS = np.arange(400) % 2


def chosen(mistakes, stopped=(0, 0, 0, 0, 0, 0)):
    """The choice among two folds x three L, the models' only parameter being their number.

    A number of mistakes is made in the first rows, a range in its own.
    """
    tensors = {"weight0": np.arange(6.0)}
    curves = np.arange(30.0)[:, None] + 100 * np.arange(6)
    rows = [range(wrong) if isinstance(wrong, int) else wrong for wrong in mistakes]
    decisions = [np.where(np.isin(np.arange(400), wrong), 1 - LABELS, LABELS) for wrong in rows]
    judged = Judged(LABELS, None, decisions) if mistakes else None
    return choose(tensors, curves, np.array(stopped), judged, SETTINGS)


def test_a_clearly_better_recipe_is_taken_from_the_last_rows():
    fitted = chosen([200, 160, 40])
    assert (fitted.L, fitted.tensors["weight0"]) == (73.0, 5.0)
    assert fitted.validation == pytest.approx({"L=5": 0.5, "L=20": 0.6, "L=73": 0.9})


def test_the_default_stays_unless_another_is_better_by_a_standard_error():
    few_less = range(40, 76)  # 36 mistakes, but in other rows: an error of about 9
    assert chosen([40, 40, 40]).L == chosen([40, few_less, 60]).L == 5.0
    assert chosen([40, range(40, 60), 60]).L == 20.0


def test_nothing_judged_says_so():
    assert chosen([]).validation == {}


def test_the_curve_ends_where_the_model_stopped():
    fitted = chosen([300, 300, 10], stopped=[0, 0, 0, 0, 0, 7])
    assert fitted.epochs == 7
    assert fitted.curve == [500.0 + epoch for epoch in range(7)]
    assert chosen([300, 300, 10]).epochs == 30


def test_held_out_scores_are_those_of_the_models_trained_on_the_folds():
    """Of all held-out rows together, worked out again by fitting each fold alone."""
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 2)) + CODES[:, None]
    fitted = fit_binary(X, CODES, None, SETTINGS)
    alone = replace(SETTINGS, losses=SETTINGS.losses[2:])
    called = np.zeros(40, bool)
    for fold in plan_rows(CODES, SETTINGS)[:-1]:
        model = fit_binary(X[fold.train], CODES[fold.train], None, alone)
        called[fold.valid] = (
            X[fold.valid] @ model.tensors["weight0"][0] + model.tensors["bias0"] > 0
        )
    assert fitted.validation["L=73"] == pytest.approx(f1_score(CODES, called))
