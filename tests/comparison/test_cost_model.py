import pytest

from anyloss_core.assembly import assemble
from anyloss_core.benchmark_settings import comparison_settings
from anyloss_core.cost_model import COSTS, HELD, Clock, count, estimate
from anyloss_core.datasets import synthetic


def settings(**more):
    return comparison_settings(**{"losses": ("bce", "anyloss:f1"), "folds": 5, **more})


def test_the_terms_are_those_of_the_study_that_is_really_trained():
    chosen = settings(losses=("bce", "bce+threshold", "anyloss:f1"), epochs=7, seeds=2)
    (assembly,) = assemble(synthetic(rows=300, features=4), chosen)
    study = assembly.study
    seen = sum(len(study.rows[model.rows].train) for model in study.models) * 7
    terms = count(chosen, 300, 4)
    assert terms.rows == pytest.approx(seen, rel=0.01)
    assert terms.steps == 7
    assert terms.products == pytest.approx(4 * seen, rel=0.01)


def test_mini_batches_are_steps():
    whole = count(settings(model="mlp", protocol="fresh", epochs=100), 1000, 4)
    small = count(settings(model="mlp", protocol="paper"), 1000, 4)
    assert (whole.steps, round(small.steps)) == (100, 2000)


@pytest.mark.parametrize("more", [{"seeds": 2}, {"folds": 10}, {"losses": ("bce", "mse", "focal")}])
@pytest.mark.parametrize("model", list(COSTS))
def test_more_work_takes_longer(model, more):
    assert estimate(settings(model=model, **more), 1000, 8) > estimate(
        settings(model=model), 1000, 8
    )


def test_nothing_is_estimated_as_free():
    assert estimate(settings(), None) > 0


def test_the_clock_learns_how_wrong_the_estimates_are():
    clock = Clock()
    assert clock.left([3.0, 5.0]) == 8.0
    clock.learn(expected=90.0, spent=190.0)
    assert clock.pace == pytest.approx((190 + HELD) / (90 + HELD)) == 2.0
    assert clock.left([3.0, 5.0]) == 16.0


def test_several_workers_share_the_work_but_not_one_unit():
    assert Clock().left([2.0, 2.0, 2.0], workers=3) == 2.0
    assert Clock().left([9.0, 1.0], workers=2) == 9.0
    assert Clock().left([], workers=2) == 0.0
