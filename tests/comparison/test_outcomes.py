"""From trained models to outcomes: the recipe inner rows prefer, its threshold, its promise."""

import numpy as np
import pytest

from anyloss_core.comparison.assembly import assemble
from anyloss_core.comparison.outcomes import Record, fold_results, shown_models
from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.engine.loop import train

LOSSES = ("bce", "bce+threshold", "bce+search", "anyloss:f1", "anyloss:f1@L=10,warm_up=0")


@pytest.fixture(scope="module")
def made():
    data = builtin("breast_cancer_imbalanced")
    settings = ComparisonSettings(LOSSES, folds=2, repeats=1, epochs=20).settled(data)
    (assembly,) = assemble(data, settings)
    record, training = Record(assembly), train(assembly.study)
    for event in training:
        record.add(event)
    record.finish(training)
    return data, settings, record, list(fold_results(record, data, settings))


def test_every_loss_has_one_outcome_a_fold(made):
    _, _settings, record, found = made
    assert [(r.fold, r.loss) for r in found] == [(f, n) for f in range(2) for n in range(5)]
    assert len(shown_models(record)) == 2 * len(LOSSES)  # the defaults of all losses
    assert all(not record.members[r.model].inner for r in found)


def test_the_recipe_taken_is_the_default_or_better_on_inner_rows(made):
    rows = [r.chosen for r in made[3] if r.chosen]
    assert [row["loss"] for row in rows] == ["anyloss:f1"] * 2
    for row in rows:
        assert row["inner_score"] >= row["default_score"]
        assert row["against"] == "bce+threshold"
        assert np.isfinite(row["promise"])
        assert row["promise_error"] >= 0


def test_a_recipe_that_is_taken_has_the_outcome_of_the_same_one_spelled_out(made):
    _, _, record, found = made
    for fold in range(2):
        spelled = next(r for r in found if r.fold == fold and r.loss == 4)
        numbers = [n for n, m in enumerate(record.members) if (m.loss, m.fold) == (3, fold)]
        twins = [n for n in numbers if "L=10,warm_up=0" in record.models[n].loss.spelling]
        (twin,) = [n for n in twins if not record.members[n].inner]
        # Some processors add in another order where a stack has other models.
        np.testing.assert_allclose(
            record.probabilities[twin], spelled.probabilities, rtol=0, atol=1e-10
        )


def test_a_search_of_bce_is_never_worse_than_its_threshold_on_inner_rows(made):
    *_, found = made
    for fold in range(2):
        tuned, searched = (
            next(r for r in found if r.fold == fold and r.loss == loss).cuts for loss in (1, 2)
        )
        assert set(searched["recipe"]) > {"bce"}
        kept = searched[searched["recipe"] == "bce"].drop(columns=["loss", "recipe"])
        assert np.array_equal(
            kept.to_numpy(float), tuned.drop(columns=["loss", "recipe"]).to_numpy(float)
        )


def test_thresholds_follow_the_metric_that_is_asked_about(made):
    data, settings, record, _ = made
    for_recall = list(fold_results(record, data, settings, "recall"))
    assert all(r.threshold <= 0.5 for r in for_recall if r.loss == 1)
