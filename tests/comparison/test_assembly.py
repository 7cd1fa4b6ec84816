"""Folds, their preparation and their rows, as the engine gets them."""

import numpy as np
import pandas as pd

from anyloss_core.comparison.assembly import assemble, draw_folds
from anyloss_core.comparison.comparison import ComparisonSettings, compare
from anyloss_core.comparison.recipes import INNER_FOLDS
from anyloss_core.data.preparation import prepare_fresh
from tests.support.generated import synthetic
from tests.support.small_table import small


def test_fresh_preparation_never_sees_the_validation_rows():
    data = small()
    settings = ComparisonSettings(losses=("bce",), folds=3)
    [assembly] = assemble(data, settings)
    for place, fold in enumerate(draw_folds(data, settings)):
        rows = assembly.study.rows[place]
        expected = prepare_fresh(data, fold.train).transform(data.frame)
        own = assembly.study.features[rows.train][:, : expected.shape[1]]
        assert np.array_equal(own, expected[fold.train])
        assert not set(fold.train) & set(fold.valid)


def test_repeats_draw_other_folds_and_seeds_other_starts():
    data = small()
    repeated = draw_folds(data, ComparisonSettings(folds=3, repeats=2))
    assert [fold.number for fold in repeated] == [0, 1, 2, 3, 4, 5]
    assert not np.array_equal(repeated[0].valid, repeated[3].valid)
    seeded = draw_folds(data, ComparisonSettings(folds=3, seeds=2))
    assert np.array_equal(seeded[0].valid, seeded[3].valid)
    assert seeded[0].seed != seeded[3].seed
    found = compare(data, losses=("bce",), folds=2, repeats=2, seeds=2, epochs=3, model="mlp")
    assert found.scores["fold"].nunique() == 8


def test_smote_adds_rows_of_the_rarer_class_to_the_training_rows_only():
    data = small()
    settings = ComparisonSettings(losses=("bce", "bce+smote", "bce+undersample"), folds=3)
    [assembly] = assemble(data, settings)
    study = assembly.study
    for member, recipe in zip(assembly.members, study.models, strict=True):
        rows = study.rows[recipe.rows]
        share = study.labels[rows.train].mean()
        assert len(rows.valid) == len(member.rows)
        assert (share == 0.5) == (member.loss > 0)
        assert np.array_equal(study.labels[rows.valid], data.labels[member.rows])


def test_thresholds_for_several_metrics_share_their_inner_models():
    data = synthetic(rows=200, features=3, imbalance=4, seed=1)
    both = ("bce+threshold", "bce+threshold@metric=gmean")
    alone = pd.concat(compare(data, losses=(one,), folds=3, epochs=40).confusion for one in both)
    together = compare(data, losses=both, folds=3, epochs=40).confusion
    assert together["threshold"].nunique() > 3
    columns = ["tn", "fn", "fp", "tp", "threshold"]
    np.testing.assert_allclose(together[columns], alone[columns], atol=1e-9)
    chosen = ComparisonSettings(losses=both, folds=3)
    (assembly,) = assemble(data, chosen)
    assert sum(member.inner for member in assembly.members) == 3 * INNER_FOLDS


def test_large_tables_are_trained_in_several_studies_with_the_same_result(monkeypatch):
    whole = compare(small(), losses=("bce", "anyloss:f1"), folds=4, epochs=15)
    monkeypatch.setattr("anyloss_core.comparison.assembly.CELLS", 2 * 120 * 3)
    parts = compare(small(), losses=("bce", "anyloss:f1"), folds=4, epochs=15)
    ours, theirs = whole.probabilities, parts.probabilities
    assert np.allclose(ours.drop(columns="fold"), theirs.drop(columns="fold"), atol=1e-10)
