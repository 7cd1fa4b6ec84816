from dataclasses import replace

import pytest

from anyloss_core.benchmark.settings import comparison_settings
from anyloss_core.comparison.assembly import assemble
from anyloss_core.comparison.cost_model import (
    COSTS,
    HELD,
    Clock,
    Load,
    bytes_of,
    seconds_of,
    terms_of,
)
from anyloss_core.comparison.estimates import comparison_load
from anyloss_core.engine.models import Network
from tests.support.generated import synthetic


def settings(**more):
    return comparison_settings(**{"losses": ("bce", "mse"), "folds": 5, **more})


def test_the_terms_are_those_of_the_study_that_is_really_trained():
    tuned = ("bce+threshold", "bce+threshold@metric=gmean")  # share their inner models
    chosen = settings(losses=("bce", *tuned, "anyloss:f1"), epochs=7, seeds=2)
    (assembly,) = assemble(synthetic(rows=300, features=4), chosen)
    study = assembly.study
    seen = sum(len(study.rows[model.rows].train) for model in study.models) * 7
    terms = terms_of(comparison_load(chosen, 300, 4))
    assert terms.models == len(study.models)
    assert terms.units == pytest.approx(seen, rel=0.01)
    assert terms.steps == 7
    assert terms.products == pytest.approx((4 + 1) * seen, rel=0.01)


def test_mini_batches_are_steps():
    whole = terms_of(comparison_load(settings(model="mlp", epochs=100), 1000, 4))
    small = terms_of(comparison_load(settings(model="mlp", protocol="paper"), 1000, 4))
    assert (whole.steps, round(small.steps)) == (100, 2000)


def test_seconds_are_the_sum_over_the_terms():
    load = Load(100, 3, 80, 5, 10, 20, 16, Network((2,), initial="he"))
    cost = COSTS["mlp"]
    shares = (cost.once, cost.models * 10, cost.steps * 20 * 5)
    rows = 10 * 80 * 20
    per_row = cost.units * 3 + cost.products * (2 * 3 + 2 + 2 + 1)
    assert seconds_of(load) == pytest.approx(sum(shares) + rows * per_row)


@pytest.mark.parametrize("more", [{"seeds": 2}, {"folds": 10}, {"losses": ("bce", "mse", "focal")}])
@pytest.mark.parametrize("model", list(COSTS))
def test_more_work_takes_longer(model, more):
    more, less = (
        seconds_of(comparison_load(settings(model=model, **changes), 1000, 8))
        for changes in (more, {})
    )
    assert more > less


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("table", {"rows": 8000}),
        ("folds", {"folds": 90}),
        ("models", {"models": 900}),
        ("step", {"network": Network((4000,), initial="he")}),
    ],
)
def test_each_part_of_memory_grows_with_what_it_holds(part, change):
    load = Load(200, 6, 150, 3, 9, 20, None, Network((4,), initial="he"))
    small, large = bytes_of(load), bytes_of(replace(load, **change))
    assert large[part] > 3 * small[part]
    assert all(large[name] >= small[name] for name in small)


def test_every_number_of_a_table_is_eight_bytes_in_four_copies_and_the_rows_of_a_pass():
    """Of the prepared table, with four columns for weights and classes."""
    load = Load(1000, 6, 900, 3, 9, 20, None, Network())
    assert bytes_of(load)["table"] == 8 * 1000 * (6 + 4) * (4 + 1)
    assert bytes_of(replace(load, batch=64))["table"] == 8 * 1000 * (6 + 4) * 4


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
